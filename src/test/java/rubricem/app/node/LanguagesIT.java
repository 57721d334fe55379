package rubricem.app.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import rubricem.http.llm.Secret;
import rubricem.persistence.corpus.CorpusIndexing;
import rubricem.persistence.corpus.IndexingWatcher;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeRequest;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeView;
import rubricem.protocol.report.Citation;
import rubricem.protocol.scaffold.FormatLabel;

/**
 * one question in forty languages over one corpus with a document in each: every episode ends
 * with an answer that cites what it searched or says honestly that it found nothing.
 */
class LanguagesIT {
  /** The language, what its document says, and the question. */
  private static final String[][] ASKED = {
    {"af", "Die groot biblioteek staan langs die rivier.", "Waar staan die groot biblioteek?"},
    {"sq", "Biblioteka e madhe ndodhet pranë lumit.", "Ku ndodhet biblioteka e madhe?"},
    {"ar", "تقع المكتبة الكبيرة بجانب النهر.", "أين تقع المكتبة الكبيرة؟"},
    {"hy", "Մեծ գրադարանը գետի մոտ է։", "Որտե՞ղ է մեծ գրադարանը։"},
    {"eu", "Liburutegi handia ibaiaren ondoan dago.", "Non dago liburutegi handia?"},
    {"bn", "বড় গ্রন্থাগারটি নদীর পাশে অবস্থিত।", "বড় গ্রন্থাগারটি কোথায় অবস্থিত?"},
    {"bg", "Голямата библиотека е до реката.", "Къде е голямата библиотека?"},
    {"ca", "La gran biblioteca és al costat del riu.", "On és la gran biblioteca?"},
    {"zh", "大图书馆位于河边。", "大图书馆位于哪里？"},
    {"hr", "Velika knjižnica nalazi se uz rijeku.", "Gdje se nalazi velika knjižnica?"},
    {"cs", "Velká knihovna stojí vedle řeky.", "Kde stojí velká knihovna?"},
    {"da", "Det store bibliotek ligger ved åen.", "Hvor ligger det store bibliotek?"},
    {"nl", "De grote boekerij ligt naast de rivier.", "Waar ligt de grote boekerij?"},
    {"en", "The great library stands beside the river.", "Where does the great library stand?"},
    {"et", "Suur raamatukogu asub jõe ääres.", "Kus asub suur raamatukogu?"},
    {"fi", "Suuri kirjasto sijaitsee joen vieressä.", "Missä suuri kirjasto sijaitsee?"},
    {"fr", "La grande bibliothèque est près de la rivière.", "Où est la grande bibliothèque ?"},
    {"ka", "დიდი ბიბლიოთეკა მდინარის პირას დგას.", "სად დგას დიდი ბიბლიოთეკა?"},
    {"de", "Die große Bücherei liegt neben dem Fluss.", "Wo liegt die große Bücherei?"},
    {"el", "Η μεγάλη βιβλιοθήκη βρίσκεται δίπλα στο ποτάμι.", "Πού βρίσκεται η βιβλιοθήκη;"},
    {"gu", "મોટું પુસ્તકાલય નદીની બાજુમાં છે.", "મોટું પુસ્તકાલય ક્યાં છે?"},
    {"he", "הספרייה הגדולה נמצאת ליד הנהר.", "איפה נמצאת הספרייה הגדולה?"},
    {"hi", "बड़ा पुस्तकालय नदी के पास है।", "बड़ा पुस्तकालय कहाँ है?"},
    {"hu", "A nagy könyvtár a folyó mellett áll.", "Hol áll a nagy könyvtár?"},
    {"id", "Perpustakaan besar terletak di tepi sungai.", "Di mana perpustakaan besar terletak?"},
    {"it", "La grande biblioteca si trova vicino al fiume.", "Dove si trova la biblioteca?"},
    {"ja", "大きな図書館は川のそばにあります。", "大きな図書館はどこにありますか？"},
    {"ko", "큰 도서관은 강 옆에 있습니다.", "큰 도서관은 어디에 있습니까?"},
    {"lv", "Lielā bibliotēka atrodas pie upes.", "Kur atrodas lielā bibliotēka?"},
    {"lt", "Didžioji biblioteka yra prie upės.", "Kur yra didžioji biblioteka?"},
    {"fa", "کتابخانه بزرگ در کنار رودخانه است.", "کتابخانه بزرگ کجاست؟"},
    {"pl", "Wielka książnica stoi nad rzeką.", "Gdzie stoi wielka książnica?"},
    {"pt", "A grande livraria fica ao lado do rio.", "Onde fica a grande livraria?"},
    {"ru", "Большая библиотека стоит у реки.", "Где стоит большая библиотека?"},
    {"es", "La gran biblioteca está junto al río.", "¿Dónde está la gran biblioteca?"},
    {"sv", "Det stora biblioteket ligger vid ån.", "Var ligger det stora biblioteket?"},
    {"ta", "பெரிய நூலகம் ஆற்றின் அருகில் உள்ளது.", "பெரிய நூலகம் எங்கே உள்ளது?"},
    {"th", "ห้องสมุดใหญ่ตั้งอยู่ริมแม่น้ำ", "ห้องสมุดใหญ่ตั้งอยู่ที่ไหน"},
    {"tr", "Büyük kütüphane nehrin yanındadır.", "Büyük kütüphane nerede?"},
    {"uk", "Велика бібліотека стоїть біля річки.", "Де стоїть велика бібліотека?"},
    {"vi", "Thư viện lớn nằm cạnh bờ sông.", "Thư viện lớn nằm ở đâu?"},
  };

  @Test
  void R12_a_question_in_any_language_is_answered_or_honestly_not() throws Exception {
    // not one that the test deletes: on a busy machine a node may still be closing files
    Path folder = Files.createTempDirectory(Path.of("target"), "languages-").toAbsolutePath();
    Path corpus = Files.createDirectory(folder.resolve("library"));
    for (String[] one : ASKED) {
      Files.writeString(corpus.resolve(one[0] + ".txt"), one[1]);
    }
    Config config =
        ConfigFactory.load()
            .withValue(
                "rubricem.data-dir",
                ConfigValueFactory.fromAnyRef(folder.resolve("data").toString()));
    NodeSettings settings = NodeSettings.of(config);
    Files.createDirectories(settings.dataDir());
    Map<String, CompletableFuture<EpisodeView>> ends = new TreeMap<>();
    try (ResearchNode node =
        new ResearchNode(config, settings, Secret.NONE, false, Clock.systemUTC())) {
      new CorpusIndexing(
              settings.corpusFolder(), settings.corpus(), node.embedding().model())
          .run(List.of(corpus), IndexingWatcher.NONE);
      for (String[] one : ASKED) {
        ends.put(one[0], run(node, settings, one[0], one[2], corpus));
      }
      for (String[] one : ASKED) {
        check(one, ends.get(one[0]).get(120, TimeUnit.SECONDS));
      }
    }
    List<String> answered =
        ends.entrySet().stream()
            .filter(e -> e.getValue().join().outcome().equals(answered()))
            .map(Map.Entry::getKey).toList();
    assertTrue(answered.containsAll(List.of("ar", "de", "en", "zh")), answered.toString());
  }

  private static java.util.Optional<EpisodeOutcome> answered() {
    return java.util.Optional.of(EpisodeOutcome.ANSWERED);
  }

  private static CompletableFuture<EpisodeView> run(
      ResearchNode node, NodeSettings settings, String language, String question, Path corpus) {
    EpisodeId id = new EpisodeId("e-" + language);
    CompletableFuture<EpisodeView> end = new CompletableFuture<>();
    node.episodes()
        .start(
            id,
            new EpisodeRequest(
                question, FormatLabel.LONG_FORM, NodePolicies.EXTRACTIVE, List.of("corpus"),
                List.of(corpus.toString()), settings.limits(), 0, Map.of()))
        .thenAccept(
            begun ->
                node.episodes().watch(
                    id, 0,
                    progress -> {
                      if (progress instanceof EpisodeProgress.WatchEnded ended) {
                        end.complete(ended.view().orElseThrow());
                      }
                    }));
    return end;
  }

  private static void check(String[] asked, EpisodeView view) {
    String language = asked[0];
    assertEquals(EpisodeStatus.COMPLETED, view.status(), language);
    EpisodeOutcome outcome = view.outcome().orElseThrow();
    assertTrue(
        outcome == EpisodeOutcome.ANSWERED || outcome == EpisodeOutcome.NO_EVIDENCE,
        language + " " + outcome);
    assertEquals(outcome == EpisodeOutcome.NO_EVIDENCE, view.citations().isEmpty(), language);
    List<String> shown = view.sources().stream().map(EpisodeView.Source::snippetId).toList();
    for (Citation citation : view.citations()) {
      assertTrue(shown.contains(citation.snippetId()), language + " " + citation);
    }
    if (outcome == EpisodeOutcome.ANSWERED) {
      assertTrue(
          view.citations().stream().anyMatch(c -> c.document().equals(language + ".txt")),
          language + " " + view.citations());
    }
  }
}
