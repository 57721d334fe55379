package rubricem.persistence.corpus;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.poi.poifs.crypt.EncryptionInfo;
import org.apache.poi.poifs.crypt.EncryptionMode;
import org.apache.poi.poifs.crypt.Encryptor;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xslf.usermodel.XSLFSlide;
import org.apache.poi.xssf.usermodel.XSSFSheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.apache.poi.xwpf.usermodel.XWPFTable;

/** Real documents of each format, made while the tests run. */
final class OfficeFiles {
  private OfficeFiles() {}

  static byte[] docx(String heading, String paragraph, String cell) throws IOException {
    try (XWPFDocument document = new XWPFDocument();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      var style = org.openxmlformats.schemas.wordprocessingml.x2006.main.CTStyle.Factory.newInstance();
      style.setStyleId("Heading1");
      style.addNewName().setVal("heading 1");
      document.createStyles().addStyle(new org.apache.poi.xwpf.usermodel.XWPFStyle(style));
      var title = document.createParagraph();
      title.setStyle("Heading1");
      title.createRun().setText(heading);
      document.createParagraph().createRun().setText(paragraph);
      XWPFTable table = document.createTable(2, 2);
      table.getRow(0).getCell(0).setText("Name");
      table.getRow(0).getCell(1).setText("Meaning");
      table.getRow(1).getCell(0).setText("key");
      table.getRow(1).getCell(1).setText(cell);
      document.write(out);
      return out.toByteArray();
    }
  }

  static byte[] pptx(String title, String text, String notes) throws IOException {
    try (XMLSlideShow show = new XMLSlideShow();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      show.createSlide().createTextBox().setText("Opening");
      XSLFSlide slide = show.createSlide();
      slide.createTextBox().setText(title);
      slide.createTextBox().setText(text);
      for (var shape : show.getNotesSlide(slide).getPlaceholders()) {
        if (shape.getTextType() == org.apache.poi.sl.usermodel.Placeholder.BODY) {
          shape.setText(notes);
        }
      }
      show.write(out);
      return out.toByteArray();
    }
  }

  static byte[] xlsx(String sheetName, List<List<String>> rows) throws IOException {
    try (XSSFWorkbook book = new XSSFWorkbook();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      XSSFSheet sheet = book.createSheet(sheetName);
      for (int r = 0; r < rows.size(); r++) {
        var row = sheet.createRow(r);
        for (int c = 0; c < rows.get(r).size(); c++) {
          row.createCell(c).setCellValue(rows.get(r).get(c));
        }
      }
      book.write(out);
      return out.toByteArray();
    }
  }

  static byte[] encryptedDocx() throws Exception {
    try (POIFSFileSystem files = new POIFSFileSystem();
        ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      EncryptionInfo info = new EncryptionInfo(EncryptionMode.agile);
      Encryptor encryptor = info.getEncryptor();
      encryptor.confirmPassword("secret");
      try (var sealed = encryptor.getDataStream(files)) {
        sealed.write(docx("Sealed", "Nobody reads this.", "cell"));
      }
      files.writeFilesystem(out);
      return out.toByteArray();
    }
  }

  /** Each page is a list of lines, from the top. */
  static byte[] pdf(List<List<String>> pages) throws IOException {
    try (PDDocument document = pages(pages)) {
      return saved(document);
    }
  }

  static byte[] encryptedPdf(List<List<String>> pages) throws IOException {
    try (PDDocument document = pages(pages)) {
      document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
      return saved(document);
    }
  }

  static byte[] scannedPdf(int pages) throws IOException {
    try (PDDocument document = new PDDocument()) {
      var image = new java.awt.image.BufferedImage(40, 40, java.awt.image.BufferedImage.TYPE_INT_RGB);
      var picture = LosslessFactory.createFromImage(document, image);
      for (int i = 0; i < pages; i++) {
        PDPage page = new PDPage();
        document.addPage(page);
        try (PDPageContentStream content = new PDPageContentStream(document, page)) {
          content.drawImage(picture, 50, 500, 300, 200);
        }
      }
      return saved(document);
    }
  }

  private static PDDocument pages(List<List<String>> pages) throws IOException {
    PDDocument document = new PDDocument();
    PDType1Font font = new PDType1Font(Standard14Fonts.FontName.HELVETICA);
    for (List<String> lines : pages) {
      PDPage page = new PDPage();
      document.addPage(page);
      try (PDPageContentStream content = new PDPageContentStream(document, page)) {
        content.beginText();
        content.setFont(font, 11);
        content.newLineAtOffset(50, 740);
        for (String line : lines) {
          content.showText(line);
          content.newLineAtOffset(0, line.isEmpty() ? -40 : -14);
        }
        content.endText();
      }
    }
    return document;
  }

  private static byte[] saved(PDDocument document) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    document.save(out);
    return out.toByteArray();
  }

  static byte[] odt(String heading, String paragraph, String cell) throws IOException {
    String content =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
          xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
          xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" office:version="1.2">
        <office:body><office:text>
        <text:h text:outline-level="1">%s</text:h><text:p>%s</text:p>
        <table:table table:name="T"><table:table-row><table:table-cell><text:p>Name</text:p>
        </table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>%s</text:p>
        </table:table-cell></table:table-row></table:table>
        </office:text></office:body></office:document-content>
        """
            .formatted(heading, paragraph, cell);
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("mimetype", "application/vnd.oasis.opendocument.text");
    parts.put("content.xml", content);
    parts.put(
        "META-INF/manifest.xml",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
        <manifest:file-entry manifest:full-path="/"
          manifest:media-type="application/vnd.oasis.opendocument.text"/>
        <manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
        </manifest:manifest>
        """);
    return zip(parts);
  }

  static byte[] epub(String title, String chapter, String text) throws IOException {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("mimetype", "application/epub+zip");
    parts.put(
        "META-INF/container.xml",
        """
        <?xml version="1.0"?><container version="1.0"
          xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
        <rootfile full-path="book.opf" media-type="application/oebps-package+xml"/>
        </rootfiles></container>
        """);
    parts.put(
        "book.opf",
        """
        <?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>%s</dc:title></metadata>
        <manifest><item id="c1" href="c1.xhtml" media-type="application/xhtml+xml"/></manifest>
        <spine><itemref idref="c1"/></spine></package>
        """
            .formatted(title));
    parts.put(
        "c1.xhtml",
        """
        <?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>c</title>
        </head><body><h1>%s</h1><p>%s</p></body></html>
        """
            .formatted(chapter, text));
    return zip(parts);
  }

  private static byte[] zip(Map<String, String> parts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> part : parts.entrySet()) {
        byte[] content = part.getValue().strip().getBytes(StandardCharsets.UTF_8);
        ZipEntry entry = new ZipEntry(part.getKey());
        if (part.getKey().equals("mimetype")) {
          CRC32 crc = new CRC32();
          crc.update(content);
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(content.length);
          entry.setCrc(crc.getValue());
        }
        out.putNextEntry(entry);
        out.write(content);
        out.closeEntry();
      }
    }
    return bytes.toByteArray();
  }
}
