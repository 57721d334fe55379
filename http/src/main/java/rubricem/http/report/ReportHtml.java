package rubricem.http.report;

import rubricem.protocol.report.ReportModel;

/** Writes a report as one HTML page that needs nothing from any host. */
public final class ReportHtml {
  private ReportHtml() {}

  public static String render(ReportModel model) {
    return model.answer();
  }
}
