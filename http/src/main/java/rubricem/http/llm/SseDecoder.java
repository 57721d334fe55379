package rubricem.http.llm;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the bytes of an event stream into the {@code data} of its events, wherever the bytes are
 * cut: inside a character, a line ending or an event. Comments, ids and event names are passed
 * over, and so are events without data. One event may hold a bounded number of characters.
 */
final class SseDecoder {
  /** An event grew past the bound. */
  static final class TooLong extends Exception {
    TooLong(int bound) {
      super("one event of the stream is longer than " + bound + " characters");
    }
  }

  private final int eventChars;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8.newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private ByteBuffer rest = ByteBuffer.allocate(0);
  private final StringBuilder line = new StringBuilder();
  private final StringBuilder data = new StringBuilder();
  private boolean hasData;
  private boolean afterReturn;
  private boolean first = true;

  SseDecoder(int eventChars) {
    this.eventChars = eventChars;
  }

  List<String> feed(ByteBuffer bytes) throws TooLong {
    ByteBuffer in = ByteBuffer.allocate(rest.remaining() + bytes.remaining());
    in.put(rest).put(bytes).flip();
    CharBuffer out = CharBuffer.allocate(in.remaining() + 1);
    CoderResult result = decoder.decode(in, out, false);
    assert result.isUnderflow();
    rest = in.slice();
    List<String> events = new ArrayList<>();
    for (char c : out.flip().toString().toCharArray()) {
      accept(c, events);
    }
    return events;
  }

  /** What an ended stream left undispatched: some servers forget the last blank line. */
  List<String> end() throws TooLong {
    List<String> events = new ArrayList<>();
    onLine(events);
    dispatch(events);
    return events;
  }

  private void accept(char c, List<String> events) throws TooLong {
    if (first) {
      first = false;
      if (c == '\uFEFF') {
        return;
      }
    }
    boolean secondOfPair = afterReturn && c == '\n';
    afterReturn = c == '\r';
    if (secondOfPair) {
      return;
    }
    if (c == '\n' || c == '\r') {
      onLine(events);
    } else {
      if (line.length() + data.length() >= eventChars) {
        throw new TooLong(eventChars);
      }
      line.append(c);
    }
  }

  private void onLine(List<String> events) {
    if (line.isEmpty()) {
      dispatch(events);
    } else if (line.indexOf("data:") == 0) {
      int from = line.length() > 5 && line.charAt(5) == ' ' ? 6 : 5;
      if (hasData) {
        data.append('\n');
      }
      data.append(line, from, line.length());
      hasData = true;
    }
    line.setLength(0);
  }

  private void dispatch(List<String> events) {
    if (hasData && !data.toString().isBlank()) {
      events.add(data.toString());
    }
    data.setLength(0);
    hasData = false;
  }
}
