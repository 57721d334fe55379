package rubricem.protocol.report;

/** What an episode cost, for the foot of its report. */
public record ReportUsage(
    int modelCalls,
    int toolCalls,
    long promptTokens,
    long completionTokens,
    double costUsd,
    int repeatedCalls) {
  public static final ReportUsage NONE = new ReportUsage(0, 0, 0, 0, 0, 0);
}
