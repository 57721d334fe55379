package rubricem.gpu.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import rubricem.gpu.text.ChatMessage;
import rubricem.gpu.text.ChatRole;
import rubricem.gpu.text.ChatTemplate;
import rubricem.gpu.text.QwenTokenizer;
import rubricem.protocol.port.PolicyMessage;
import rubricem.protocol.port.PolicyRequest;

/**
 * The history of an episode as tokens. Turns of the policy stand in it as they were drawn, thoughts
 * included; neighbouring texts of others become one message of the user, and nothing in them is a
 * control token.
 */
final class TurnPrompt {
  /** Stands for a turn in the rendered text; no text can hold it, for it is half a character. */
  private static final String PLACE = "\udc00";

  private final QwenTokenizer tokenizer;
  private final SampledTurns turns;

  TurnPrompt(QwenTokenizer tokenizer, SampledTurns turns) {
    this.tokenizer = tokenizer;
    this.turns = turns;
  }

  /** For turns that nobody drew. */
  TurnPrompt(QwenTokenizer tokenizer) {
    this(tokenizer, new SampledTurns(0));
  }

  int[] tokens(PolicyRequest request) {
    return tokens(
        request.systemPrompt(), request.messages(), text -> turns.find(request.episode(), text));
  }

  /** @param drawn a turn as it was drawn, where that is known */
  int[] tokens(
      String systemPrompt, List<PolicyMessage> history,
      Function<String, Optional<int[]>> drawn) {
    List<ChatMessage> messages = new ArrayList<>();
    List<String> said = new ArrayList<>();
    if (!systemPrompt.isBlank()) {
      messages.add(ChatMessage.system(systemPrompt));
    }
    for (PolicyMessage message : history) {
      switch (message) {
        case PolicyMessage.User user -> addUser(messages, user.text());
        case PolicyMessage.ToolOutput output -> addUser(messages, output.text());
        case PolicyMessage.Assistant turn -> {
          // reasoning that is known to be none: the template then leaves the content as it is
          messages.add(new ChatMessage(ChatRole.ASSISTANT, PLACE, "", List.of()));
          said.add(turn.text());
        }
      }
    }
    String[] between = ChatTemplate.prompt(messages).split(PLACE, -1);
    List<int[]> parts = new ArrayList<>();
    for (int i = 0; i < between.length; i++) {
      parts.add(tokenizer.encode(between[i]));
      if (i < said.size()) {
        String turn = said.get(i);
        parts.add(drawn.apply(turn).orElseGet(() -> written(turn)));
      }
    }
    return parts.stream().flatMapToInt(Arrays::stream).toArray();
  }

  /** A turn that nobody drew here. */
  int[] written(String turn) {
    return tokenizer.encode(OutsideTokens.harmless(turn));
  }

  private static void addUser(List<ChatMessage> messages, String text) {
    String harmless = OutsideTokens.harmless(text).replace(PLACE, "\ufffd");
    if (!messages.isEmpty() && messages.getLast().role() == ChatRole.USER) {
      String before = messages.removeLast().content();
      messages.add(ChatMessage.user(before + "\n\n" + harmless));
    } else {
      messages.add(ChatMessage.user(harmless));
    }
  }
}
