package rubricem.gpu.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A conversation as the text that Qwen3 was trained on, character by character what its published
 * template renders. Thoughts stand only in answers to the last question of a user, where a tool
 * result, also one written into a user message, is no question; the last answer has a think element
 * even when it is empty. Pure. It escapes nothing: control tokens in a message reach the prompt.
 */
public final class ChatTemplate {
  private static final String START = "<|im_start|>";
  /** The mark at the end of every turn. */
  public static final String TURN_END = "<|im_end|>";

  private static final String END = TURN_END + "\n";
  private static final String THINK = "<think>";
  private static final String THINK_END = "</think>";
  private static final String RESPONSE = "<tool_response>";
  private static final String RESPONSE_END = "</tool_response>";

  private static final String TOOLS_BEFORE =
      """
      # Tools

      You may call one or more functions to assist with the user query.

      You are provided with function signatures within <tools></tools> XML tags:
      <tools>""";

  private static final String TOOLS_AFTER =
      """

      </tools>

      For each function call, return a json object with function name and arguments within \
      <tool_call></tool_call> XML tags:
      <tool_call>
      {"name": <function-name>, "arguments": <args-json-object>}
      </tool_call>""";

  private final List<ChatMessage> messages;
  private final Predicate<ChatMessage> verbatim;
  private final StringBuilder out = new StringBuilder();
  private final List<ChatPiece> pieces = new ArrayList<>();
  private int cut;

  private ChatTemplate(List<ChatMessage> messages, Predicate<ChatMessage> verbatim) {
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("a conversation has at least one message");
    }
    this.messages = List.copyOf(messages);
    this.verbatim = verbatim;
  }

  /**
   * @param tools declarations of functions, printed into the system message
   * @param askForAnswer ends with the head of an assistant's message
   * @param thinking false puts an empty think element there, which makes the model answer at once
   */
  public static String render(
      List<ChatMessage> messages, List<JsonNode> tools, boolean askForAnswer, boolean thinking) {
    ChatTemplate template = new ChatTemplate(messages, message -> false);
    template.whole(tools);
    if (askForAnswer) {
      template.out.append(START).append("assistant\n");
      template.out.append(thinking ? "" : "<think>\n\n</think>\n\n");
    }
    return template.out.toString();
  }

  /**
   * A finished conversation in pieces that, put together, are what {@link #render} gives. Cut at
   * what an assistant has to say itself: from behind the head of its message, which a prompt ends
   * with, to the token that ends it.
   *
   * @param verbatim the assistants' messages that stand as they are, thoughts not rearranged
   */
  public static List<ChatPiece> pieces(
      List<ChatMessage> messages, List<JsonNode> tools, Predicate<ChatMessage> verbatim) {
    ChatTemplate template = new ChatTemplate(messages, verbatim);
    template.whole(tools);
    template.cut(ChatPiece.NOBODY);
    return List.copyOf(template.pieces);
  }

  private void whole(List<JsonNode> tools) {
    head(tools);
    int lastQuestion = lastQuestion();
    for (int i = 0; i < messages.size(); i++) {
      message(i, lastQuestion);
    }
  }

  private void cut(int speaker) {
    if (out.length() > cut) {
      pieces.add(new ChatPiece(out.substring(cut), speaker));
      cut = out.length();
    }
  }

  /** Without tools, asking for an answer that may think. */
  public static String prompt(List<ChatMessage> messages) {
    return render(messages, List.of(), true, true);
  }

  private void head(List<JsonNode> tools) {
    ChatMessage first = messages.getFirst();
    boolean system = first.role() == ChatRole.SYSTEM;
    if (tools.isEmpty()) {
      if (system) {
        plain("system", first.content());
      }
      return;
    }
    StringBuilder content = new StringBuilder(system ? first.content() + "\n\n" : "");
    content.append(TOOLS_BEFORE);
    for (JsonNode tool : tools) {
      content.append('\n');
      PythonJson.write(tool, content);
    }
    plain("system", content.append(TOOLS_AFTER).toString());
  }

  private int lastQuestion() {
    for (int i = messages.size() - 1; i >= 0; i--) {
      ChatMessage message = messages.get(i);
      boolean result =
          message.content().startsWith(RESPONSE) && message.content().endsWith(RESPONSE_END);
      if (message.role() == ChatRole.USER && !result) {
        return i;
      }
    }
    return messages.size() - 1;
  }

  private void message(int index, int lastQuestion) {
    ChatMessage message = messages.get(index);
    switch (message.role()) {
      case SYSTEM -> {
        if (index > 0) {
          plain("system", message.content());
        }
      }
      case USER -> plain("user", message.content());
      case ASSISTANT -> assistant(message, index, lastQuestion);
      case TOOL -> toolResult(message, index);
    }
  }

  private void plain(String role, String content) {
    out.append(START).append(role).append('\n').append(content).append(END);
  }

  private void assistant(ChatMessage message, int index, int lastQuestion) {
    out.append(START).append("assistant\n");
    cut(ChatPiece.NOBODY);
    if (verbatim.test(message)) {
      out.append(message.content());
      toolCalls(message.toolCalls(), message.content().isEmpty());
    } else {
      answer(message, index, lastQuestion);
    }
    out.append(END, 0, END.length() - 1);
    cut(index);
    out.append(END, END.length() - 1, END.length());
  }

  private void answer(ChatMessage message, int index, int lastQuestion) {
    String content = message.content();
    String reasoning = message.reasoning();
    if (reasoning == null) {
      int first = content.indexOf(THINK_END);
      reasoning = "";
      if (first >= 0) {
        String before = withoutLinesBehind(content.substring(0, first));
        int open = before.lastIndexOf(THINK);
        reasoning = open < 0 ? before : before.substring(open + THINK.length());
        content = content.substring(content.lastIndexOf(THINK_END) + THINK_END.length());
        content = withoutLinesBefore(content);
        reasoning = withoutLinesBefore(reasoning);
      }
    }
    boolean last = index == messages.size() - 1;
    if (index > lastQuestion && (last || !reasoning.isEmpty())) {
      out.append("<think>\n").append(withoutLinesBehind(withoutLinesBefore(reasoning)));
      out.append("\n</think>\n\n").append(withoutLinesBefore(content));
    } else {
      out.append(content);
    }
    toolCalls(message.toolCalls(), content.isEmpty());
  }

  private void toolCalls(List<ChatToolCall> calls, boolean alone) {
    for (int i = 0; i < calls.size(); i++) {
      ChatToolCall call = calls.get(i);
      out.append(i == 0 && alone ? "" : "\n");
      out.append("<tool_call>\n{\"name\": \"").append(call.name()).append("\", \"arguments\": ");
      if (call.arguments().isTextual()) {
        out.append(call.arguments().textValue());
      } else {
        PythonJson.write(call.arguments(), out);
      }
      out.append("}\n</tool_call>");
    }
  }

  /** Results in a row share one message of the user. */
  private void toolResult(ChatMessage message, int index) {
    if (index == 0 || messages.get(index - 1).role() != ChatRole.TOOL) {
      out.append(START).append("user");
    }
    out.append('\n').append(RESPONSE).append('\n').append(message.content());
    out.append('\n').append(RESPONSE_END);
    if (index == messages.size() - 1 || messages.get(index + 1).role() != ChatRole.TOOL) {
      out.append(END);
    }
  }

  private static String withoutLinesBefore(String text) {
    int from = 0;
    while (from < text.length() && text.charAt(from) == '\n') {
      from++;
    }
    return text.substring(from);
  }

  private static String withoutLinesBehind(String text) {
    int to = text.length();
    while (to > 0 && text.charAt(to - 1) == '\n') {
      to--;
    }
    return text.substring(0, to);
  }
}
