package rubricem.protocol.report;

import java.util.Map;

/**
 * The phrases of a report, one line each, in the order of {@link Phrase}, by language tag. A number
 * stands at its place in braces; {@code {0:one|many}} is the form that goes with it. Languages with
 * more than two forms name the thing first and the number after it, which needs none of them.
 */
final class PhraseTexts {
  static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("en", """
              References
              {0} of {1} {1:citation|citations} checked, {2} supported
              {0} {0:reference or link|references or links} removed: nothing retrieved stands \
              behind {0:it|them}
              Nothing is cited.
              Not found
              What was searched
              {0} of {1} {1:document|documents}
              {0} unreadable
              Queries
              {0} {0:passage|passages}
              supported
              weak
              unchecked
              No evidence was found for this question.
              The research ended early: {0}
              Question
              model calls: {0} · tool calls: {1} · tokens: {2}
              Contents
              {0} {0:character|characters} of this report {0:is|are} in none of the installed fonts and \
              shown as {1}; the HTML report shows {0:it|them}."""),
          Map.entry("de", """
              Quellen
              {0} von {1} {1:Beleg|Belegen} geprüft, {2} gestützt
              {0} {0:Verweis oder Link|Verweise oder Links} entfernt: kein gefundener Text steht \
              dahinter
              Es wird nichts zitiert.
              Nicht gefunden
              Was durchsucht wurde
              {0} von {1} {1:Dokument|Dokumenten}
              {0} unlesbar
              Suchanfragen
              {0} {0:Fundstelle|Fundstellen}
              gestützt
              schwach
              ungeprüft
              Zu dieser Frage wurden keine Belege gefunden.
              Die Recherche endete vorzeitig: {0}
              Frage
              {0} {0:Modellaufruf|Modellaufrufe} · {1} {1:Werkzeugaufruf|Werkzeugaufrufe} · {2} \
              Token
              Inhalt
              {0} Zeichen dieses Berichts {0:fehlt|fehlen} in den installierten Schriften und \
              {0:steht|stehen} als {1} da; der HTML-Bericht zeigt sie."""),
          Map.entry("fr", """
              Références
              {0} {0:citation vérifiée|citations vérifiées} sur {1}, dont {2} {2:étayée|étayées}
              {0} {0:référence ou lien retiré|références ou liens retirés} : aucun texte trouvé \
              ne {0:le|les} fonde
              Rien n’est cité.
              Non trouvé
              Ce qui a été cherché
              {0} {0:document|documents} sur {1}
              {0} {0:illisible|illisibles}
              Requêtes
              {0} {0:passage|passages}
              étayé
              faible
              non vérifié
              Aucun élément probant n’a été trouvé pour cette question.
              La recherche s’est arrêtée avant la fin : {0}
              Question
              {0} {0:appel|appels} au modèle · {1} {1:appel|appels} d’outil · {2} {2:jeton|jetons}
              Sommaire
              {0} {0:caractère|caractères} de ce rapport {0:manque|manquent} dans les polices \
              installées et {0:apparaît|apparaissent} comme {1} ; le rapport HTML {0:le|les} montre."""),
          Map.entry("es", """
              Referencias
              {0} de {1} {1:cita comprobada|citas comprobadas}, {2} {2:respaldada|respaldadas}
              {0} {0:referencia o enlace retirado|referencias o enlaces retirados}: ningún texto \
              encontrado {0:lo|los} respalda
              No se cita nada.
              No encontrado
              Qué se buscó
              {0} de {1} {1:documento|documentos}
              {0} {0:ilegible|ilegibles}
              Consultas
              {0} {0:pasaje|pasajes}
              respaldado
              débil
              sin comprobar
              No se encontraron pruebas para esta pregunta.
              La investigación terminó antes de tiempo: {0}
              Pregunta
              {0} {0:llamada|llamadas} al modelo · {1} {1:llamada|llamadas} a herramientas · {2} \
              {2:token|tokens}
              Contenido
              {0} {0:carácter|caracteres} de este informe no {0:está|están} en las fuentes instaladas y \
              {0:aparece|aparecen} como {1}; el informe HTML {0:lo|los} muestra."""),
          Map.entry("pt", """
              Referências
              {0} de {1} {1:citação verificada|citações verificadas}, {2} {2:sustentada|sustentadas}
              {0} {0:referência ou ligação removida|referências ou ligações removidas}: nenhum \
              texto encontrado {0:a|as} sustenta
              Nada é citado.
              Não encontrado
              O que foi pesquisado
              {0} de {1} {1:documento|documentos}
              {0} {0:ilegível|ilegíveis}
              Consultas
              {0} {0:trecho|trechos}
              sustentado
              fraco
              não verificado
              Não foram encontradas evidências para esta pergunta.
              A pesquisa terminou mais cedo: {0}
              Pergunta
              {0} {0:chamada|chamadas} ao modelo · {1} {1:chamada|chamadas} a ferramentas · {2} \
              {2:token|tokens}
              Conteúdo
              {0} {0:carácter|caracteres} deste relatório não {0:existe|existem} nas fontes instaladas e \
              {0:aparece|aparecem} como {1}; o relatório HTML {0:o|os} mostra."""),
          Map.entry("it", """
              Riferimenti
              {0} {0:citazione verificata|citazioni verificate} su {1}, {2} \
              {2:confermata|confermate}
              {0} {0:riferimento o link rimosso|riferimenti o link rimossi}: nessun testo \
              trovato {0:lo|li} sostiene
              Nulla è citato.
              Non trovato
              Che cosa è stato cercato
              {0} {0:documento|documenti} su {1}
              {0} {0:illeggibile|illeggibili}
              Ricerche
              {0} {0:passaggio|passaggi}
              confermato
              debole
              non verificato
              Non sono state trovate prove per questa domanda.
              La ricerca è terminata in anticipo: {0}
              Domanda
              {0} {0:chiamata|chiamate} al modello · {1} {1:chiamata|chiamate} a strumenti · {2} \
              token
              Indice
              {0} {0:carattere|caratteri} di questo rapporto {0:manca|mancano} nei font installati e \
              {0:appare|appaiono} come {1}; il rapporto HTML {0:lo|li} mostra."""),
          Map.entry("nl", """
              Bronnen
              {0} van {1} {1:citaat|citaten} gecontroleerd, {2} onderbouwd
              {0} {0:verwijzing of link|verwijzingen of links} verwijderd: geen gevonden tekst \
              onderbouwt {0:die|ze}
              Er wordt niets geciteerd.
              Niet gevonden
              Wat is doorzocht
              {0} van {1} {1:document|documenten}
              {0} onleesbaar
              Zoekopdrachten
              {0} {0:passage|passages}
              onderbouwd
              zwak
              niet gecontroleerd
              Voor deze vraag is geen bewijs gevonden.
              Het onderzoek stopte voortijdig: {0}
              Vraag
              {0} {0:modelaanroep|modelaanroepen} · {1} {1:toolaanroep|toolaanroepen} · {2} \
              {2:token|tokens}
              Inhoud
              {0} {0:teken|tekens} van dit rapport {0:ontbreekt|ontbreken} in de geïnstalleerde \
              lettertypen en {0:staat|staan} er als {1}; het HTML-rapport toont ze."""),
          Map.entry("pl", """
              Źródła
              Sprawdzone cytowania: {0} z {1}, potwierdzone: {2}
              Usunięte odwołania lub odnośniki: {0}; nie stoi za nimi żaden znaleziony tekst
              Nic nie jest cytowane.
              Nie znaleziono
              Co przeszukano
              Dokumenty: {0} z {1}
              nieczytelne: {0}
              Zapytania
              fragmenty: {0}
              potwierdzone
              słabe
              niesprawdzone
              Nie znaleziono dowodów dotyczących tego pytania.
              Badanie zakończono wcześniej: {0}
              Pytanie
              wywołania modelu: {0} · wywołania narzędzi: {1} · tokeny: {2}
              Spis treści
              Znaki, których nie ma w zainstalowanych czcionkach: {0}; w ich miejscu stoi {1}, a raport \
              HTML je pokazuje."""),
          Map.entry("ru", """
              Источники
              Проверено ссылок: {0} из {1}, подтверждено: {2}
              Удалено ссылок: {0}; за ними не стоит ни один найденный текст
              Ничего не цитируется.
              Не найдено
              Где искали
              Документы: {0} из {1}
              не читаются: {0}
              Запросы
              фрагменты: {0}
              подтверждено
              слабо
              не проверено
              По этому вопросу ничего не найдено.
              Поиск закончен досрочно: {0}
              Вопрос
              вызовы модели: {0} · вызовы инструментов: {1} · токены: {2}
              Содержание
              Знаки, которых нет в установленных шрифтах: {0}; вместо них стоит {1}, отчёт HTML их \
              показывает."""),
          Map.entry("tr", """
              Kaynaklar
              {1} alıntıdan {0} tanesi denetlendi, {2} tanesi destekleniyor
              {0} kaynak ya da bağlantı çıkarıldı: bulunan hiçbir metne dayanmıyor
              Hiçbir alıntı yok.
              Bulunamadı
              Neler arandı
              {1} belgeden {0} tanesi
              {0} okunamadı
              Aramalar
              {0} parça
              destekleniyor
              zayıf
              denetlenmedi
              Bu soru için kanıt bulunamadı.
              Araştırma erken bitti: {0}
              Soru
              {0} model çağrısı · {1} araç çağrısı · {2} belirteç
              İçindekiler
              Bu raporun {0} karakteri yüklü yazı tiplerinde yok ve {1} olarak görünüyor; HTML raporu \
              bunları gösterir."""),
          Map.entry("ar", """
              المراجع
              الاستشهادات المفحوصة: {0} من {1}، المدعومة: {2}
              المراجع أو الروابط المحذوفة: {0}؛ لا يسندها أي نص تم العثور عليه
              لا توجد استشهادات.
              لم يُعثر عليه
              ما تم البحث فيه
              الوثائق: {0} من {1}
              غير المقروءة: {0}
              عمليات البحث
              المقاطع: {0}
              مدعوم
              ضعيف
              غير مفحوص
              لم يُعثر على أدلة لهذا السؤال.
              انتهى البحث مبكرًا: {0}
              السؤال
              استدعاءات النموذج: {0} · استدعاءات الأدوات: {1} · الرموز: {2}
              المحتويات
              الأحرف غير الموجودة في الخطوط المثبتة: {0}؛ تظهر على شكل {1}، ويعرضها تقرير HTML."""),
          Map.entry("he", """
              מקורות
              ציטוטים שנבדקו: {0} מתוך {1}, נתמכים: {2}
              הפניות או קישורים שהוסרו: {0}; שום טקסט שנמצא אינו תומך בהם
              אין ציטוטים.
              לא נמצא
              מה נסרק
              מסמכים: {0} מתוך {1}
              לא קריאים: {0}
              חיפושים
              קטעים: {0}
              נתמך
              חלש
              לא נבדק
              לא נמצאו ראיות לשאלה זו.
              המחקר הסתיים מוקדם: {0}
              שאלה
              קריאות למודל: {0} · קריאות לכלים: {1} · אסימונים: {2}
              תוכן
              תווים שאינם בגופנים המותקנים: {0}; הם מוצגים כ-{1}, ודוח ה-HTML מציג אותם."""),
          Map.entry("zh", """
              参考文献
              已核查 {0}/{1} 条引用，其中 {2} 条得到支持
              已移除 {0} 处引用或链接：没有检索到的内容可以支持
              没有引用。
              未找到
              检索范围
              {1} 份文档中的 {0} 份
              {0} 份无法读取
              检索词
              {0} 个段落
              支持
              较弱
              未核查
              没有找到与此问题有关的证据。
              研究提前结束：{0}
              问题
              模型调用 {0} 次 · 工具调用 {1} 次 · {2} 个词元
              目录
              本报告有 {0} 个字符不在已安装的字体中，显示为 {1}；HTML 报告可以显示。"""),
          Map.entry("ja", """
              参考文献
              引用 {1} 件中 {0} 件を確認、{2} 件が裏付けあり
              {0} 件の参照またはリンクを削除：裏付けとなる文が見つかっていません
              引用はありません。
              見つからなかったもの
              検索の範囲
              文書 {1} 件中 {0} 件
              {0} 件は読み取れません
              検索語
              {0} 件の箇所
              裏付けあり
              弱い
              未確認
              この質問の根拠は見つかりませんでした。
              調査は途中で終了しました：{0}
              質問
              モデル呼び出し {0} 回 · ツール呼び出し {1} 回 · {2} トークン
              目次
              この報告の {0} 文字は、入っているフォントになく、{1} で示しています。HTML の報告では表示されます。"""),
          Map.entry("ko", """
              참고 문헌
              인용 {1}건 중 {0}건 확인, {2}건 뒷받침됨
              참조 또는 링크 {0}건 삭제: 찾은 글 가운데 근거가 없음
              인용이 없습니다.
              찾지 못한 것
              검색 범위
              문서 {1}건 중 {0}건
              {0}건 읽을 수 없음
              검색어
              {0}개 단락
              뒷받침됨
              약함
              확인 안 됨
              이 질문에 대한 근거를 찾지 못했습니다.
              조사가 일찍 끝났습니다: {0}
              질문
              모델 호출 {0}회 · 도구 호출 {1}회 · 토큰 {2}개
              목차
              이 보고서의 글자 {0}개가 설치된 글꼴에 없어 {1}로 표시됩니다. HTML 보고서에는 표시됩니다."""));

  private PhraseTexts() {}
}
