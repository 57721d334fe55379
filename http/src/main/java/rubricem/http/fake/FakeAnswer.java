package rubricem.http.fake;

import java.util.List;

/**
 * What a well-behaved model says, before the server cuts and packs it: the stand-in applies the
 * request's {@code stop}, output limit and {@code stream} to it as a real server would.
 *
 * @param thinking where it is delivered is up to {@code thinkingAs}
 * @param chunkChars how many characters a delta holds; small values cut stop texts in two
 * @param toolCalls complete calls
 */
public record FakeAnswer(
    String content,
    String thinking,
    ThinkingAs thinkingAs,
    int chunkChars,
    List<FakeToolCall> toolCalls,
    boolean withUsage) {

  private static final int CHUNK_CHARS = 24;

  public FakeAnswer {
    chunkChars = Math.max(1, chunkChars);
  }

  /** How servers deliver thinking. */
  public enum ThinkingAs {
    INLINE,
    REASONING_CONTENT,
    REASONING,
    BOTH
  }

  /** @param arguments JSON text */
  public record FakeToolCall(String id, String name, String arguments) {}

  public static FakeAnswer text(String content) {
    return new FakeAnswer(content, "", ThinkingAs.INLINE, CHUNK_CHARS, List.of(), true);
  }

  public FakeAnswer thinking(String text, ThinkingAs as) {
    return new FakeAnswer(content, text, as, chunkChars, toolCalls, withUsage);
  }

  public FakeAnswer inChunksOf(int chars) {
    return new FakeAnswer(content, thinking, thinkingAs, chars, toolCalls, withUsage);
  }

  public FakeAnswer calling(FakeToolCall... calls) {
    return new FakeAnswer(content, thinking, thinkingAs, chunkChars, List.of(calls), withUsage);
  }

  public FakeAnswer withoutUsage() {
    return new FakeAnswer(content, thinking, thinkingAs, chunkChars, toolCalls, false);
  }
}
