package rubricem.http.report;

import com.openhtmltopdf.bidi.support.ICUBidiReorderer;
import com.openhtmltopdf.bidi.support.ICUBidiSplitter;
import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FontStyle;
import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.TextDirection;
import com.openhtmltopdf.outputdevice.helper.ExternalResourceControlPriority;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import com.openhtmltopdf.util.XRLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import rubricem.protocol.report.Phrase;
import rubricem.protocol.report.ReportLanguage;
import rubricem.protocol.report.ReportModel;

/**
 * Writes a report as PDF from the same page as {@link ReportHtml}. It loads nothing from outside
 * the program but fonts: DejaVu, which it carries, for Latin, Greek, Cyrillic, Arabic, Hebrew and
 * many more, and fonts of the machine for characters that DejaVu lacks, Chinese and its neighbours
 * above all. Where neither has a character it shows a box, and the report says how many.
 * Thread-safe.
 */
public final class ReportPdf {
  private static final String BOX = "□";

  static {
    // its lines say which fonts it reads, at a level that is shown by default
    XRLog.setLoggingEnabled(false);
  }

  private final BundledFonts bundled = BundledFonts.load();
  private final MachineFonts machine;

  /** @param fontFolders where the machine keeps its fonts; searched only when one is needed */
  public ReportPdf(List<Path> fontFolders) {
    this.machine = new MachineFonts(fontFolders);
  }

  public ReportPdf() {
    this(MachineFonts.USUAL_FOLDERS);
  }

  public byte[] render(ReportModel model) {
    String page = ReportHtml.forPdf(model);
    Set<Integer> lacking = bundled.lacking(page);
    MachineFonts.Choice extra = machine.covering(lacking);
    if (!extra.uncovered().isEmpty()) {
      page =
          page.replace(
              "</footer>",
              "<p>" + Html.escape(boxes(model, extra.uncovered().size())) + "</p></footer>");
      extra = machine.covering(bundled.lacking(page));
    }
    try {
      PdfAddresses hidden = PdfAddresses.hide(page);
      return hidden.restore(write(hidden.html(), model.isRightToLeft(), extra.fonts()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** In the report's language where there are characters to say it. */
  private String boxes(ReportModel model, int count) {
    String said = model.say(Phrase.BOXES, count, BOX);
    return machine.covering(bundled.lacking(said)).uncovered().isEmpty()
        ? said
        : ReportLanguage.ENGLISH.say(Phrase.BOXES, count, BOX);
  }

  private byte[] write(String page, boolean rightToLeft, List<byte[]> extra) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64 * 1024);
    PdfRendererBuilder builder = new PdfRendererBuilder();
    builder.useUnicodeBidiSplitter(new ICUBidiSplitter.ICUBidiSplitterFactory());
    builder.useUnicodeBidiReorderer(new ICUBidiReorderer());
    builder.defaultTextDirection(rightToLeft ? TextDirection.RTL : TextDirection.LTR);
    builder.useReplacementText(BOX);
    builder.useUriResolver((base, uri) -> uri);
    builder.useExternalResourceAccessControl(
        (uri, type) -> false, ExternalResourceControlPriority.RUN_BEFORE_RESOLVING_URI);
    builder.withDiagnosticConsumer(diagnostic -> { });
    bundled.fonts().forEach(f -> builder.useFont(
        () -> new ByteArrayInputStream(f.bytes()), f.family(), f.weight(), f.style(), true));
    for (byte[] font : extra) {
      for (FontStyle style : List.of(FontStyle.NORMAL, FontStyle.ITALIC)) {
        builder.useFont(() -> new ByteArrayInputStream(font), "System", 400, style, true);
      }
    }
    builder.withHtmlContent(page, null);
    builder.toStream(out);
    builder.run();
    return out.toByteArray();
  }
}
