package rubricem.actors.extractive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.scaffold.ParsedTurn;
import rubricem.protocol.scaffold.ScaffoldParser;
import rubricem.protocol.scaffold.ToolCall;
import rubricem.protocol.scaffold.ToolOutputText;
import rubricem.protocol.scaffold.ToolOutputText.ReadSnippet;
import rubricem.protocol.scaffold.TurnAction;
import rubricem.protocol.scaffold.TurnContext;

/**
 * What an episode's messages say was asked of the tools and what came back. A passage keeps the
 * text it was shown with; one whose text was left out for length is not used. Texts of passages are
 * data here and nothing more.
 *
 * @param calls every call made, in order; no call is to be made again
 * @param found every passage with its text, in the order it was first shown
 * @param fresh how many passages each answer of a tool showed for the first time
 * @param errors what tools or the engine answered instead of passages
 */
record Evidence(
    List<ToolCall> calls, List<Found> found, List<Integer> fresh, List<String> errors) {
  private static final Pattern KEY = Pattern.compile("^key: (.+)#(\\d{1,9})-(\\d{1,9})(?:;|$)");
  private static final Pattern ID = Pattern.compile("S_\\d+");

  /** Ranks below it differ little; the first few decide. */
  private static final double RANK_OFFSET = 10;

  /** After so many searches in a row without anything new there is nothing more to find. */
  private static final int IN_VAIN = 2;

  /**
   * A passage.
   *
   * @param source the document's stable name where the tool shows it, else its address
   * @param key {@code DOCUMENT#FROM-TO} where the tool shows it
   * @param votes how high it stood in how many searches
   */
  record Found(
      String id, String title, String position, String source, Optional<String> key, String text,
      double votes) {

    /** What its meaning is taken from: the text under its headings. */
    String whole() {
      return title + "\n" + text;
    }
  }

  static Evidence of(List<PolicyMessage> messages, Set<String> tools) {
    List<ToolCall> calls = new ArrayList<>();
    List<Integer> fresh = new ArrayList<>();
    List<String> errors = new ArrayList<>();
    Map<String, ReadSnippet> snippets = new LinkedHashMap<>();
    Map<String, Double> votes = new LinkedHashMap<>();
    boolean first = true;
    for (PolicyMessage message : messages) {
      switch (message) {
        case PolicyMessage.User user -> { }
        case PolicyMessage.Assistant turn -> {
          call(turn.text(), tools, first).ifPresent(calls::add);
          first = false;
        }
        case PolicyMessage.ToolOutput output -> {
          var read = ToolOutputText.parse(output.text());
          errors.addAll(read.errors());
          fresh.add(read.snippets().size());
          int rank = 0;
          for (String id : again(read.notes())) {
            votes.merge(id, 1 / (RANK_OFFSET + rank++), Double::sum);
          }
          for (ReadSnippet snippet : read.snippets()) {
            snippets.putIfAbsent(snippet.id(), snippet);
            votes.merge(snippet.id(), 1 / (RANK_OFFSET + rank++), Double::sum);
          }
        }
      }
    }
    List<Found> found = new ArrayList<>();
    snippets.values().stream()
        .filter(s -> !s.text().isBlank())
        .forEach(s -> found.add(found(s, votes.getOrDefault(s.id(), 0.0))));
    return new Evidence(
        List.copyOf(calls), List.copyOf(found), List.copyOf(fresh), List.copyOf(errors));
  }

  /** Whether the last searches, several in a row, showed nothing that was not known. */
  boolean exhausted() {
    int n = fresh.size();
    return n >= IN_VAIN && fresh.subList(n - IN_VAIN, n).stream().allMatch(f -> f == 0);
  }

  /** Whether the first search, for {@code asked} passages, showed all there are. */
  boolean few(int asked) {
    return !fresh.isEmpty() && fresh.getFirst() < asked;
  }

  private static Optional<ToolCall> call(String turn, Set<String> tools, boolean first) {
    TurnContext context = new TurnContext(first, tools, Integer.MAX_VALUE, false);
    Optional<TurnAction> action =
        switch (ScaffoldParser.parse(turn, context)) {
          case ParsedTurn.Valid valid -> Optional.of(valid.turn().action());
          case ParsedTurn.Invalid invalid -> invalid.attempted();
        };
    return action
        .filter(a -> a instanceof TurnAction.CallTool)
        .map(a -> ((TurnAction.CallTool) a).call());
  }

  private static Set<String> again(List<String> notes) {
    Set<String> ids = new LinkedHashSet<>();
    for (String note : notes) {
      Matcher matcher = ID.matcher(note);
      while (matcher.find()) {
        ids.add(matcher.group());
      }
    }
    return ids;
  }

  private static Found found(ReadSnippet snippet, double votes) {
    Matcher key = KEY.matcher(snippet.note().orElse(""));
    boolean keyed = key.find();
    return new Found(
        snippet.id(), snippet.title(), snippet.position(),
        keyed ? key.group(1) : snippet.url(),
        keyed ? Optional.of(key.group(1) + "#" + key.group(2) + "-" + key.group(3))
            : Optional.empty(),
        snippet.text(), votes);
  }
}
