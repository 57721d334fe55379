package rubricem.http.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.interactive.action.PDActionURI;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotation;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationLink;

/**
 * Carries the addresses of a page's links around the PDF writer, which drops or changes those that
 * are no strict URIs: each stands behind a plain one while the page is laid out and is then put
 * into the PDF byte by byte, in UTF-8 as PDF 2.0 has it.
 *
 * @param html the page with stand-ins
 * @param addresses the real addresses, in the order of their stand-ins
 */
record PdfAddresses(String html, List<String> addresses) {
  private static final String HREF = "href=\"";
  private static final String STAND_IN = "https://address.invalid/";

  /** Quotes in texts are escaped, so what looks like the attribute is one. */
  static PdfAddresses hide(String page) {
    StringBuilder out = new StringBuilder(page.length());
    List<String> addresses = new ArrayList<>();
    int at = 0;
    for (int found = page.indexOf(HREF); found >= 0; found = page.indexOf(HREF, at)) {
      int from = found + HREF.length();
      int to = page.indexOf('"', from);
      String address = page.substring(from, to);
      out.append(page, at, from);
      if (address.startsWith("#")) {
        out.append(address);
      } else {
        out.append(STAND_IN).append(addresses.size());
        addresses.add(Html.unescape(address));
      }
      at = to;
    }
    return new PdfAddresses(out.append(page, at, page.length()).toString(), addresses);
  }

  /** The PDF with the real addresses. */
  byte[] restore(byte[] pdf) throws IOException {
    if (addresses.isEmpty()) {
      return pdf;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(pdf.length + 1_024);
    try (PDDocument document = Loader.loadPDF(pdf)) {
      for (PDPage page : document.getPages()) {
        for (PDAnnotation annotation : page.getAnnotations()) {
          if (annotation instanceof PDAnnotationLink link
              && link.getAction() instanceof PDActionURI action
              && action.getURI().startsWith(STAND_IN)) {
            restore(action);
          }
        }
      }
      document.save(out);
    }
    return out.toByteArray();
  }

  private void restore(PDActionURI action) {
    int index = Integer.parseInt(action.getURI().substring(STAND_IN.length()));
    byte[] address = addresses.get(index).getBytes(StandardCharsets.UTF_8);
    action.getCOSObject().setItem(COSName.URI, new COSString(address));
  }
}
