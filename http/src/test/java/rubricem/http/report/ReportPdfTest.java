package rubricem.http.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import rubricem.protocol.report.ReportMarkdown;
import rubricem.protocol.report.ReportModel;

class ReportPdfTest {
  @Test
  void look() throws Exception {
    Path dir = Path.of("/tmp/report-look");
    Files.createDirectories(dir);
    for (ReportModel m : new ReportModel[] {SampleReports.english(), SampleReports.arabic(), SampleReports.chinese()}) {
      Files.writeString(dir.resolve(m.language() + ".md"), ReportMarkdown.render(m));
      Files.writeString(dir.resolve(m.language() + ".html"), ReportHtml.render(m));
      long t = System.nanoTime();
      Files.write(dir.resolve(m.language() + ".pdf"), new ReportPdf().render(m));
      Files.writeString(dir.resolve(m.language() + ".ms"), "" + (System.nanoTime() - t) / 1_000_000);
    }
    assertTrue(true);
  }
}
