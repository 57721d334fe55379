package rubricem.actors.extractive;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a sentence says, to tell repetition from a further fact. Two sentences with nearly the same
 * words say the same only where their numbers, denials, opposites and identifiers are the same too:
 * those are what one fact differs from the next by.
 */
record Said(Set<String> terms, Set<String> telling) {
  /** Two sentences that share this much of their words may say the same. */
  private static final double SAME = 0.8;

  private static final Pattern TELLING =
      Pattern.compile(
          "[-+]?\\p{Nd}+(?:[.,:/]\\p{Nd}+)*|\\b\\w*_\\w+\\b"
              + "|\\b(?:not?|never|none|neither|nor|without|cannot|except|unless|only|nicht"
              + "|kein\\w*|ohne|nie|nur|ne|pas|jamais|sans|sin|nunca|senza|non|mai|zonder|niet|geen|nie|bez"
              + "|не|нет|без)\\b|n['’]t\\b"
              + "|\\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|first|second|third"
              + "|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\\b"
              + "|\\b(?:on|off|true|false|yes|before|after|above|below|more|less|fewer|minimum"
              + "|maximum|increas\\w*|decreas\\w*|enabl\\w*|disabl\\w*|allow\\w*|forbid\\w*|old\\w*"
              + "|new\\w*|read|write|start\\w*|stop\\w*|largest|smallest|highest|lowest)\\b",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CHARACTER_CLASS);

  static Said of(String sentence) {
    Set<String> telling = new LinkedHashSet<>();
    TELLING.matcher(sentence).results().forEach(r -> telling.add(Words.lower(r.group())));
    return new Said(Words.terms(sentence), telling);
  }

  boolean same(Said other) {
    Set<String> both = new HashSet<>(terms);
    both.retainAll(other.terms);
    return !terms.isEmpty() && !other.terms.isEmpty() && telling.equals(other.telling)
        && both.size() >= SAME * Math.max(terms.size(), other.terms.size());
  }
}
