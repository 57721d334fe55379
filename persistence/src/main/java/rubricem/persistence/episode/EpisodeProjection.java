package rubricem.persistence.episode;

import java.util.List;
import java.util.Optional;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.episode.FinishCause;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.report.BoundAnswer;
import rubricem.protocol.report.CheckedAnswer;
import rubricem.protocol.report.CitationBinding;
import rubricem.protocol.report.CitationCheck;
import rubricem.protocol.report.ReportInput;
import rubricem.protocol.report.ReportModel;
import rubricem.protocol.report.ReportUsage;

/** The episode as it is shown, from its state alone: the same on every node and in a replay. */
public final class EpisodeProjection {
  private EpisodeProjection() {}

  public static EpisodeView view(EpisodeState state) {
    Optional<ReportModel> report = report(state);
    var request = state.request();
    EpisodeUsage u = state.usage();
    return new EpisodeView(
        state.id(),
        state.status(),
        state.outcome(),
        state.stage(),
        request.question(),
        request.format(),
        new EpisodeView.Policy(state.policy(), state.modelVersion()),
        EpisodeTexts.plan(state)
            .map(
                p -> new EpisodeView.Plan(p.deepAnalysis(), p.rubric(), p.researchPlan())),
        EpisodeTexts.review(state)
            .map(r -> new EpisodeView.Review(r.rubricReview(), r.writingPlan())),
        answer(state, report),
        report.map(ReportModel::citations).orElse(List.of()),
        report.map(ReportModel::citationCheck).orElse(CitationCheck.NONE),
        sources(state),
        searched(state),
        new EpisodeView.Usage(
            u.modelCalls(), u.toolCalls(), u.promptTokens(), u.completionTokens(), u.costUsd(),
            u.repeatedCalls(), u.violations()),
        request.limits(),
        state.failure().map(f -> new EpisodeView.Failure(f.error(), f.message())),
        state.finish(),
        request.metadata(),
        state.start().at(),
        Optional.of(state.start().at()),
        state.endedAt(),
        state.events(),
        report);
  }

  private static Optional<EpisodeView.Answer> answer(
      EpisodeState state, Optional<ReportModel> report) {
    return EpisodeTexts.answer(state)
        .filter(text -> state.outcome().isPresent())
        .map(text -> new EpisodeView.Answer(text, report.map(ReportModel::answer).orElse("")));
  }

  private static List<EpisodeView.Source> sources(EpisodeState state) {
    return state.evidence().stream()
        .map(
            s ->
                new EpisodeView.Source(
                    s.id(), s.passage().title(), s.passage().url(), s.tool(),
                    s.callId().value()))
        .toList();
  }

  /** The report; empty until the episode has come to an outcome. */
  public static Optional<ReportModel> report(EpisodeState state) {
    if (state.outcome().isEmpty()) {
      return Optional.empty();
    }
    EpisodeUsage u = state.usage();
    BoundAnswer bound =
        CitationBinding.bind(EpisodeTexts.answer(state).orElse(""), state.evidence());
    return Optional.of(
        ReportModel.of(
            new ReportInput(
                state.id().value(), state.request().question(), state.request().format(),
                state.outcome().get().label(), new CheckedAnswer(bound, state.verdicts()),
                searched(state), queries(state), List.of(),
                state.finish().filter(FinishCause::limit).map(FinishCause::label).stream()
                    .toList(),
                state.policy(), state.modelVersion(), Optional.of(state.start().at()),
                state.endedAt(),
                new ReportUsage(
                    u.modelCalls(), u.toolCalls(), u.promptTokens(), u.completionTokens(),
                    u.costUsd(), u.repeatedCalls()))));
  }

  /** What could have been searched is not searched before a search has come back. */
  private static Searched searched(EpisodeState state) {
    Searched all = state.searched();
    return state.foundSomething()
        ? all
        : new Searched(0, all.documentsTotal(), all.unreadable(), all.unread());
  }

  private static List<ReportInput.Query> queries(EpisodeState state) {
    return state.turns().stream()
        .filter(t -> t.reply() instanceof TurnRecord.Called)
        .map(t -> (TurnRecord.Called) t.reply())
        .filter(c -> c.outcome().orElse(null) instanceof TurnRecord.Found)
        .map(
            c -> {
              TurnRecord.Found found = (TurnRecord.Found) c.outcome().orElseThrow();
              return new ReportInput.Query(
                  c.call().tool(), c.call().query(), found.fresh().size() + found.again().size());
            })
        .toList();
  }
}
