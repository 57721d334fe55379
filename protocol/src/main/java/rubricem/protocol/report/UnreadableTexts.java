package rubricem.protocol.report;

import java.util.Map;

/**
 * Why a document cannot be searched, one line each in the order of
 * {@link rubricem.protocol.evidence.UnreadableKind}, by language tag. English stands there itself.
 */
final class UnreadableTexts {
  static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("de", """
              verschlüsselt: nur mit einem Passwort zu öffnen
              gescannt: seine {0} Seiten enthalten nur Bilder; Texterkennung ist aus
              leer: kein Text darin
              nur Links: die Seite führt zu anderen und sagt selbst nichts
              abgeschnitten oder beschädigt: nicht bis zum Ende zu lesen
              zu groß: mehr als {0} Bytes
              zu groß: mehr als {0} Zeichen Text
              nicht zu öffnen: {0}
              Spezialdatei: eine Pipe, ein Socket oder Gerät wird nie geöffnet
              toter Link: er führt zu keiner Datei
              Link nach draußen: sein Ziel liegt außerhalb der genannten Ordner
              kein Dokument: der Inhalt ist {0}
              ein Bild ({0}): Text darin wird nicht erkannt
              abgelehnt: entpackt weit größer als gepackt (Zip-Bombe)
              abgelehnt: zu tief verschachtelt
              Zeitüberschreitung: in {0} s nicht zu lesen
              nicht gelesen: an zu vielen Dokumenten davor blieb das Einlesen hängen
              {0}"""),
          Map.entry("fr", """
              chiffré : ne s’ouvre qu’avec un mot de passe
              numérisé : ses {0} pages ne contiennent que des images, qui ne sont pas lues
              vide : aucun texte
              liens seulement : la page renvoie à d’autres et ne dit rien elle-même
              tronqué ou endommagé : illisible jusqu’au bout
              trop grand : plus de {0} octets
              trop grand : plus de {0} caractères de texte
              impossible à ouvrir : {0}
              fichier spécial : un tube, une socket ou un périphérique n’est jamais ouvert
              lien mort : il ne mène à aucun fichier
              lien vers l’extérieur : sa cible est hors des dossiers indiqués
              pas un document : son contenu est {0}
              une image ({0}) : le texte n’y est pas reconnu
              refusé : décompressé, il est démesuré (bombe zip)
              refusé : trop de niveaux imbriqués
              délai dépassé : illisible en {0} s
              non lu : trop de documents précédents ont bloqué la lecture
              {0}"""),
          Map.entry("es", """
              cifrado: solo se abre con contraseña
              escaneado: sus {0} páginas solo contienen imágenes; el reconocimiento está desactivado
              vacío: no contiene texto
              solo enlaces: la página lleva a otras y no dice nada
              truncado o dañado: no se puede leer hasta el final
              demasiado grande: más de {0} bytes
              demasiado grande: más de {0} caracteres de texto
              no se puede abrir: {0}
              archivo especial: una tubería, un socket o un dispositivo nunca se abre
              enlace roto: no lleva a ningún archivo
              enlace hacia fuera: su destino no está en las carpetas indicadas
              no es un documento: su contenido es {0}
              una imagen ({0}): no se reconoce su texto
              rechazado: descomprimido es desmesurado (bomba zip)
              rechazado: demasiados niveles anidados
              tiempo agotado: no se pudo leer en {0} s
              no leído: demasiados documentos anteriores bloquearon la lectura
              {0}"""),
          Map.entry("pt", """
              cifrado: só abre com palavra-passe
              digitalizado: as suas {0} páginas só contêm imagens; o reconhecimento está desligado
              vazio: não contém texto
              só ligações: a página leva a outras e nada diz
              truncado ou danificado: não se lê até ao fim
              grande demais: mais de {0} bytes
              grande demais: mais de {0} caracteres de texto
              não se consegue abrir: {0}
              ficheiro especial: um pipe, socket ou dispositivo nunca é aberto
              ligação quebrada: não leva a nenhum ficheiro
              ligação para fora: o destino não está nas pastas indicadas
              não é um documento: o conteúdo é {0}
              uma imagem ({0}): o texto nela não é reconhecido
              recusado: descomprimido é desmedido (bomba zip)
              recusado: demasiados níveis aninhados
              tempo esgotado: não se leu em {0} s
              não lido: demasiados documentos anteriores bloquearam a leitura
              {0}"""),
          Map.entry("it", """
              cifrato: si apre solo con una password
              scansionato: le sue {0} pagine contengono solo immagini; il riconoscimento è spento
              vuoto: non contiene testo
              solo link: la pagina porta ad altre e non dice nulla
              troncato o danneggiato: non si legge fino alla fine
              troppo grande: più di {0} byte
              troppo grande: più di {0} caratteri di testo
              non si può aprire: {0}
              file speciale: una pipe, un socket o un dispositivo non viene mai aperto
              link interrotto: non porta a nessun file
              link verso l’esterno: la destinazione non è nelle cartelle indicate
              non è un documento: il contenuto è {0}
              un’immagine ({0}): il testo non viene riconosciuto
              rifiutato: decompresso è smisurato (bomba zip)
              rifiutato: troppi livelli annidati
              tempo scaduto: non letto in {0} s
              non letto: troppi documenti precedenti hanno bloccato la lettura
              {0}"""),
          Map.entry("nl", """
              versleuteld: gaat alleen met een wachtwoord open
              gescand: de {0} pagina’s bevatten alleen afbeeldingen; tekstherkenning staat uit
              leeg: er staat geen tekst in
              alleen links: de pagina verwijst naar andere en zegt zelf niets
              afgekapt of beschadigd: niet tot het einde te lezen
              te groot: meer dan {0} bytes
              te groot: meer dan {0} tekens tekst
              kan niet worden geopend: {0}
              speciaal bestand: een pipe, socket of apparaat wordt nooit geopend
              dode link: leidt naar geen bestand
              link naar buiten: het doel ligt niet in de genoemde mappen
              geen document: de inhoud is {0}
              een afbeelding ({0}): tekst erin wordt niet herkend
              geweigerd: wordt uitgepakt veel te groot (zipbom)
              geweigerd: te diep genest
              time-out: niet te lezen in {0} s
              niet gelezen: te veel eerdere documenten lieten het lezen vastlopen
              {0}"""),
          Map.entry("pl", """
              zaszyfrowany: otwiera się tylko z hasłem
              skan: strony ({0}) zawierają tylko obrazy; rozpoznawanie tekstu jest wyłączone
              pusty: nie zawiera tekstu
              same odnośniki: strona prowadzi do innych i sama nic nie mówi
              ucięty lub uszkodzony: nie da się przeczytać do końca
              za duży: ponad {0} bajtów
              za duży: ponad {0} znaków tekstu
              nie można otworzyć: {0}
              plik specjalny: potok, gniazdo lub urządzenie nie jest otwierane
              zerwany odnośnik: nie prowadzi do żadnego pliku
              odnośnik na zewnątrz: jego cel leży poza podanymi folderami
              to nie dokument: zawartość to {0}
              obraz ({0}): tekst w nim nie jest rozpoznawany
              odrzucony: po rozpakowaniu jest ogromny (bomba zip)
              odrzucony: zbyt głęboko zagnieżdżony
              przekroczony czas: nie przeczytano w {0} s
              nie przeczytany: zbyt wiele wcześniejszych dokumentów zawiesiło odczyt
              {0}"""),
          Map.entry("ru", """
              зашифрован: открывается только с паролем
              скан: страницы ({0}) содержат только изображения; распознавание отключено
              пуст: в нём нет текста
              только ссылки: страница ведёт на другие и сама ничего не говорит
              обрезан или повреждён: не читается до конца
              слишком велик: больше {0} байт
              слишком велик: больше {0} знаков текста
              не открывается: {0}
              особый файл: канал, сокет или устройство никогда не открывается
              битая ссылка: не ведёт ни к какому файлу
              ссылка наружу: её цель лежит вне указанных папок
              не документ: содержимое — {0}
              изображение ({0}): текст в нём не распознаётся
              отклонён: при распаковке чрезмерно велик (zip-бомба)
              отклонён: слишком глубокая вложенность
              время вышло: не прочитан за {0} с
              не прочитан: слишком много предыдущих документов остановили чтение
              {0}"""),
          Map.entry("tr", """
              şifreli: yalnızca parolayla açılır
              taranmış: {0} sayfasında yalnızca resim var; metin tanıma kapalı
              boş: içinde metin yok
              yalnızca bağlantı: sayfa başkalarına götürür, kendisi bir şey söylemez
              kesik ya da bozuk: sonuna kadar okunamıyor
              çok büyük: {0} bayttan fazla
              çok büyük: {0} karakterden fazla metin
              açılamıyor: {0}
              özel dosya: boru, soket ya da aygıt hiç açılmaz
              kopuk bağlantı: hiçbir dosyaya götürmüyor
              dışarıya bağlantı: hedefi belirtilen klasörlerin dışında
              belge değil: içeriği {0}
              resim ({0}): içindeki metin tanınmıyor
              reddedildi: açılınca aşırı büyüyor (zip bombası)
              reddedildi: iç içe geçme çok derin
              süre doldu: {0} s içinde okunamadı
              okunmadı: önceki çok sayıda belge okumayı kilitledi
              {0}"""),
          Map.entry("ar", """
              مشفّر: لا يُفتح إلا بكلمة مرور
              ممسوح ضوئيًا: صفحاته ({0}) صور فقط؛ التعرف على النص متوقف
              فارغ: لا نص فيه
              روابط فقط: الصفحة تقود إلى غيرها ولا تقول شيئًا
              مبتور أو تالف: لا يُقرأ حتى نهايته
              كبير جدًا: أكثر من {0} بايت
              كبير جدًا: أكثر من {0} حرف من النص
              لا يمكن فتحه: {0}
              ملف خاص: لا يُفتح أنبوب أو مقبس أو جهاز أبدًا
              رابط مقطوع: لا يقود إلى أي ملف
              رابط إلى الخارج: هدفه خارج المجلدات المذكورة
              ليس وثيقة: محتواه {0}
              صورة ({0}): لا يُتعرّف على النص فيها
              مرفوض: يتضخم كثيرًا عند فكه (قنبلة مضغوطة)
              مرفوض: تداخل عميق جدًا
              انتهت المهلة: لم يُقرأ خلال {0} ث
              لم يُقرأ: وثائق كثيرة قبله علّقت القراءة
              {0}"""),
          Map.entry("he", """
              מוצפן: נפתח רק בסיסמה
              סרוק: {0} העמודים מכילים תמונות בלבד; זיהוי הטקסט כבוי
              ריק: אין בו טקסט
              קישורים בלבד: הדף מוביל לאחרים ואינו אומר דבר
              קטוע או פגום: אי אפשר לקרוא אותו עד סופו
              גדול מדי: יותר מ-{0} בתים
              גדול מדי: יותר מ-{0} תווי טקסט
              אי אפשר לפתוח: {0}
              קובץ מיוחד: צינור, שקע או התקן לעולם אינו נפתח
              קישור שבור: אינו מוביל לשום קובץ
              קישור החוצה: היעד שלו נמצא מחוץ לתיקיות שצוינו
              לא מסמך: התוכן הוא {0}
              תמונה ({0}): הטקסט שבה אינו מזוהה
              נדחה: מתנפח מאוד בפריסה (פצצת zip)
              נדחה: קינון עמוק מדי
              תם הזמן: לא נקרא תוך {0} שניות
              לא נקרא: מסמכים רבים מדי לפניו תקעו את הקריאה
              {0}"""),
          Map.entry("zh", """
              已加密：需要密码才能打开
              扫描件：{0} 页只有图像；文字识别未启用
              空：没有文字
              只有链接：页面只通向其他页面，自身没有内容
              被截断或已损坏：无法读到结尾
              太大：超过 {0} 字节
              太大：文字超过 {0} 个字符
              无法打开：{0}
              特殊文件：管道、套接字或设备从不打开
              失效链接：没有指向任何文件
              外部链接：其目标不在指定的文件夹内
              不是文档：内容是 {0}
              图片（{0}）：其中的文字不予识别
              已拒绝：解压后过大（压缩炸弹）
              已拒绝：嵌套过深
              超时：{0} 秒内未能读完
              未读取：之前有太多文档使读取停滞
              {0}"""),
          Map.entry("ja", """
              暗号化：パスワードがないと開けません
              スキャン画像：{0} ページに文字がなく画像だけです。文字認識は無効です
              空：文字がありません
              リンクのみ：ほかのページへの案内だけで本文がありません
              途中で切れているか破損：最後まで読めません
              大きすぎます：{0} バイトを超えています
              大きすぎます：文字数が {0} を超えています
              開けません：{0}
              特殊ファイル：パイプ、ソケット、デバイスは開きません
              リンク切れ：どのファイルも指していません
              外部へのリンク：リンク先が指定フォルダーの外にあります
              文書ではありません：内容は {0} です
              画像（{0}）：中の文字は認識しません
              拒否：展開すると極端に大きくなります（zip 爆弾）
              拒否：入れ子が深すぎます
              時間切れ：{0} 秒以内に読めませんでした
              未読：これより前の多くの文書で読み取りが止まりました
              {0}"""),
          Map.entry("ko", """
              암호화됨: 비밀번호가 있어야 열립니다
              스캔본: {0}쪽에 그림만 있음; 문자 인식이 꺼져 있습니다
              비어 있음: 글이 없습니다
              링크뿐: 다른 쪽으로 이끌 뿐 내용이 없습니다
              잘렸거나 손상됨: 끝까지 읽을 수 없습니다
              너무 큼: {0}바이트를 넘습니다
              너무 큼: 글자 수가 {0}자를 넘습니다
              열 수 없음: {0}
              특수 파일: 파이프, 소켓, 장치는 열지 않습니다
              끊어진 링크: 어떤 파일도 가리키지 않습니다
              외부 링크: 대상이 지정한 폴더 밖에 있습니다
              문서가 아님: 내용은 {0}
              그림({0}): 그 안의 글은 인식하지 않습니다
              거부됨: 압축을 풀면 지나치게 커집니다(압축 폭탄)
              거부됨: 너무 깊이 중첩되어 있습니다
              시간 초과: {0}초 안에 읽지 못했습니다
              읽지 않음: 앞선 문서가 너무 많이 읽기를 멈추게 했습니다
              {0}"""));

  private UnreadableTexts() {}
}
