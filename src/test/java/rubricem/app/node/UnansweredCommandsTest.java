package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import rubricem.protocol.port.StorageUnavailable;

/** Who waits for a command, and what ends it. */
class UnansweredCommandsTest {
  private final UnansweredCommands commands = new UnansweredCommands();

  @Test
  void whoever_waits_is_told_and_a_late_reply_changes_nothing() {
    CompletableFuture<String> reply = new CompletableFuture<>();
    CompletableFuture<String> heard = commands.heard(reply).toCompletableFuture();
    commands.giveUp();
    reply.complete("late");
    CompletionException told = assertThrows(CompletionException.class, heard::join);
    assertInstanceOf(StorageUnavailable.class, told.getCause());
  }

  @Test
  void a_reply_that_came_stays() {
    CompletableFuture<String> reply = new CompletableFuture<>();
    CompletableFuture<String> heard = commands.heard(reply).toCompletableFuture();
    reply.complete("stored");
    commands.giveUp();
    assertEquals("stored", heard.join());
  }

  @Test
  void a_command_after_it_waits_for_its_reply() {
    commands.giveUp();
    CompletableFuture<String> reply = new CompletableFuture<>();
    CompletableFuture<String> heard = commands.heard(reply).toCompletableFuture();
    assertFalse(heard.isDone());
    RuntimeException failure = new IllegalStateException("no");
    reply.completeExceptionally(failure);
    assertSame(failure, assertThrows(CompletionException.class, heard::join).getCause());
  }
}
