package rubricem.http.report;

import com.openhtmltopdf.outputdevice.helper.BaseRendererBuilder.FontStyle;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.fontbox.ttf.CmapLookup;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;

/** The DejaVu fonts that the program carries: free to embed, and the same on every machine. */
final class BundledFonts {
  private static final String FOLDER = "net/sf/jasperreports/fonts/dejavu/";

  private final List<Font> fonts;
  private final CmapLookup covered;

  record Font(String family, int weight, FontStyle style, byte[] bytes) {}

  private BundledFonts(List<Font> fonts, CmapLookup covered) {
    this.fonts = fonts;
    this.covered = covered;
  }

  static BundledFonts load() {
    List<Font> fonts = new ArrayList<>();
    family(fonts, "Serif", "DejaVuSerifCondensed", "Italic");
    family(fonts, "Sans", "DejaVuSansCondensed", "Oblique");
    family(fonts, "Mono", "DejaVuSansMono", "Oblique");
    byte[] widest = read("DejaVuSansCondensed");
    try (TrueTypeFont font = new TTFParser().parse(new RandomAccessReadBuffer(widest))) {
      return new BundledFonts(List.copyOf(fonts), font.getUnicodeCmapLookup());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static void family(List<Font> fonts, String family, String file, String slanted) {
    fonts.add(new Font(family, 400, FontStyle.NORMAL, read(file)));
    fonts.add(new Font(family, 700, FontStyle.NORMAL, read(file + "-Bold")));
    fonts.add(new Font(family, 400, FontStyle.ITALIC, read(file + "-" + slanted)));
    fonts.add(new Font(family, 700, FontStyle.ITALIC, read(file + "-Bold" + slanted)));
  }

  private static byte[] read(String file) {
    String name = FOLDER + file + ".ttf";
    try (InputStream in = BundledFonts.class.getClassLoader().getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name + " is missing from the program").readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  List<Font> fonts() {
    return fonts;
  }

  /** The visible characters of a text that these fonts do not have. */
  Set<Integer> lacking(String text) {
    Set<Integer> lacking = new LinkedHashSet<>();
    text.codePoints()
        .filter(c -> c > 0x7F && !Character.isWhitespace(c))
        .filter(c -> Character.getType(c) != Character.FORMAT && covered.getGlyphId(c) == 0)
        .forEach(lacking::add);
    return lacking;
  }
}
