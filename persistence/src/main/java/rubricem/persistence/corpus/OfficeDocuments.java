package rubricem.persistence.corpus;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.tika.detect.DefaultDetector;
import org.apache.tika.detect.Detector;
import org.apache.tika.exception.EncryptedDocumentException;
import org.apache.tika.exception.TikaException;
import org.apache.tika.extractor.EmbeddedDocumentExtractor;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.parser.csv.TextAndCSVParser;
import org.apache.tika.parser.epub.EpubParser;
import org.apache.tika.parser.microsoft.OfficeParser;
import org.apache.tika.parser.microsoft.OfficeParserConfig;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.parser.odf.OpenDocumentParser;
import org.apache.tika.parser.pdf.PDFParser;
import org.apache.tika.parser.pdf.PDFParserConfig;
import org.apache.tika.sax.SecureContentHandler;
import org.jsoup.nodes.Element;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * Reads the formats that need a parser of their own, through Apache Tika, into the same blocks as
 * a web page. The parser is chosen by the content. Attachments inside a document are not opened.
 */
final class OfficeDocuments {
  private static final String OOXML = "application/vnd.openxmlformats-officedocument.";
  private static final String MACROS = "application/vnd.ms-";
  private static final String ODF = "application/vnd.oasis.opendocument.";
  private static final String PDF = "application/pdf";

  private static final Map<String, Supplier<Parser>> BY_TYPE =
      Map.of(
          PDF, PDFParser::new,
          "application/epub+zip", EpubParser::new,
          "application/rtf", RTFParser::new,
          "text/csv", TextAndCSVParser::new,
          "text/tsv", TextAndCSVParser::new,
          "text/tab-separated-values", TextAndCSVParser::new,
          "application/msword", OfficeParser::new,
          "application/vnd.ms-powerpoint", OfficeParser::new,
          "application/vnd.ms-excel", OfficeParser::new,
          "application/x-tika-ooxml-protected", OfficeParser::new);

  private static final Map<Character, String> SEPARATORS =
      Map.of(',', "comma", '\t', "tab", ';', "semicolon", '|', "pipe");

  private OfficeDocuments() {}

  /** Loaded with the first file that needs it: most collections are web pages and text. */
  private static final class Sniffer {
    static final Detector DETECTOR = new DefaultDetector();
  }

  static String typeOf(byte[] bytes, String name) throws IOException {
    Metadata metadata = new Metadata();
    metadata.set(TikaCoreProperties.RESOURCE_NAME_KEY, name);
    try (TikaInputStream in = TikaInputStream.get(new ByteArrayInputStream(bytes))) {
      return Sniffer.DETECTOR.detect(in, metadata).getBaseType().toString();
    }
  }

  static boolean reads(String type) {
    return parserOf(type) != null;
  }

  private static @org.jspecify.annotations.Nullable Supplier<Parser> parserOf(String type) {
    if (BY_TYPE.containsKey(type)) {
      return BY_TYPE.get(type);
    }
    if (type.startsWith(OOXML) || type.startsWith(MACROS) && type.contains("macroenabled")) {
      return OOXMLParser::new;
    }
    return type.startsWith(ODF) ? OpenDocumentParser::new : null;
  }

  static Reading read(
      byte[] bytes, String type, String name, BlockList blocks, CorpusSettings settings)
      throws IOException {
    Supplier<Parser> parser = parserOf(type);
    if (parser == null) {
      throw new IllegalArgumentException("no parser reads " + type);
    }
    Metadata metadata = new Metadata();
    metadata.set(TikaCoreProperties.RESOURCE_NAME_KEY, name);
    metadata.set(Metadata.CONTENT_TYPE, type);
    PageTree tree = new PageTree(settings.textCharsMax());
    byte[] content = bytes;
    if (type.equals("text/csv") || type.startsWith("text/t")) {
      content = TextDecoding.decode(bytes).getBytes(StandardCharsets.UTF_8);
      metadata.set(TikaCoreProperties.CONTENT_TYPE_USER_OVERRIDE, separated(content));
    }
    try (TikaInputStream in = TikaInputStream.get(new ByteArrayInputStream(content))) {
      ContentHandler guarded = new SecureContentHandler(tree, in);
      parser.get().parse(in, guarded, metadata, context());
    } catch (TikaException | SAXException | IOException | RuntimeException e) {
      return reason(e);
    }
    return blocks(tree.root(), type, title(metadata), name, blocks, settings);
  }

  /** The separator that the first line has most of; the parser's own guess needs longer files. */
  private static String separated(byte[] utf8) {
    String text = new String(utf8, StandardCharsets.UTF_8);
    String line = text.lines().findFirst().orElse("").replaceAll("\"[^\"]*\"", "");
    String most = "comma";
    long count = 0;
    for (Map.Entry<Character, String> separator : SEPARATORS.entrySet()) {
      long here = line.chars().filter(c -> c == separator.getKey()).count();
      if (here > count) {
        most = separator.getValue();
        count = here;
      }
    }
    return "text/csv; charset=UTF-8; delimiter=" + most;
  }

  private static Reading blocks(
      Element root, String type, String title, String name, BlockList blocks, CorpusSettings s) {
    int tableWords = s.passageWords() * 2 / 3;
    if (type.equals(PDF)) {
      return PdfPages.read(root, title, name, blocks);
    }
    new OfficePages(blocks, tableWords).read(root);
    return DocumentReader.finished(
        title, name, blocks, List.of(), new Reading.Unreadable(UnreadableKind.EMPTY));
  }

  private static String title(Metadata metadata) {
    String title = metadata.get(TikaCoreProperties.TITLE);
    boolean useless =
        title == null
            || title.toLowerCase(Locale.ROOT).matches("untitled.*|microsoft word - .*|.*\\.indd");
    return useless ? "" : new CleanText().line(title);
  }

  private static ParseContext context() {
    ParseContext context = new ParseContext();
    PDFParserConfig pdf = new PDFParserConfig();
    pdf.setOcrStrategy(PDFParserConfig.OCR_STRATEGY.NO_OCR);
    pdf.setExtractInlineImages(false);
    pdf.setExtractAnnotationText(true);
    pdf.setExtractBookmarksText(false);
    context.set(PDFParserConfig.class, pdf);
    OfficeParserConfig office = new OfficeParserConfig();
    office.setIncludeSlideNotes(true);
    office.setIncludeSlideMasterContent(false);
    office.setIncludeHeadersAndFooters(false);
    office.setExtractMacros(false);
    context.set(OfficeParserConfig.class, office);
    context.set(EmbeddedDocumentExtractor.class, new NoAttachments());
    return context;
  }

  /** What went wrong, by the cause and never by the file's own words. */
  static Reading.Unreadable reason(Throwable thrown) {
    for (Throwable e = thrown; e != null; e = e.getCause() == e ? null : e.getCause()) {
      String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      if (e instanceof BlockList.TooMuchText much) {
        return much.reading();
      }
      if (e instanceof EncryptedDocumentException
          || e.getClass().getSimpleName().contains("InvalidPassword")
          || e.getClass().getSimpleName().contains("EncryptedDocument")) {
        return new Reading.Unreadable(UnreadableKind.ENCRYPTED);
      }
      if (message.contains("zip bomb") || message.contains("suspected zip")) {
        return new Reading.Unreadable(UnreadableKind.EXPANDS);
      }
    }
    return new Reading.Unreadable(UnreadableKind.DAMAGED);
  }

  private static final class NoAttachments implements EmbeddedDocumentExtractor {
    @Override
    public boolean shouldParseEmbedded(Metadata metadata) {
      return false;
    }

    @Override
    public void parseEmbedded(
        java.io.InputStream in, ContentHandler handler, Metadata metadata, boolean html) {}
  }
}
