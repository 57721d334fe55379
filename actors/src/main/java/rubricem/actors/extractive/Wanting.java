package rubricem.actors.extractive;

import java.util.regex.Pattern;

/** Whether a text holds the kind of answer a facet wants, in the languages documents are in. */
final class Wanting {
  private static final Pattern DEFAULT =
      Pattern.compile(
          "\\bdefaults?\\b|standardm|vorein(?:ge)?stell|vorgabe"
              + "|par défaut|por defecto|predeterminad|por padrão|predefinit"
              + "|standaard|domyśln|varsayılan|по умолчанию|默认|缺省|既定|デフォルト|기본",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final Pattern AMOUNT =
      Pattern.compile("\\p{Nd}|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\\b");

  private Wanting() {}

  static boolean statesAmount(String text) {
    return AMOUNT.matcher(text).find();
  }

  static boolean statesDefault(String text) {
    return DEFAULT.matcher(text).find();
  }
}
