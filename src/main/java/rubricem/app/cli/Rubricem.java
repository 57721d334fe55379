package rubricem.app.cli;

import com.typesafe.config.ConfigException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import rubricem.app.node.SystemUnstartable;
import rubricem.persistence.folder.DataFolder.FolderUnusable;
import rubricem.persistence.journal.JournalUnusable;
import rubricem.persistence.serialization.UnknownKind;

/** The command line: its commands, and how every failure becomes one paragraph and a code. */
@Command(
    name = "./rubricem",
    description = "Researches questions in your documents; every step is kept and can be replayed.",
    abbreviateSynopsis = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:The work failed: no document could be read, the model cannot be used, a check found"
          + " something.",
      "2:Wrong usage: an option, an id or a configuration key that is not known. Nothing was"
          + " begun.",
      "3:ask only: finished, but the documents hold no evidence for the question.",
      "130:Interrupted (Ctrl-C). Nothing is lost; the same command goes on."
    },
    footer = {
      "",
      "Examples:",
      "  ./rubricem ask \"How is the lamp lit?\" --corpus ~/papers",
      "  ./rubricem ask \"How is the lamp lit?\" --corpus ~/papers --output report.html \\",
      "      --policy openai:http://localhost:8000/v1#my-model",
      "  ./rubricem episodes     what was asked so far, with the ids",
      "  ./rubricem replay ID    what happened in one of them, event by event",
      "",
      "Progress goes to standard error, results go to standard output.",
      "./rubricem COMMAND --help tells more; ./rubricem test runs the whole test suite."
    },
    subcommands = {
      AskCommand.class, ServeCommand.class, McpCommand.class, IndexCommand.class, EpisodesCommand.class,
      ReplayCommand.class, SftCommand.class,
      DoctorCommand.class, GenerateCommand.class, TrainStepCommand.class,
      VerifyLearnerCommand.class, ExportScriptCommand.class, FakesCommand.class,
      BenchCommand.class, WarmUpCommand.class})
public final class Rubricem {
  @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this help.")
  private boolean help;

  private Rubricem() {}

  public static int run(String[] args) {
    // libraries that log through java.util.logging would write to the terminal
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    CommandLine line = new CommandLine(new Rubricem());
    line.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
    line.setParameterExceptionHandler((e, given) -> misused(e));
    // a question may begin with an at sign
    line.setExpandAtFiles(false);
    line.setUsageHelpAutoWidth(true);
    if (args.length == 0) {
      line.usage(line.getErr());
      return Failure.USAGE;
    }
    return line.execute(args);
  }

  private static int misused(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String message = e.getMessage();
    if (e instanceof UnmatchedArgumentException unmatched
        && unmatched.getUnmatched().stream().noneMatch(word -> word.startsWith("-"))) {
      String word = unmatched.getUnmatched().getFirst();
      message =
          command.getParent() == null
              ? "There is no command \"" + word + "\"."
              : "\"" + word + "\" is too much; text with blanks in it belongs in quotes.";
    }
    say(command, message);
    say(command, "See: " + command.getCommandSpec().qualifiedName() + " --help");
    return Failure.USAGE;
  }

  private static void say(CommandLine command, String text) {
    command.getErr().println(TerminalText.lines(text));
  }

  private static int failed(Exception e, CommandLine command) {
    Throwable cause = e;
    while (cause != null) {
      if (cause instanceof Failure failure) {
        say(command, failure.getMessage());
        return failure.code();
      }
      if (cause instanceof FolderUnusable
          || cause instanceof JournalUnusable
          || cause instanceof UnknownKind) {
        say(command, cause.getMessage());
        return Failure.WORK_FAILED;
      }
      if (cause instanceof OutOfMemoryError) {
        LoggerFactory.getLogger(Rubricem.class).warn("the memory is too small", e);
        say(command, tooLittleMemory(Runtime.getRuntime().maxMemory(), cause.getMessage()));
        return Failure.WORK_FAILED;
      }
      cause = cause.getCause();
    }
    Optional<String> misconfigured = misconfigured(e);
    if (misconfigured.isPresent()) {
      LoggerFactory.getLogger(Rubricem.class).warn("the configuration cannot be used", e);
      say(command, misconfigured.get());
      return Failure.USAGE;
    }
    LoggerFactory.getLogger(Rubricem.class).error("a command failed", e);
    say(
        command,
        "Something went wrong inside RubricEM: " + e + ". The log in the data folder has the"
            + " details; please report it.");
    return Failure.WORK_FAILED;
  }

  /** @param heap the most Java may have, bytes */
  static String tooLittleMemory(long heap, String reason) {
    return String.format(
        Locale.ROOT,
        "There is too little memory for this: Java may have %.1f GB (%s). RUBRICEM_HEAP=%dg before"
            + " the command gives it more.",
        heap / 1e9, reason, 2 * Math.max(1, Math.round(heap / (double) (1L << 30))));
  }

  /** What Pekko does not take, which reads its keys only when it starts. */
  private static Optional<String> misconfigured(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SystemUnstartable failure) {
        Optional<String> problem = StartProblem.of(failure);
        if (problem.isPresent()) {
          return problem;
        }
      }
      if (cause instanceof ConfigException) {
        return Optional.of("The configuration cannot be used: " + cause.getMessage());
      }
    }
    return Optional.empty();
  }
}
