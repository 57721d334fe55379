package rubricem.persistence.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LanguagesTest {
  /** Language, a sentence in it, a word to look for: some in other case or without accents. */
  private static final String[][] SENTENCES = {
    {"ar", "تقع المكتبة الكبيرة بجانب النهر.", "المكتبة"},
    {"hy", "Մեծ գրադարանը գտնվում է գետի մոտ։", "գրադարանը"},
    {"az", "Böyük kitabxana çayın yanındadır.", "kitabxana"},
    {"eu", "Liburutegi handia ibaiaren ondoan dago.", "liburutegi"},
    {"bn", "বড় গ্রন্থাগারটি নদীর পাশে অবস্থিত।", "গ্রন্থাগারটি"},
    {"bg", "Голямата библиотека е до реката.", "библиотека"},
    {"my", "စာကြည့်တိုက်ကြီးသည် မြစ်ဘေးတွင် ရှိသည်။", "စာကြည့်တိုက်"},
    {"ca", "La gran biblioteca és al costat del riu.", "biblioteca"},
    {"zh", "大图书馆位于河边。", "图书馆"},
    {"hr", "Velika knjižnica nalazi se uz rijeku.", "knjiznica"},
    {"cs", "Velká knihovna stojí vedle řeky.", "reky"},
    {"da", "Det store bibliotek ligger ved åen.", "bibliotek"},
    {"nl", "De grote boekerij ligt naast de rivier.", "boekerij"},
    {"et", "Suur raamatukogu asub jõe ääres.", "raamatukogu"},
    {"fi", "Suuri kirjasto sijaitsee joen vieressä.", "kirjasto"},
    {"fr", "La grande bibliothèque se trouve près de la rivière.", "riviere"},
    {"ka", "დიდი ბიბლიოთეკა მდინარის პირას დგას.", "ბიბლიოთეკა"},
    {"de", "Die große Bücherei liegt neben dem Fluss.", "grosse"},
    {"el", "Η μεγάλη βιβλιοθήκη βρίσκεται δίπλα στο ποτάμι.", "ΒΙΒΛΙΟΘΗΚΗ"},
    {"gu", "મોટું પુસ્તકાલય નદીની બાજુમાં છે.", "પુસ્તકાલય"},
    {"he", "הספרייה הגדולה נמצאת ליד הנהר.", "הספרייה"},
    {"hi", "बड़ा पुस्तकालय नदी के पास है।", "पुस्तकालय"},
    {"hu", "A nagy könyvtár a folyó mellett áll.", "konyvtar"},
    {"is", "Stóra bókasafnið er við ána.", "bokasafnið"},
    {"id", "Perpustakaan besar terletak di tepi sungai.", "perpustakaan"},
    {"it", "La grande biblioteca si trova vicino al fiume.", "fiume"},
    {"ja", "大きな図書館は川のそばにあります。", "図書館"},
    {"km", "បណ្ណាល័យធំស្ថិតនៅក្បែរទន្លេ។", "បណ្ណាល័យ"},
    {"ko", "큰 도서관은 강 옆에 있습니다.", "도서관"},
    {"lo", "ຫໍສະໝຸດໃຫຍ່ຢູ່ແຄມແມ່ນ້ຳ.", "ຫໍສະໝຸດ"},
    {"lv", "Lielā bibliotēka atrodas pie upes.", "upes"},
    {"lt", "Didžioji biblioteka yra prie upės.", "Didžioji"},
    {"fa", "کتابخانه بزرگ در کنار رودخانه است.", "کتابخانه"},
    {"pl", "Wielka książnica stoi nad rzeką.", "ksiaznica"},
    {"pt", "A grande livraria fica ao lado do rio.", "livraria"},
    {"ru", "Большая библиотека стоит у реки.", "большая"},
    {"es", "La gran biblioteca está junto al río.", "junto"},
    {"sv", "Det stora biblioteket ligger vid ån.", "biblioteket"},
    {"ta", "பெரிய நூலகம் ஆற்றின் அருகில் உள்ளது.", "நூலகம்"},
    {"th", "ห้องสมุดใหญ่ตั้งอยู่ริมแม่น้ำ", "ห้องสมุด"},
    {"tr", "Büyük kütüphane nehrin yanındadır.", "KÜTÜPHANE"},
    {"uk", "Велика бібліотека стоїть біля річки.", "бібліотека"},
    {"ur", "بڑا کتب خانہ دریا کے کنارے ہے۔", "دریا"},
    {"vi", "Thư viện lớn nằm cạnh bờ sông.", "thu vien"},
  };

  @Test
  void a_word_of_any_language_is_found_and_its_sentence_given_back(@TempDir Path folder)
      throws Exception {
    Shelf shelf =
        Shelf.in(folder)
            .with(CompletableFuture.failedFuture(new IllegalStateException("words only")));
    for (String[] one : SENTENCES) {
      shelf.put(one[0] + ".txt", one[1]);
    }
    assertTrue(shelf.run().documents() >= 40);
    List<String> lost = new ArrayList<>();
    for (String[] one : SENTENCES) {
      if (!shelf.documentsWith(one[2]).contains(one[0] + ".txt")) {
        lost.add(one[0]);
      }
      assertEquals(one[1], text(shelf, one[0] + ".txt"));
    }
    assertEquals(List.of(), lost);
  }

  private static String text(Shelf shelf, String document) throws Exception {
    try (LuceneCorpus corpus = shelf.open()) {
      return corpus.text(document).orElseThrow();
    }
  }
}
