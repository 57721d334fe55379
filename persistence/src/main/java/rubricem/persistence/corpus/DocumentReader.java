package rubricem.persistence.corpus;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import rubricem.persistence.corpus.Block.Shape;
import rubricem.protocol.evidence.UnreadableKind;

/**
 * Turns the bytes of a file into blocks of text. What a file is, its content decides; its name
 * only tells kinds of plain text apart. Gives a reason instead of text where there is none, and
 * never part of a document as if it were the whole.
 */
final class DocumentReader {
  /** Raise it whenever the same bytes give other passages: files are then read again. */
  static final int VERSION = 9;

  private static final int HEAD_CHARS = 2048;
  private static final Pattern HTML =
      Pattern.compile(
          "\\A\\s*(<\\?xml[^>]*>|<!--.*?-->|\\s)*(<!doctype\\s+html|<html[\\s>]|<head[\\s>]|"
              + "<body[\\s>])",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern MARKDOWN_HEADING = Pattern.compile("(?m)^#{1,6} \\S");
  private static final Set<String> ASSETS =
      Set.of("text/css", "text/javascript", "application/javascript", "application/x-javascript",
          "font/ttf", "font/otf", "font/woff", "font/woff2", "application/x-font-ttf",
          "application/x-font-otf", "application/font-woff", "application/vnd.ms-fontobject");

  private static final Reading.Unreadable EMPTY = new Reading.Unreadable(UnreadableKind.EMPTY);

  private final CorpusSettings settings;

  DocumentReader(CorpusSettings settings) {
    this.settings = settings;
  }

  /**
   * @param name the file's name, without folders
   * @param repeated paragraphs to leave out, because every page around it has them
   */
  Reading read(byte[] bytes, String name, Set<String> repeated) throws IOException {
    if (bytes.length == 0) {
      return new Reading.Unreadable(UnreadableKind.EMPTY);
    }
    BlockList blocks = new BlockList(settings.textCharsMax(), repeated);
    try {
      if (isHtml(bytes)) {
        return html(bytes, name, blocks);
      }
      return sniffed(bytes, name, blocks);
    } catch (BlockList.TooMuchText e) {
      return e.reading();
    }
  }

  private Reading sniffed(byte[] bytes, String name, BlockList blocks) throws IOException {
    String type = OfficeDocuments.typeOf(bytes, name);
    if (ASSETS.contains(type)) {
      return new Reading.Asset();
    }
    if (type.equals("text/html") || type.equals("application/xhtml+xml")) {
      return html(bytes, name, blocks);
    }
    if (OfficeDocuments.reads(type)) {
      return OfficeDocuments.read(bytes, type, name, blocks, settings);
    }
    if (isText(type)) {
      return text(TextDecoding.decode(bytes), name, blocks);
    }
    return new Reading.Unreadable(
        type.startsWith("image/") ? UnreadableKind.PICTURE : UnreadableKind.UNSUPPORTED, type);
  }

  private static boolean isText(String type) {
    return type.startsWith("text/")
        || type.equals("application/json")
        || type.equals("application/xml")
        || type.endsWith("+xml") && !type.startsWith("image/")
        || type.endsWith("+json")
        || type.equals("application/x-sh")
        || type.equals("application/x-bibtex-text-file");
  }

  private static boolean isHtml(byte[] bytes) {
    int length = Math.min(bytes.length, HEAD_CHARS);
    String head = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    return HTML.matcher(head.startsWith("\u00EF\u00BB\u00BF") ? head.substring(3) : head).find();
  }

  private Reading html(byte[] bytes, String name, BlockList blocks) throws IOException {
    String declared = TextDecoding.isUtf8(bytes) ? "UTF-8" : null;
    Document page = Jsoup.parse(new ByteArrayInputStream(bytes), declared, "");
    String title = HtmlBlocks.title(page);
    Element body = page.body();
    List<String> notes = new ArrayList<>();
    boolean links = body.selectFirst("a[href]") != null;
    int hidden = HtmlNoise.remove(body);
    HtmlBlocks.ofPage(blocks, tableWords()).read(mainPart(body));
    notes.addAll(leftOut(hidden));
    // what was left out as noise were links
    return finished(
        title, name, blocks, notes,
        new Reading.Unreadable(links ? UnreadableKind.ONLY_LINKS : UnreadableKind.EMPTY));
  }

  private static List<String> leftOut(int hidden) {
    return hidden == 0
        ? List.of()
        : List.of(hidden + " hidden stretches of text were left out");
  }

  /** The part a page marks as its content, where that is most of what it shows. */
  private static Element mainPart(Element body) {
    List<Element> marked = body.select("main, [role=main]");
    if (marked.size() == 1) {
      int all = body.text().length();
      return marked.getFirst().text().length() * 2 > all ? marked.getFirst() : body;
    }
    return body;
  }

  private Reading text(String text, String name, BlockList blocks) {
    if (isMarkdown(text, name)) {
      MarkdownBlocks markdown = new MarkdownBlocks(blocks, tableWords());
      String title = markdown.read(text);
      return finished(title, name, blocks, leftOut(markdown.hidden()), EMPTY);
    }
    for (String paragraph : text.replace("\r\n", "\n").split("\n[ \t]*\n|\f")) {
      blocks.add(isProse(paragraph) ? Shape.PROSE : Shape.LINES, paragraph);
    }
    return finished("", name, blocks, List.of(), EMPTY);
  }

  private static boolean isMarkdown(String text, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".md") || lower.endsWith(".markdown") || lower.endsWith(".mdown")) {
      return true;
    }
    boolean plain = lower.endsWith(".txt") || !lower.contains(".");
    return plain && MARKDOWN_HEADING.matcher(text).results().limit(2).count() == 2;
  }

  /** Lines that are mostly indented or very short are a listing whose line ends mean something. */
  private static boolean isProse(String paragraph) {
    List<String> lines = paragraph.lines().toList();
    long indented = lines.stream().filter(l -> l.startsWith("  ") || l.startsWith("\t")).count();
    return indented * 2 <= lines.size() && paragraph.length() >= 20L * lines.size();
  }

  private int tableWords() {
    return settings.passageWords() * 2 / 3;
  }

  /** Ends a reading: what gave no text is unreadable. */
  static Reading finished(
      String title, String name, BlockList blocks, List<String> notes,
      Reading.Unreadable ifEmpty) {
    List<Block> all = blocks.blocks();
    if (all.isEmpty()) {
      return ifEmpty;
    }
    List<String> said = new ArrayList<>(notes);
    if (blocks.invisible() > 0) {
      said.add(blocks.invisible() + " invisible characters were left out");
    }
    String called = title.isBlank() ? titleOf(all, name) : title;
    return new Reading.Text(called, all, List.copyOf(said));
  }

  private static String titleOf(List<Block> blocks, String name) {
    return blocks.stream()
        .filter(b -> b.shape() == Shape.HEADING)
        .map(Block::text)
        .findFirst()
        .orElse(name);
  }
}
