package rubricem.protocol.report;

import java.util.List;
import java.util.Map;

/**
 * What ended the research early, one line each in the order of {@link #LABELS}, by language tag.
 * They stand behind {@link Phrase#LIMIT_REACHED}.
 */
final class LimitTexts {
  /** As {@link rubricem.protocol.episode.FinishCause} names its limits. */
  static final List<String> LABELS =
      List.of(
          "tool_calls", "seconds", "tokens", "cost", "turns", "repeated_calls", "violations",
          "output_tokens");

  static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("en", """
              the number of searches
              the time limit
              the token limit
              the cost limit
              the number of turns
              the same search asked again and again
              turns that could not be read
              the output limit"""),
          Map.entry("de", """
              die Zahl der Suchen
              die Zeitgrenze
              die Tokengrenze
              die Kostengrenze
              die Zahl der Schritte
              dieselbe Suche immer wieder
              Schritte, die nicht zu lesen waren
              die Grenze der Ausgabe"""),
          Map.entry("fr", """
              le nombre de recherches
              la limite de temps
              la limite de jetons
              la limite de coût
              le nombre d’étapes
              la même recherche demandée sans cesse
              des étapes illisibles
              la limite de sortie"""),
          Map.entry("es", """
              el número de búsquedas
              el límite de tiempo
              el límite de tokens
              el límite de coste
              el número de pasos
              la misma búsqueda pedida una y otra vez
              pasos que no se pudieron leer
              el límite de salida"""),
          Map.entry("pt", """
              o número de buscas
              o limite de tempo
              o limite de tokens
              o limite de custo
              o número de passos
              a mesma busca pedida repetidamente
              passos que não puderam ser lidos
              o limite de saída"""),
          Map.entry("it", """
              il numero di ricerche
              il limite di tempo
              il limite di token
              il limite di costo
              il numero di passi
              la stessa ricerca chiesta più volte
              passi che non si potevano leggere
              il limite di uscita"""),
          Map.entry("nl", """
              het aantal zoekopdrachten
              de tijdslimiet
              de tokenlimiet
              de kostenlimiet
              het aantal stappen
              steeds weer dezelfde zoekopdracht
              stappen die niet te lezen waren
              de uitvoerlimiet"""),
          Map.entry("pl", """
              liczba wyszukiwań
              limit czasu
              limit tokenów
              limit kosztów
              liczba kroków
              wciąż to samo zapytanie
              kroki, których nie dało się odczytać
              limit długości odpowiedzi"""),
          Map.entry("ru", """
              число поисков
              предел времени
              предел токенов
              предел стоимости
              число шагов
              один и тот же запрос снова и снова
              шаги, которые не удалось прочитать
              предел длины ответа"""),
          Map.entry("tr", """
              arama sayısı
              süre sınırı
              belirteç sınırı
              maliyet sınırı
              adım sayısı
              sürekli yinelenen aynı arama
              okunamayan adımlar
              çıktı sınırı"""),
          Map.entry("ar", """
              عدد عمليات البحث
              الحد الزمني
              حد الرموز
              حد التكلفة
              عدد الخطوات
              تكرار البحث نفسه مرارًا
              خطوات تعذرت قراءتها
              حد طول الإجابة"""),
          Map.entry("he", """
              מספר החיפושים
              מגבלת הזמן
              מגבלת האסימונים
              מגבלת העלות
              מספר הצעדים
              אותו חיפוש שוב ושוב
              צעדים שלא ניתן לקרוא
              מגבלת אורך התשובה"""),
          Map.entry("zh", """
              检索次数上限
              时间上限
              词元上限
              费用上限
              步骤数上限
              反复提出同一检索
              无法读取的步骤
              输出长度上限"""),
          Map.entry("ja", """
              検索回数の上限
              時間の上限
              トークンの上限
              費用の上限
              手順数の上限
              同じ検索の繰り返し
              読み取れない手順
              出力の上限"""),
          Map.entry("ko", """
              검색 횟수 제한
              시간 제한
              토큰 제한
              비용 제한
              단계 수 제한
              같은 검색의 반복
              읽을 수 없는 단계
              출력 길이 제한"""));

  private LimitTexts() {}
}
