import type { Language } from '../words'

/** The sentences of the buyer's page and of the mail that leads there. */
export interface BuyerWords {
  title: (project: string) => string
  ask: string
  address: string
  send: string
  badAddress: string
  sent: string
  mail: {
    subject: (project: string) => string
    hello: (project: string) => string
    open: string
    lasts: string
    ignore: string
  }
  enter: string
  linkEnded: string
  boughtOn: (date: string) => string
  nextCharge: (amount: string, date: string) => string
  nextChargeUnknown: (date: string) => string
  endsOn: (date: string) => string
  forever: string
  ended: string
  cancel: string
  keep: string
  cancelled: string
  stopped: string
  kept: string
  failed: string
  newLink: string
  card: string
  openProvider: string
  askData: string
  dataAsked: (project: string) => string
  support: (address: string) => string
  back: string
}

const en: BuyerWords = {
  title: (project) => `Your purchases from ${project}`,
  ask: 'Enter the address that you bought with. We mail you a link to your purchases.',
  address: 'E-mail address',
  send: 'Send the link',
  badAddress: 'Please enter an e-mail address.',
  sent: 'Look into your mail. If something was bought with this address, a link is there now. It works for 15 minutes.',
  mail: {
    subject: (project) => `Your purchases from ${project}`,
    hello: (project) =>
      `This link shows what you bought from ${project}. There you can cancel, and open the app again.`,
    open: 'Show my purchases',
    lasts: 'The link works once and for 15 minutes.',
    ignore: 'If you did not ask for this mail, you need not do anything.',
  },
  enter: 'Press the button to see your purchases. It works once.',
  linkEnded: 'This link was used or has ended. Enter your address to get a new one.',
  boughtOn: (date) => `Bought on ${date}`,
  nextCharge: (amount, date) => `Next charge: ${amount} on ${date}`,
  nextChargeUnknown: (date) => `Renews on ${date}`,
  endsOn: (date) => `Does not renew. You can use it until ${date}.`,
  forever: 'Paid once. It does not end.',
  ended: 'Has ended.',
  cancel: 'Cancel at the end of the period',
  keep: 'Undo the cancellation',
  cancelled: 'Your subscription is cancelled. You can undo this until it ends.',
  stopped: 'Your subscription is cancelled. Nothing more is charged.',
  kept: 'Your subscription goes on.',
  failed: 'That did not work. Nothing was changed; please try again later.',
  newLink: 'Open in the app on a phone',
  card: 'Change the card',
  openProvider: 'Go to the payment provider',
  askData: 'Ask for a copy of my data',
  dataAsked: (project) => `${project} was asked for a copy of your data.`,
  support: (address) => `Questions: ${address}`,
  back: 'Back to your purchases',
}

const de: BuyerWords = {
  title: (project) => `Deine Käufe bei ${project}`,
  ask: 'Gib die Adresse ein, mit der du gekauft hast. Wir schicken dir einen Link zu deinen Käufen.',
  address: 'E-Mail-Adresse',
  send: 'Link schicken',
  badAddress: 'Bitte gib eine E-Mail-Adresse ein.',
  sent: 'Sieh in deine Mail. Wenn mit dieser Adresse etwas gekauft wurde, ist dort jetzt ein Link. Er gilt 15 Minuten.',
  mail: {
    subject: (project) => `Deine Käufe bei ${project}`,
    hello: (project) =>
      `Dieser Link zeigt, was du bei ${project} gekauft hast. Dort kannst du kündigen und die App wieder öffnen.`,
    open: 'Meine Käufe zeigen',
    lasts: 'Der Link gilt einmal und 15 Minuten lang.',
    ignore: 'Wenn du diese Mail nicht angefordert hast, brauchst du nichts zu tun.',
  },
  enter: 'Drücke den Knopf, um deine Käufe zu sehen. Er gilt einmal.',
  linkEnded: 'Dieser Link wurde benutzt oder gilt nicht mehr. Gib deine Adresse ein, um einen neuen zu bekommen.',
  boughtOn: (date) => `Gekauft am ${date}`,
  nextCharge: (amount, date) => `Nächste Zahlung: ${amount} am ${date}`,
  nextChargeUnknown: (date) => `Verlängert sich am ${date}`,
  endsOn: (date) => `Verlängert sich nicht. Du kannst es bis ${date} benutzen.`,
  forever: 'Einmal bezahlt. Es endet nicht.',
  ended: 'Ist beendet.',
  cancel: 'Zum Ende der Laufzeit kündigen',
  keep: 'Kündigung zurücknehmen',
  cancelled: 'Dein Abo ist gekündigt. Bis es endet, kannst du das zurücknehmen.',
  stopped: 'Dein Abo ist gekündigt. Es wird nichts mehr abgebucht.',
  kept: 'Dein Abo läuft weiter.',
  failed: 'Das hat nicht geklappt. Nichts wurde geändert; bitte versuche es später noch einmal.',
  newLink: 'In der App auf einem Telefon öffnen',
  card: 'Karte ändern',
  openProvider: 'Zum Zahlungsanbieter',
  askData: 'Eine Kopie meiner Daten anfordern',
  dataAsked: (project) => `${project} wurde um eine Kopie deiner Daten gebeten.`,
  support: (address) => `Fragen: ${address}`,
  back: 'Zurück zu deinen Käufen',
}

const tr: BuyerWords = {
  title: (project) => `${project} satın alımların`,
  ask: 'Satın alırken kullandığın adresi gir. Satın alımlarına giden bir bağlantı göndeririz.',
  address: 'E-posta adresi',
  send: 'Bağlantıyı gönder',
  badAddress: 'Lütfen bir e-posta adresi gir.',
  sent: 'E-postana bak. Bu adresle bir şey satın alındıysa bağlantı şimdi oradadır. 15 dakika geçerlidir.',
  mail: {
    subject: (project) => `${project} satın alımların`,
    hello: (project) =>
      `Bu bağlantı ${project} üzerinden satın aldıklarını gösterir. Orada iptal edebilir ve uygulamayı yeniden açabilirsin.`,
    open: 'Satın alımlarımı göster',
    lasts: 'Bağlantı bir kez ve 15 dakika boyunca geçerlidir.',
    ignore: 'Bu e-postayı sen istemediysen bir şey yapmana gerek yok.',
  },
  enter: 'Satın alımlarını görmek için düğmeye bas. Bir kez geçerlidir.',
  linkEnded: 'Bu bağlantı kullanıldı veya artık geçerli değil. Yenisini almak için adresini gir.',
  boughtOn: (date) => `Satın alma tarihi: ${date}`,
  nextCharge: (amount, date) => `Sonraki ödeme: ${date} tarihinde ${amount}`,
  nextChargeUnknown: (date) => `${date} tarihinde yenilenir`,
  endsOn: (date) => `Yenilenmez. ${date} tarihine kadar kullanabilirsin.`,
  forever: 'Bir kez ödendi. Süresi dolmaz.',
  ended: 'Sona erdi.',
  cancel: 'Dönem sonunda iptal et',
  keep: 'İptali geri al',
  cancelled: 'Aboneliğin iptal edildi. Sona erene kadar bunu geri alabilirsin.',
  stopped: 'Aboneliğin iptal edildi. Artık ücret alınmaz.',
  kept: 'Aboneliğin devam ediyor.',
  failed: 'İşlem yapılamadı. Hiçbir şey değişmedi; lütfen daha sonra yeniden dene.',
  newLink: 'Telefondaki uygulamada aç',
  card: 'Kartı değiştir',
  openProvider: 'Ödeme sağlayıcısına git',
  askData: 'Verilerimin bir kopyasını iste',
  dataAsked: (project) => `${project} verilerinin bir kopyası için bilgilendirildi.`,
  support: (address) => `Sorular: ${address}`,
  back: 'Satın alımlarına dön',
}

const ja: BuyerWords = {
  title: (project) => `${project} でのご購入`,
  ask: '購入時のメールアドレスを入力してください。購入内容へのリンクをメールでお送りします。',
  address: 'メールアドレス',
  send: 'リンクを送る',
  badAddress: 'メールアドレスを入力してください。',
  sent: 'メールをご確認ください。このアドレスで購入があれば、リンクが届いています。15分間有効です。',
  mail: {
    subject: (project) => `${project} でのご購入`,
    hello: (project) => `このリンクから ${project} で購入した内容を確認し、解約したり、アプリを開き直したりできます。`,
    open: '購入内容を見る',
    lasts: 'リンクは一回限り、15分間有効です。',
    ignore: '心当たりがない場合は、何もする必要はありません。',
  },
  enter: 'ボタンを押すと購入内容が表示されます。使えるのは一度だけです。',
  linkEnded: 'このリンクは使用済みか無効です。メールアドレスを入力して新しいリンクを受け取ってください。',
  boughtOn: (date) => `購入日: ${date}`,
  nextCharge: (amount, date) => `次のお支払い: ${date} に ${amount}`,
  nextChargeUnknown: (date) => `${date} に更新されます`,
  endsOn: (date) => `更新されません。${date} まで利用できます。`,
  forever: '一回払いです。期限はありません。',
  ended: '終了しました。',
  cancel: '期間の終わりで解約する',
  keep: '解約を取り消す',
  cancelled: '解約しました。終了日までは取り消せます。',
  stopped: '解約しました。今後の請求はありません。',
  kept: 'ご契約は継続します。',
  failed: '処理できませんでした。何も変更されていません。後でもう一度お試しください。',
  newLink: 'スマートフォンのアプリで開く',
  card: 'カードを変更する',
  openProvider: '決済事業者のページへ',
  askData: '自分のデータの写しを請求する',
  dataAsked: (project) => `${project} にデータの写しを請求しました。`,
  support: (address) => `お問い合わせ: ${address}`,
  back: '購入内容に戻る',
}

const WORDS: Record<Language, BuyerWords> = { en, de, tr, ja }

export const buyerWords = (language: Language): BuyerWords => WORDS[language]
