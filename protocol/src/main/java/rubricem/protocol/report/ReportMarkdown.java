package rubricem.protocol.report;

/** Writes a report as Markdown. */
public final class ReportMarkdown {
  private ReportMarkdown() {}

  public static String render(ReportInput input) {
    return render(ReportModel.of(input));
  }

  public static String render(ReportModel model) {
    return model.answer();
  }
}
