package rubricem.gpu.supervised;

import rubricem.protocol.learning.SupervisedRow;

/** What became of one record of a file. */
sealed interface Reading {
  record Row(SupervisedRow row) implements Reading {}

  record Omitted(Omission why) implements Reading {}
}
