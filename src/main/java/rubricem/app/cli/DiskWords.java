package rubricem.app.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What a failure of reading or writing means to a user; Java's own message is often a bare path. */
final class DiskWords {
  private DiskWords() {}

  static String of(IOException e) {
    return switch (e) {
      case AccessDeniedException denied ->
          denied.getFile() + " may not be read or written by this user.";
      case NoSuchFileException gone -> gone.getFile() + " is not there.";
      case FileAlreadyExistsException taken -> taken.getFile() + " is in the way; name another.";
      case FileSystemException other when other.getReason() != null ->
          other.getFile() + ": " + other.getReason() + ".";
      default -> sentence(String.valueOf(e.getMessage()));
    };
  }

  /** The system's words for a failed write name no file, and end without a stop. */
  private static String sentence(String message) {
    if (message.contains("No space left") || message.contains("Disk quota")) {
      return "The disk is full (" + message + ").";
    }
    return message.endsWith(".") ? message : message + ".";
  }
}
