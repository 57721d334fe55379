package rubricem.actors.episode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.Searched;
import rubricem.protocol.port.CallFailure;
import rubricem.protocol.port.PolicyOutcome;
import rubricem.protocol.port.ToolOutcome;
import rubricem.protocol.report.ClaimVerdict;
import rubricem.protocol.report.SupportScore;

/**
 * What comes from outside, as it can be stored without loss: halves of surrogate pairs, which UTF-8
 * cannot hold, become U+FFFD, one for one, so that positions in a text stay; durations are whole
 * milliseconds. Done before anything is decided, so that what is decided, stored and read back is
 * the same. What is storable already is left as it is.
 */
final class StorableInput {
  private static final char REPLACEMENT = '\uFFFD';

  private StorableInput() {}

  static EpisodeInput of(EpisodeInput input) {
    return switch (input) {
      case EpisodeInput.Start s ->
          new EpisodeInput.Start(
              s.id(), request(s.request()), s.systemPrompt(), s.formatInstruction(), s.tools(),
              searched(s.corpus()));
      case EpisodeInput.PolicyFinished p ->
          new EpisodeInput.PolicyFinished(p.callId(), outcome(p.outcome()));
      case EpisodeInput.ToolFinished t ->
          new EpisodeInput.ToolFinished(t.callId(), outcome(t.outcome()));
      case EpisodeInput.CitationsScored c ->
          new EpisodeInput.CitationsScored(
              c.callId(), c.verdicts().stream().map(StorableInput::verdict).toList());
      case EpisodeInput.Resume r -> new EpisodeInput.Resume(text(r.policy()));
      case EpisodeInput.RetryDue due -> due;
      case EpisodeInput.Recovered recovered -> recovered;
      case EpisodeInput.TimePassed passed -> passed;
      case EpisodeInput.Finish finish -> finish;
      case EpisodeInput.Cancel cancel -> cancel;
    };
  }

  static String text(String text) {
    int i = 0;
    while (i < text.length() && !halfAt(text, i)) {
      i += Character.isHighSurrogate(text.charAt(i)) ? 2 : 1;
    }
    if (i >= text.length()) {
      return text;
    }
    StringBuilder whole = new StringBuilder(text);
    for (; i < text.length(); i++) {
      if (halfAt(text, i)) {
        whole.setCharAt(i, REPLACEMENT);
      } else if (Character.isHighSurrogate(text.charAt(i))) {
        i++;
      }
    }
    return whole.toString();
  }

  private static boolean halfAt(String text, int at) {
    char c = text.charAt(at);
    return Character.isLowSurrogate(c)
        || Character.isHighSurrogate(c)
            && (at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1)));
  }

  private static List<String> texts(List<String> texts) {
    return texts.stream().map(StorableInput::text).toList();
  }

  private static EpisodeRequest request(EpisodeRequest r) {
    Map<String, String> metadata = new LinkedHashMap<>();
    r.metadata().forEach((key, value) -> metadata.put(text(key), text(value)));
    return new EpisodeRequest(
        text(r.question()), r.format(), text(r.policy()), texts(r.sources()), texts(r.corpus()),
        r.limits(), r.seed(), metadata);
  }

  private static Searched searched(Searched s) {
    return new Searched(
        s.documents(), s.documentsTotal(), texts(s.unreadable()),
        s.unread().stream()
            .map(u -> new Searched.Unread(text(u.document()), u.kind(), text(u.detail())))
            .toList());
  }

  private static PolicyOutcome outcome(PolicyOutcome outcome) {
    return switch (outcome) {
      case PolicyOutcome.Generated g ->
          new PolicyOutcome.Generated(
              text(g.text()), g.thinking().map(StorableInput::text), g.finish(), g.usage(),
              text(g.modelVersion()), texts(g.notes()));
      case PolicyOutcome.Failed f ->
          new PolicyOutcome.Failed(failure(f.failure()), f.usage());
    };
  }

  private static ToolOutcome outcome(ToolOutcome outcome) {
    return switch (outcome) {
      case ToolOutcome.Found f ->
          new ToolOutcome.Found(
              f.passages().stream().map(StorableInput::passage).toList(), searched(f.searched()),
              texts(f.notes()));
      case ToolOutcome.Refused r -> new ToolOutcome.Refused(text(r.reason()));
      case ToolOutcome.Failed f -> new ToolOutcome.Failed(failure(f.failure()));
    };
  }

  private static Passage passage(Passage p) {
    return new Passage(
        text(p.document()), text(p.title()), text(p.url()), text(p.position()), p.from(), p.to(),
        text(p.text()), p.score(), p.note().map(StorableInput::text));
  }

  private static CallFailure failure(CallFailure failure) {
    return switch (failure) {
      case CallFailure.Transient t ->
          new CallFailure.Transient(
              text(t.kind()), text(t.message()),
              t.retryAfter().map(asked -> Duration.ofMillis(asked.toMillis())));
      case CallFailure.Terminal t -> new CallFailure.Terminal(text(t.kind()), text(t.message()));
    };
  }

  private static ClaimVerdict verdict(ClaimVerdict v) {
    SupportScore s = v.score();
    return new ClaimVerdict(
        v.claim(), v.snippetId(),
        new SupportScore(
            s.state(), text(s.quote()), s.lexical(), s.cosine(), texts(s.missingNumbers()),
            s.polarityDiffers()));
  }
}
