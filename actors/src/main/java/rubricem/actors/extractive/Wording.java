package rubricem.actors.extractive;

import java.util.List;
import java.util.Map;
import rubricem.protocol.report.ReportLanguage;

/** What an answer says in its own words, in the language of the question. */
enum Wording {
  NOT_FOUND,
  NO_EVIDENCE,
  NO_SEARCH,
  NOT_UNDERSTOOD;

  /** One line each, in the order of the values, by language tag. */
  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("en", """
              Not found
              Nothing in the documents searched answers this question.
              The search gave no result that could be used.
              Words not understood"""),
          Map.entry("de", """
              Nicht gefunden
              In den durchsuchten Dokumenten beantwortet nichts diese Frage.
              Die Suche ergab nichts, was sich verwenden lässt.
              Nicht verstandene Wörter"""),
          Map.entry("fr", """
              Non trouvé
              Rien dans les documents consultés ne répond à cette question.
              La recherche n’a donné aucun résultat utilisable.
              Mots non compris"""),
          Map.entry("es", """
              No encontrado
              Nada en los documentos consultados responde a esta pregunta.
              La búsqueda no dio ningún resultado utilizable.
              Palabras no entendidas"""),
          Map.entry("pt", """
              Não encontrado
              Nada nos documentos consultados responde a esta pergunta.
              A pesquisa não deu nenhum resultado utilizável.
              Palavras não entendidas"""),
          Map.entry("it", """
              Non trovato
              Niente nei documenti consultati risponde a questa domanda.
              La ricerca non ha dato alcun risultato utilizzabile.
              Parole non comprese"""),
          Map.entry("nl", """
              Niet gevonden
              Niets in de doorzochte documenten beantwoordt deze vraag.
              De zoekopdracht gaf geen bruikbaar resultaat.
              Niet begrepen woorden"""),
          Map.entry("pl", """
              Nie znaleziono
              Nic w przeszukanych dokumentach nie odpowiada na to pytanie.
              Wyszukiwanie nie dało żadnego użytecznego wyniku.
              Słowa niezrozumiane"""),
          Map.entry("tr", """
              Bulunamadı
              Aranan belgelerde bu soruyu yanıtlayan bir şey yok.
              Arama kullanılabilir bir sonuç vermedi.
              Anlaşılmayan sözcükler"""),
          Map.entry("ru", """
              Не найдено
              В просмотренных документах ничто не отвечает на этот вопрос.
              Поиск не дал результата, который можно использовать.
              Непонятые слова"""),
          Map.entry("ar", """
              لم يُعثر عليه
              لا شيء في الوثائق التي جرى البحث فيها يجيب عن هذا السؤال.
              لم يُعطِ البحث نتيجة يمكن استخدامها.
              كلمات لم تُفهم"""),
          Map.entry("he", """
              לא נמצא
              שום דבר במסמכים שנבדקו אינו עונה על השאלה הזאת.
              החיפוש לא העלה תוצאה שאפשר להשתמש בה.
              מילים שלא הובנו"""),
          Map.entry("zh", """
              未找到
              所检索的文档中没有内容能回答这个问题。
              检索没有得到可用的结果。
              未能理解的词"""),
          Map.entry("ja", """
              見つからなかったもの
              検索した文書には、この質問に答える内容がありません。
              検索では使える結果が得られませんでした。
              理解できなかった語"""),
          Map.entry("ko", """
              찾지 못함
              검색한 문서에는 이 질문에 답하는 내용이 없습니다.
              검색에서 쓸 수 있는 결과가 나오지 않았습니다.
              이해하지 못한 단어"""));

  private static final Map<String, List<String>> LINES = lines();

  private static Map<String, List<String>> lines() {
    Map<String, List<String>> lines = new java.util.HashMap<>();
    TEXTS.forEach((tag, text) -> lines.put(tag, text.lines().toList()));
    return Map.copyOf(lines);
  }

  String in(ReportLanguage language) {
    List<String> texts = LINES.get(language.tag());
    if (texts == null) {
      throw new IllegalStateException("no wording for the language " + language.tag());
    }
    return texts.get(ordinal());
  }
}
