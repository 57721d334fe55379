package rubricem.app.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import rubricem.http.report.ReportHtml;
import rubricem.http.report.ReportPdf;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;

/** Writes a report to a file, in the form its ending names. */
final class ReportFile {
  private static final List<String> ENDINGS = List.of(".md", ".html", ".pdf", ".json");

  private ReportFile() {}

  static void check(Path file) {
    if (file != null && ENDINGS.stream().noneMatch(file.toString()::endsWith)) {
      throw Failure.usage("--output must end in .md, .html, .pdf or .json: " + file);
    }
    if (file != null && (Files.isDirectory(file) || !Files.isDirectory(folder(file)))) {
      throw Failure.usage(
          "--output names no file that can be written: " + file + ". Its folder must exist.");
    }
  }

  private static Path folder(Path file) {
    return file.toAbsolutePath().normalize().getParent();
  }

  /** @param sameFolder the option that names the data folder, for what to do where it fails */
  static void write(Path file, EpisodeView view, String sameFolder) {
    try {
      Files.write(file, bytes(file.toString(), view));
    } catch (IOException e) {
      throw Failure.work(
          "The report could not be written to " + file + " (" + e.getMessage()
              + "); it is kept: ./rubricem ask --resume " + view.id() + sameFolder
              + " --output FILE");
    }
  }

  private static byte[] bytes(String name, EpisodeView view) throws IOException {
    ReportModel report = view.report().orElseThrow();
    if (name.endsWith(".html")) {
      return ReportHtml.render(report).getBytes(StandardCharsets.UTF_8);
    }
    if (name.endsWith(".pdf")) {
      return new ReportPdf().render(report);
    }
    if (name.endsWith(".json")) {
      return DurableFormat.json().writerWithDefaultPrettyPrinter().writeValueAsBytes(view);
    }
    return ReportMarkdown.render(report).getBytes(StandardCharsets.UTF_8);
  }
}
