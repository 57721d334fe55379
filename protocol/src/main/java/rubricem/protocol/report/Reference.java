package rubricem.protocol.report;

import java.util.List;

/**
 * One entry of the reference list.
 *
 * @param url where a reader can open it; blank where there is no address that may be linked
 * @param uses the claims that rest on it, in the order of the answer; never empty
 */
public record Reference(
    int number,
    String snippetId,
    String title,
    String document,
    String position,
    String url,
    List<Use> uses) {

  /** @param quote the sentence of the passage that fits the claim best, verbatim */
  public record Use(String claim, String quote, SupportState state) {}
}
