package rubricem.actors.extractive;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Words of a question that say how it is asked, not what about. One list for all languages: a word
 * that means something in one of them is left out.
 */
final class StopWords {
  private static final String LIST =
      // English
      "a an the of and or but if then else is are was were be been being am do does did done doing"
          + " have has had having i me my mine we us our ours you your yours he him his she her"
          + " hers it its they them their theirs this that these those there here what which who"
          + " whom whose when where why how in on at to for from by with without about into onto"
          + " over under between during before after above below up down out off again further"
          + " once all any both each few more most much many some such no nor not only own same so"
          + " than too very can could will would shall should may might must just let lets get gets"
          + " got make makes made need needs want wants use uses used using like as also even ever"
          + " never still yet already however while because since until unless per via vs versus"
          + " now else instead etc please tell explain describe say says know find show difference"
          + " compare compared comparing between best better way ways thing things something"
          + " anything everything nothing one ones someone somebody nobody really actually exactly"
          + " going goes go come comes take takes put puts give gives keep keeps"
          + " kept decide decides decided happen happens mean means matter matters don doesn didn"
          + " isn aren wasn weren won wouldn couldn shouldn ll ve re does't whether first second"
          // German
          + " der die das den dem des ein eine einen einem einer eines und oder aber wenn dann ist"
          + " sind war waren sein wird werden wurde wurden hat haben hatte ich mir mich mein meine"
          + " meiner wir uns unser unsere du sie er es ihr ihre ihren ihrer was welche welcher"
          + " welches welchen wer wie wo wann warum wieso weshalb im am zum zur von vom mit ohne"
          + " für fur auf aus bei nach über uber unter vor zwischen nicht kein keine nur auch noch"
          + " schon sehr mehr viel viele kann können konnen muss müssen mussen soll sollte man sich"
          + " dass ob als durch gegen seit bis wegen obwohl nie jede jeder jedes macht machen gibt"
          // French
          + " le la les un une des du de et ou mais si est sont était sera être a ont je me mon ma"
          + " mes nous notre vous votre il elle ils elles ce cette ces son sa ses leur quel quelle"
          + " quels quelles qui que quoi quand où comment pourquoi combien dans sur sous par pour"
          + " avec sans entre avant après ne pas plus très peut peuvent faut faire fait au aux en"
          // Spanish, Portuguese, Italian
          + " el los las una unos unas del y o pero es son era ser estar como qué cuál cuáles quién"
          + " cuándo dónde cómo por para con sin sobre entre antes después no más muy puede pueden"
          + " hay se lo mi mis su sus nuestro um uma os as dos das e mas são foi qual quais quem"
          + " quando onde porque com sem não mais muito pode podem meu minha gli lo uno degli delle"
          + " della dei nel nella sono è perché quale quali chi dove che non più molto può mio mia"
          // Dutch, Polish, Turkish
          + " het een van voor met niet wat welke hoe waarom wie waar mijn kan moet jest są jak"
          + " jaki jaka dlaczego kto kiedy gdzie czy nie na z do w i się ve bir bu ne nasıl neden"
          + " hangi için ile mi mı"
          // Russian
          + " и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее"
          + " мне было вот от меня о из ему теперь когда даже ли если или быть был для какой какая"
          + " какие почему где кто это можно мой моя"
          // Chinese, Japanese: pairs of the question's frame
          + " 怎么 怎样 如何 什么 为什 哪个 哪些 多少 可以 我的 一个 一张 是什 的是 です ます する どの なぜ";

  private static final Set<String> WORDS = new HashSet<>(Arrays.asList(LIST.split(" ")));

  private StopWords() {}

  static boolean contains(String lower) {
    return WORDS.contains(lower);
  }
}
