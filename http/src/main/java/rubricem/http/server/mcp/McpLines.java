package rubricem.http.server.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import rubricem.http.server.Edge;
import rubricem.http.server.Problem;
import rubricem.http.server.StrictJson;
import rubricem.protocol.port.Corpus;

/**
 * The protocol over lines: one message a line in, one a line out. Messages are answered as they are
 * ready, so that a call that waits holds no other back. The end of the input is the end of the
 * conversation; what was asked before it is still answered.
 */
public final class McpLines {
  /** A question in four bytes a character, escaped, and the rest of its call. */
  private static final int LINE_CHARS_MAX = 1_048_576;

  /** Messages that are being answered; a host that sends more waits. */
  private static final int AT_ONCE = 64;

  private final McpConversation conversation;
  private final String session;

  public McpLines(Edge edge, McpDoorSettings settings, Supplier<Corpus> corpus) {
    this.conversation = new McpConversation(edge, settings, corpus);
    this.session = McpSession.of(edge.ports().ids().get());
  }

  /** Answers until the input ends. @param out takes one line without its end, one at a time */
  public void run(BufferedReader in, Consumer<String> out) throws IOException {
    Phaser open = new Phaser(1);
    Semaphore places = new Semaphore(AT_ONCE);
    for (String line = line(in); line != null; line = line(in)) {
      if (line.isBlank()) {
        continue;
      }
      places.acquireUninterruptibly();
      open.register();
      answer(line, out)
          .whenComplete(
              (done, failure) -> {
                places.release();
                open.arriveAndDeregister();
              });
    }
    open.arriveAndAwaitAdvance();
  }

  private java.util.concurrent.CompletionStage<Void> answer(String line, Consumer<String> out) {
    if (line.length() > LINE_CHARS_MAX) {
      return said(
          out, ErrorCodes.INVALID_REQUEST,
          "The line is too long: a message may have " + LINE_CHARS_MAX
              + " characters. Put long material into the documents.");
    }
    JsonNode message;
    try {
      message = StrictJson.read(line, "The line");
    } catch (Problem.Refusal refusal) {
      boolean isJson = refusal.problem().kind() == Problem.Kind.JSON_BEYOND_LIMIT;
      return said(
          out, isJson ? ErrorCodes.INVALID_REQUEST : ErrorCodes.PARSE_ERROR,
          refusal.problem().detail());
    }
    return conversation.answer(message, session)
        .thenAccept(answer -> answer.ifPresent(text -> say(out, text)));
  }

  private java.util.concurrent.CompletionStage<Void> said(
      Consumer<String> out, int code, String text) {
    say(out, McpConversation.errorJson(code, text));
    return java.util.concurrent.CompletableFuture.completedStage(null);
  }

  private synchronized void say(Consumer<String> out, String text) {
    out.accept(text);
  }

  /** A line; what is beyond the bound is read and dropped. Null at the end. */
  private static @org.jspecify.annotations.Nullable String line(BufferedReader in)
      throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    if (c < 0) {
      return null;
    }
    for (; c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() <= LINE_CHARS_MAX) {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
