package rubricem.gpu.generate;

/**
 * What was drawn. The tokens are those that the model gave, never a text encoded again, and each
 * has its two log-probabilities.
 *
 * @param ids drawn tokens, a stop token included
 * @param sampledLogProbs under the distribution that was drawn from: after temperature and filters;
 *     0 where the temperature is 0, for nothing is drawn there
 * @param policyLogProbs under the temperature alone, all tokens counted, as training computes it;
 *     at temperature 0 under temperature 1
 * @param version of the weights; one for the whole sequence
 * @param promptTokens length of the prompt
 * @param reusedTokens how many of them were not computed again
 */
public record Generation(
    int[] ids, double[] sampledLogProbs, double[] policyLogProbs, long version, Finish finish,
    int promptTokens, int reusedTokens) {}
