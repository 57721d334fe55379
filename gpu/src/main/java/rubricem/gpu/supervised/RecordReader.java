package rubricem.gpu.supervised;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import rubricem.gpu.text.ChatMessage;
import rubricem.gpu.text.ChatPiece;
import rubricem.gpu.text.ChatTemplate;
import rubricem.protocol.learning.SupervisedRow;

/**
 * From a record of a data file to a row. A conversation is rendered in pieces, each piece is
 * encoded by itself, and the mask is that of the pieces: no text is ever searched for where a turn
 * begins, and nothing is decoded. What an assistant says stands as the template rearranges it, or,
 * in a record that is {@code verbatim}, as it is, every thought in its place: so an episode is
 * trained on what its policy is shown. A record of tokens is taken as it is. What is no record at all is
 * an {@link IllegalArgumentException} that says why.
 */
final class RecordReader {
  private static final String THOUGHTS_END = "</think>";

  private final RowSettings settings;
  private final int vocabulary;
  private final Function<String, int[]> encoder;
  private final OptionalInt end;
  private final MaskedSpans spans;

  /**
   * @param encoder from text to tokens, control tokens in it included
   * @param end the token that ends a text; empty where there is none, or where it is not certain
   */
  RecordReader(
      RowSettings settings, int vocabulary, Function<String, int[]> encoder, OptionalInt end) {
    this.settings = settings;
    this.vocabulary = vocabulary;
    this.encoder = encoder;
    this.end = end;
    spans = new MaskedSpans(settings.maskedSpans());
  }

  Reading read(String id, JsonNode record) {
    return switch (RecordLayout.of(record)) {
      case RecordLayout.Tokens(JsonNode ids, JsonNode mask) -> tokens(id, ids, mask);
      case RecordLayout.Conversation conversation -> conversation(id, conversation);
      case RecordLayout.Continuation(String prompt, String completion) ->
          continuation(id, prompt, completion);
    };
  }

  /** Each text is encoded by itself, for so it is when it goes on from a prompt. */
  private Reading continuation(String id, String prompt, String completion) {
    if (end.isEmpty()) {
      throw new IllegalArgumentException(
          "\"prompt\" and \"completion\" are texts, and the model's config.json does not name the"
              + " one token that ends a text (eos_token_id); write a conversation, "
              + RecordLayout.RIGHT);
    }
    Growing row = new Growing();
    row.add(encoded(prompt), false);
    int[] written = encoded(completion);
    row.add(written, true);
    if (written.length == 0 || written[written.length - 1] != end.getAsInt()) {
      row.add(new int[] {end.getAsInt()}, true);
    }
    return row.finish(id);
  }

  private Reading tokens(String id, JsonNode ids, JsonNode mask) {
    if (mask.size() != ids.size()) {
      throw new IllegalArgumentException(
          "\"ids\" has " + ids.size() + " elements and \"mask\" " + mask.size());
    }
    Growing row = new Growing();
    for (int i = 0; i < mask.size(); i++) {
      JsonNode token = ids.get(i);
      if (!token.isInt() || token.intValue() < 0 || token.intValue() >= vocabulary) {
        throw new IllegalArgumentException(
            "\"ids\" holds " + token + ", and the model has the tokens 0 to " + (vocabulary - 1));
      }
      JsonNode flag = mask.get(i);
      boolean trained = flag.isBoolean() ? flag.booleanValue() : flag.asInt(-1) == 1;
      if (!flag.isBoolean() && !(flag.isInt() && (trained || flag.intValue() == 0))) {
        throw new IllegalArgumentException(
            "\"mask\" holds " + flag + "; 0 and 1 are known, and true and false");
      }
      row.add(new int[] {token.intValue()}, trained);
    }
    return row.finish(id);
  }

  private Reading conversation(String id, RecordLayout.Conversation record) {
    List<JsonNode> given = record.messages();
    List<ChatMessage> messages = ChatMessage.list(given);
    if (ControlTokens.in(messages) || ControlTokens.inTools(record.tools())) {
      return new Reading.Omitted(Omission.CONTROL_TOKEN);
    }
    refuseLostThought(messages, record.verbatim());
    Growing row = new Growing();
    for (ChatPiece piece :
        ChatTemplate.pieces(
            messages, record.tools(), m -> record.verbatim() || isTrajectory(m))) {
      boolean spoken = piece.speaker() != ChatPiece.NOBODY;
      if (!spoken || !RecordLayout.learned(given.get(piece.speaker()))) {
        row.add(encoded(piece.text()), false);
        continue;
      }
      var stretches = spans.cut(piece.text());
      if (stretches.isEmpty()) {
        return new Reading.Omitted(Omission.UNPAIRED_SPAN);
      }
      for (MaskedSpans.Stretch stretch : stretches.get()) {
        row.add(encoded(stretch.text()), stretch.written());
      }
    }
    return row.finish(id);
  }

  /**
   * Several turns in one message, which the template would take for one with one thought: it would
   * drop all but the last.
   */
  private boolean isTrajectory(ChatMessage message) {
    String content = message.content();
    int first = content.indexOf(THOUGHTS_END);
    boolean several = first >= 0 && content.indexOf(THOUGHTS_END, first + 1) >= 0;
    return several || spans.occurIn(content);
  }

  /** What stands as it is has its thoughts in it, and one kept apart would be in no prompt. */
  private void refuseLostThought(List<ChatMessage> messages, boolean verbatim) {
    for (ChatMessage message : messages) {
      String thought = message.reasoning();
      if (thought != null && !thought.isBlank() && (verbatim || isTrajectory(message))) {
        throw new IllegalArgumentException(
            "a message has \"reasoning_content\", and its \"content\" stands as it is ("
                + (verbatim ? "\"verbatim\"" : "it is several turns in one")
                + "), so that the thought would be lost: write it into \"content\", <think>…"
                + THOUGHTS_END + " where it belongs");
      }
    }
  }

  /** A half of a pair would become a question mark, which would be trained on. */
  private int[] encoded(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          throw new IllegalArgumentException(
              "a text has half a character in it, \\u%04x without its other half"
                  .formatted((int) text.charAt(i)));
        }
        i++;
      }
    }
    return encoder.apply(text);
  }

  /** Tokens and mask of a row; beyond the most that is allowed they are only counted. */
  private final class Growing {
    private int[] ids = new int[256];
    private boolean[] mask = new boolean[256];
    private long size;

    void add(int[] tokens, boolean trained) {
      for (int token : tokens) {
        if (token >= vocabulary) {
          throw new IllegalArgumentException(
              "the tokenizer gives token " + token + ", and the model has only " + vocabulary);
        }
        if (size == ids.length && size < settings.tokensMax()) {
          ids = java.util.Arrays.copyOf(ids, 2 * ids.length);
          mask = java.util.Arrays.copyOf(mask, 2 * mask.length);
        }
        if (size < ids.length) {
          ids[(int) size] = token;
          // nothing stands before the first token that it could be predicted by
          mask[(int) size] = trained && size > 0;
        }
        size++;
      }
    }

    Reading finish(String id) {
      if (size > settings.tokensMax()) {
        return new Reading.Omitted(Omission.TOO_LONG);
      }
      SupervisedRow row =
          new SupervisedRow(
              id, java.util.Arrays.copyOf(ids, (int) size),
              java.util.Arrays.copyOf(mask, (int) size));
      return row.trainedTokens() == 0
          ? new Reading.Omitted(Omission.NOTHING_TO_TRAIN)
          : new Reading.Row(row);
    }
  }
}
