package rubricem.protocol.learning;

/**
 * One sequence to imitate. The mask says of each token whether it is predicted and counted; tool
 * output and prompts are only read. The first token has nothing before it, so it cannot be counted.
 * The arrays are the row's own: nobody changes them.
 */
public record SupervisedRow(String id, int[] ids, boolean[] trainMask) {
  public SupervisedRow {
    Require.that(
        trainMask.length == ids.length, "the length of trainMask", trainMask.length,
        "it must be that of the ids, " + ids.length);
    Require.that(
        ids.length == 0 || !trainMask[0], "trainMask of the first token", true,
        "nothing stands before it that could predict it");
  }

  public int length() {
    return ids.length;
  }

  public int trainedTokens() {
    int n = 0;
    for (boolean trained : trainMask) {
      n += trained ? 1 : 0;
    }
    return n;
  }
}
