package rubricem.eval.retrieval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.CorpusStatus;
import rubricem.protocol.port.FinishReason;
import rubricem.protocol.port.GenerationWatcher;
import rubricem.protocol.port.PolicyModel;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.PolicyRequest;
import rubricem.protocol.port.TokenUsage;

class RetrievalBenchTest {
  private static final String PLAN =
      "<think>t</think><structured_plan><deep_analysis>a</deep_analysis><rubric>r</rubric>"
          + "<research_plan>p</research_plan></structured_plan>";
  private static final String REVIEW =
      "<think>t</think><state_evaluation>s</state_evaluation><review><rubric_review>r"
          + "</rubric_review><writing_plan>w</writing_plan></review>";

  private static Passage passage(String document, String text) {
    return new Passage(
        document, "T", "file:/" + document, "", 0, text.length(), text, 1, Optional.empty());
  }

  private static final Passage RED = passage("a.html", "The pump is red.");
  private static final Passage NO = passage("b.html", "No.");

  /** Gives out the same passages for every search. */
  private record Same(List<Passage> passages) implements Corpus {
    @Override
    public CompletionStage<Hits> search(Query query) {
      return CompletableFuture.completedFuture(
          new Hits(passages, Searched.NOTHING, 0, List.of()));
    }

    @Override
    public CorpusStatus status() {
      return new CorpusStatus(0, 0, 0, 0, List.of());
    }

    @Override
    public List<Passage> passagesAround(String document, int from, int to, int each) {
      return passages.stream().filter(p -> !p.document().equals(document)).toList();
    }

    @Override
    public Optional<Passage> passage(String document, int from, int to) {
      return Optional.empty();
    }
  }

  /** Says the given turns in order. */
  private static PolicyModel saying(String... turns) {
    return new PolicyModel() {
      @Override
      public String spec() {
        return "saying";
      }

      @Override
      public CompletionStage<PolicyOutcome> generate(
          PolicyRequest request, GenerationWatcher watcher) {
        String text = turns[request.messages().size() / 2];
        return CompletableFuture.completedFuture(
            new PolicyOutcome.Generated(
                text, Optional.empty(), FinishReason.STOP, TokenUsage.NONE, "1"));
      }
    };
  }

  private static BenchQuestion question(List<String> pages, List<String> facts) {
    return new BenchQuestion("q", "Which pump?", "en", "goal", true, pages, facts);
  }

  @Test
  void all_pages_and_all_facts_are_needed() {
    List<Passage> found =
        List.of(passage("x/a.html", "The  Pump\nis red."), passage("b.html", "5"));
    assertTrue(question(List.of("a.html", "c.html|b.html"), List.of()).allPages(found));
    assertFalse(question(List.of("a.html", "c.html"), List.of()).allPages(found));
    assertEquals(
        List.of("blue"),
        question(List.of(), List.of("pump is (red|green)", "blue")).missingFacts(found));
  }

  @Test
  void only_what_is_cited_counts_for_the_policy() {
    Corpus corpus = new Same(List.of(RED, NO));
    PolicyModel policy =
        saying(
            PLAN + "<call_tool name=\"local_search\">pump</call_tool>",
            REVIEW + "<answer><cite id=\"S_2\">No.</cite> <cite id=\"S_2\">Yes.</cite></answer>");
    List<BenchQuestion> asked =
        List.of(
            question(List.of("a.html"), List.of("red")), question(List.of("b.html"), List.of()));
    RetrievalBench.Figures figures =
        RetrievalBench.figures(RetrievalBench.run(corpus, policy, asked, 10));
    assertEquals(1.0, figures.searchFacts());
    assertEquals(0.5, figures.policyPages());
    assertEquals(0.5, figures.policyFacts());
    assertEquals(2, figures.quotesNotVerbatim());
    assertEquals(1.0, figures.callsPerQuestion());
    assertEquals(0, figures.faults());
  }

  @Test
  void a_repeated_call_and_a_broken_turn_are_faults() {
    Corpus corpus = new Same(List.of(passage("a.html", "The pump is red.")));
    String call = "<call_tool name=\"local_search\">pump</call_tool>";
    String again = "<think>t</think><state_evaluation>s</state_evaluation>" + call;
    for (PolicyModel policy : List.of(saying(PLAN + call, again), saying("<answer>x</answer>"))) {
      RetrievalBench.Figures figures =
          RetrievalBench.figures(
              RetrievalBench.run(corpus, policy, List.of(question(List.of(), List.of())), 10));
      assertEquals(1, figures.faults());
    }
  }

  @Test
  void the_neighbours_of_a_passage_can_be_asked_for_by_its_key() {
    Corpus corpus = new Same(List.of(RED, NO));
    PolicyModel policy =
        saying(
            PLAN + "<call_tool name=\"local_search\" around=\"a.html#0-5\">pump</call_tool>",
            REVIEW + "<answer><cite id=\"S_1\">No.</cite></answer>");
    List<RetrievalBench.Row> rows =
        RetrievalBench.run(corpus, policy, List.of(question(List.of("b.html"), List.of())), 10);
    assertTrue(rows.getFirst().policy().allPages());
  }

  @Test
  void the_questions_are_what_they_should_be() throws IOException {
    List<BenchQuestion> questions = RetrievalBench.questions();
    assertEquals(30, questions.size());
    assertEquals(30, questions.stream().map(BenchQuestion::id).distinct().count());
    assertEquals(5, questions.stream().filter(q -> !q.answerable()).count());
    assertEquals(3, questions.stream().filter(q -> !q.language().equals("en")).count());
    assertTrue(questions.stream().filter(q -> q.pages().size() > 1).count() >= 5);
    questions.forEach(q -> {
      assertEquals(q.answerable(), !q.pages().isEmpty() && !q.facts().isEmpty(), q.id());
      q.facts().forEach(Pattern::compile);
    });
    assertEquals(List.of(), BenchQuestion.read(new StringReader("\n \n")));
  }
}
