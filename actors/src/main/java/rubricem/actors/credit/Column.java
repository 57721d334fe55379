package rubricem.actors.credit;

/**
 * One column of numbers over the members of a group, centred in two passes: the mean first, then
 * the deviations from it, whose own mean is taken off once more. Equal numbers give deviations and
 * a spread of exactly zero, whatever their sum rounds to.
 */
record Column(double[] deviations, double spread) {

  static Column of(double[] values, boolean[] member) {
    double[] deviations = new double[values.length];
    int n = 0;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < values.length; i++) {
      if (member[i]) {
        n++;
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    }
    if (n == 0 || low == high) {
      return new Column(deviations, 0);
    }
    double mean = mean(values, member, n);
    for (int i = 0; i < values.length; i++) {
      deviations[i] = member[i] ? values[i] - mean : 0;
    }
    double residue = mean(deviations, member, n);
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      deviations[i] -= member[i] ? residue : 0;
      squares += deviations[i] * deviations[i];
    }
    return new Column(deviations, Math.sqrt(squares / n));
  }

  private static double mean(double[] values, boolean[] member, int n) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += member[i] ? values[i] : 0;
    }
    return sum / n;
  }

  static double[] of(double[][] rows, int column) {
    double[] values = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      values[i] = rows[i][column];
    }
    return values;
  }
}
