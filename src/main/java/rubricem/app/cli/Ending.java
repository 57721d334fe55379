package rubricem.app.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.file.Path;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.report.ReportMarkdown;

/** What a command that ran an episode prints at its end, and its exit code. */
record Ending(Console console, boolean json, Path output, String sameFolder) {

  int of(EpisodeView view) {
    if (json) {
      try {
        console.out(TerminalText.json(DurableFormat.json().writeValueAsString(view)) + "\n");
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("an episode cannot be written as JSON", e);
      }
    } else {
      view.report().ifPresent(report -> console.out(ReportMarkdown.render(report)));
    }
    if (output != null && view.report().isPresent()) {
      ReportFile.write(output, view, sameFolder);
      console.say("written to " + output);
    }
    return switch (view.status()) {
      case COMPLETED ->
          view.outcome().filter(o -> o == EpisodeOutcome.NO_EVIDENCE).isPresent()
              ? Failure.NO_EVIDENCE
              : 0;
      case FAILED -> failed(view);
      case CANCELLED -> {
        console.warn("The episode was cancelled.");
        yield Failure.WORK_FAILED;
      }
      case QUEUED, RUNNING -> Failure.WORK_FAILED;
    };
  }

  private int failed(EpisodeView view) {
    var error = view.error().orElseThrow();
    String goOn = "go on with  ./rubricem ask --resume " + view.id() + sameFolder;
    console.warn(
        "The episode failed (" + error.kind() + "): " + error.message() + ". "
            + (error.kind().equals("unreachable")
                ? "See what is wrong with  ./rubricem doctor --policy '" + view.policy().spec()
                    + "'  and " + goOn + "  or name another model with --policy."
                : "What it found is kept; " + goOn));
    return Failure.WORK_FAILED;
  }
}
