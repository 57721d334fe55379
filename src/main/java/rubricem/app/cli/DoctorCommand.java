package rubricem.app.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import rubricem.app.node.Embedding;
import rubricem.app.node.NodePolicies;
import rubricem.app.node.NodeSettings;
import rubricem.persistence.serialization.DurableFormat;

/** {@code doctor}: looks at everything an episode needs and says what is wrong with each. */
@Command(
    name = "doctor",
    description = "Tests Java, data folder, database, corpus, embedding model and policy, and says"
        + " what to do about what is wrong.",
    footer = {
      "",
      "Makes no file and disturbs no running node. A model server is asked for its models and one"
          + " tiny answer. Exit code 1 where something is wrong.",
      "",
      "Example:",
      "  ./rubricem doctor --policy openai:http://localhost:8000/v1#my-model"
    },
    abbreviateSynopsis = true,
    sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
  private static final int MESSAGE_COLUMNS = 400;

  @Option(
      names = "--policy", paramLabel = "SPEC", defaultValue = NodePolicies.EXTRACTIVE,
      description = "The policy to test, as for ask. Default: extractive")
  private String policy;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() {
    NodeSettings settings = common.settings();
    Console console = common.console();
    List<Finding> findings = new ArrayList<>();
    try (Embedding embedding = new Embedding(settings.vectorsKept())) {
      // it loads while the others are looked at; two threads must not set up the log at once
      LoggerFactory.getILoggerFactory();
      embedding.model();
      Examination examination = new Examination(settings, common.config(), embedding);
      List<Callable<Finding>> all =
          List.of(
              examination::java, examination::folder, examination::database,
              examination::corpus, examination::embedding,
              () -> examination.policy(policy, Keys.openai(), Clock.systemUTC()));
      for (Callable<Finding> one : all) {
        Finding finding = Finding.of(one);
        findings.add(finding);
        if (!common.json) {
          console.out(line(finding));
        }
      }
    }
    boolean ok = findings.stream().allMatch(Finding::ok);
    if (common.json) {
      console.out(TerminalText.json(json(ok, findings).toString()) + "\n");
    }
    return ok ? 0 : Failure.WORK_FAILED;
  }

  private static String line(Finding f) {
    return String.format(
        "%-8s %-12s %s%n", f.ok() ? "ok" : "problem", f.name(),
        TerminalText.line(f.message(), MESSAGE_COLUMNS));
  }

  private static ObjectNode json(boolean ok, List<Finding> findings) {
    ObjectNode node = DurableFormat.json().createObjectNode().put("ok", ok);
    node.set("checks", DurableFormat.json().valueToTree(findings));
    return node;
  }
}
