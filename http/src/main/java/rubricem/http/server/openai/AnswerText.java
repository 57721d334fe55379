package rubricem.http.server.openai;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.report.Citation;
import rubricem.protocol.report.CitedSpans;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;

/**
 * The report of a completed episode as one text with its citations. Offsets count code points, the
 * end is exclusive: {@code text[start:end]} of Python is the cited claim. There is one for each
 * pair of a claim and a passage.
 */
record AnswerText(String text, List<CitedUrl> citations, boolean cut) {
  /** Characters of one piece of a stream. */
  private static final int PIECE = 512;

  record CitedUrl(int start, int end, String title, String url) {}

  static AnswerText of(EpisodeView view) {
    ReportModel report =
        view.report().orElseThrow(() -> new IllegalStateException(view.id() + " has no report"));
    String text = ReportMarkdown.answer(report).strip();
    String answer = report.answer();
    // the answer stands first, without the blanks before it
    int leading = answer.length() - answer.stripLeading().length();
    List<CitedUrl> citations = new ArrayList<>();
    for (CitedSpans.Span span : CitedSpans.of(report)) {
      int start = text.codePointCount(0, span.start() - leading);
      int end = text.codePointCount(0, span.end() - leading);
      for (Citation citation : span.citations()) {
        citations.add(new CitedUrl(start, end, citation.title(), url(view, citation)));
      }
    }
    boolean cut = view.finishCause().filter(c -> c == FinishCause.OUTPUT_TOKENS).isPresent();
    return new AnswerText(text, List.copyOf(citations), cut);
  }

  /** A passage without an address of its own is found at ours. */
  private static String url(EpisodeView view, Citation citation) {
    return citation.url().isEmpty()
        ? "/v1/research/" + view.id() + "/sources/" + citation.snippetId()
        : citation.url();
  }

  /** The text in pieces that break no character. */
  List<String> pieces() {
    List<String> pieces = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(text.length(), from + PIECE);
      if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
        to++;
      }
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }

  /** As responses have them. */
  ArrayNode annotations() {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    citations.forEach(c -> all.add(flat(c).put("type", "url_citation")));
    return all;
  }

  /** As chat completions have them. */
  ArrayNode nestedAnnotations() {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (CitedUrl c : citations) {
      ObjectNode one = JsonNodeFactory.instance.objectNode().put("type", "url_citation");
      one.set("url_citation", flat(c));
      all.add(one);
    }
    return all;
  }

  private static ObjectNode flat(CitedUrl c) {
    return JsonNodeFactory.instance.objectNode()
        .put("start_index", c.start()).put("end_index", c.end())
        .put("title", c.title()).put("url", c.url());
  }
}
