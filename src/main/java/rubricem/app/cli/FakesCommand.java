package rubricem.app.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import rubricem.http.fake.FakeModelServer;
import rubricem.http.fake.FakeScript;
import rubricem.persistence.serialization.DurableFormat;

/** {@code fakes}: stand-ins for outside services, for people who develop against us. */
@Command(
    name = "fakes",
    description = "Serves a stand-in for a model server until interrupted: it speaks Chat"
        + " Completions, searches and quotes, and needs no model. For people who develop against"
        + " RubricEM.",
    abbreviateSynopsis = true,
    sortOptions = false)
final class FakesCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;

  @Option(
      names = "--port", paramLabel = "N",
      description = "Where on 127.0.0.1; 0 (default) takes a free one.")
  private int port;

  @Mixin private CommonOptions common;

  @Override
  public Integer call() {
    if (port < 0 || port > PORT_MAX) {
      throw Failure.usage("--port must be from 0 to " + PORT_MAX + ".");
    }
    Console console = common.console();
    try (FakeModelServer fake = FakeModelServer.start(port, FakeScript.researcher())) {
      String policy = "openai:" + fake.baseUrl() + "#fake";
      if (common.json) {
        console.out(
            DurableFormat.json().createObjectNode().put("base_url", fake.baseUrl().toString())
                .put("policy", policy) + "\n");
      } else {
        console.out(
            "A model that researches and answers any question is served at " + fake.baseUrl()
                + "\n\n  ./rubricem ask \"QUESTION\" --corpus PATH --policy '" + policy + "'\n\n");
      }
      console.say("Ctrl-C ends it.");
      // nothing else ends this command
      new CountDownLatch(1).await();
      return 0;
    } catch (IOException e) {
      throw Failure.work(
          "The stand-in cannot be served on port " + port + " (" + e.getMessage()
              + "). Choose another one with --port, or 0 for a free one.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
