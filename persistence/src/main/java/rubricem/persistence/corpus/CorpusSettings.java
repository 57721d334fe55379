package rubricem.persistence.corpus;

import java.time.Duration;

/**
 * The bounds of the corpus. Every loop, buffer and wait of this package has its limit here.
 *
 * @param filesMax most files under all roots; beyond it a folder was probably named by mistake
 * @param fileBytesMax largest file that is opened; a larger one is listed as too large
 * @param textCharsMax most extracted characters of one document; guards against files that expand
 * @param readTimeout longest time one document may take to read; a hanging parser is left behind
 * @param passageWords most words of a passage: what fits the 256 tokens the embedder reads
 * @param commitEvery how often progress becomes searchable and safe from a crash
 * @param embedBatch passages embedded in one go; also the most work lost by an interruption
 * @param candidates how many hits each of the two rankings contributes to the fusion
 * @param queryWait longest time a search waits for the vector of its query
 * @param indexBufferMb memory the index may use before it writes a segment
 */
public record CorpusSettings(
    int filesMax,
    long fileBytesMax,
    int textCharsMax,
    Duration readTimeout,
    int passageWords,
    Duration commitEvery,
    int embedBatch,
    int candidates,
    Duration queryWait,
    int indexBufferMb) {

  public static CorpusSettings defaults() {
    return new CorpusSettings(
        200_000, 200L << 20, 20_000_000, Duration.ofSeconds(60), 150, Duration.ofSeconds(2), 64,
        50, Duration.ofSeconds(5), 48);
  }
}
