/** The sentences of mails and pages of claims. */
export interface ClaimWords {
  openApp: string
  openAppOnPhone: string
  getApp: (store: string) => string
  appMail: {
    subject: (project: string) => string
    hello: (project: string) => string
    bought: (product: string, date: string) => string
    lasts: string
    ignore: string
  }
  /** Of a payment that came in after days. */
  paidMail: {
    subject: (project: string) => string
    hello: (project: string) => string
    lasts: (date: string) => string
    later: (address: string) => string
  }
  magic: { title: string; text: string; ended: string; endedText: string }
  foreign: string
  noApp: string
  code: string
  linkEnded: { title: string; text: string }
}

const en: ClaimWords = {
  openApp: 'Open the app',
  openAppOnPhone: 'Scan this code with the phone on which you want to use the app.',
  getApp: (store) => `Get the app: ${store}`,
  appMail: {
    subject: (project) => `Your purchase in ${project}`,
    hello: (project) => `With this mail, what you bought from ${project} opens in the app.`,
    bought: (product, date) => `${product}, bought on ${date}`,
    lasts: 'The link works once and for 15 minutes. Open it on the phone on which you use the app.',
    ignore: 'If you did not ask for this mail, you need not do anything.',
  },
  paidMail: {
    subject: (project) => `Your payment to ${project} has come in`,
    hello: (project) => `Your payment has come in. What you bought from ${project} is ready in the app.`,
    lasts: (date) => `The link works once, until ${date}. Open it on the phone on which you use the app.`,
    later: (address) => `You get a new link at any time with this address: ${address}`,
  },
  magic: {
    title: 'Open your purchase in the app',
    text: 'Press the button on the phone on which you use the app.',
    ended: 'This link has ended',
    endedText: 'It works once and for a limited time. Ask for a new one in the app or on the page of your purchase.',
  },
  foreign: 'Nothing was changed. Open the link of the mail again and press its button.',
  noApp: 'The app cannot be opened from here. Open it yourself and enter this code:',
  code: 'Code',
  linkEnded: { title: 'This link has ended', text: 'Ask for a new one with the address that you bought with.' },
}

const de: ClaimWords = {
  openApp: 'App öffnen',
  openAppOnPhone: 'Scanne diesen Code mit dem Telefon, auf dem du die App benutzen willst.',
  getApp: (store) => `App holen: ${store}`,
  appMail: {
    subject: (project) => `Dein Kauf bei ${project}`,
    hello: (project) => `Mit dieser Mail öffnest du in der App, was du bei ${project} gekauft hast.`,
    bought: (product, date) => `${product}, gekauft am ${date}`,
    lasts: 'Der Link gilt einmal und 15 Minuten lang. Öffne ihn auf dem Telefon, auf dem du die App benutzt.',
    ignore: 'Wenn du diese Mail nicht angefordert hast, brauchst du nichts zu tun.',
  },
  paidMail: {
    subject: (project) => `Deine Zahlung an ${project} ist eingegangen`,
    hello: (project) => `Deine Zahlung ist eingegangen. Was du bei ${project} gekauft hast, ist in der App bereit.`,
    lasts: (date) => `Der Link gilt einmal, bis zum ${date}. Öffne ihn auf dem Telefon, auf dem du die App benutzt.`,
    later: (address) => `Einen neuen Link bekommst du jederzeit mit dieser Mail-Adresse hier: ${address}`,
  },
  magic: {
    title: 'Deinen Kauf in der App öffnen',
    text: 'Drücke den Knopf auf dem Telefon, auf dem du die App benutzt.',
    ended: 'Dieser Link gilt nicht mehr',
    endedText:
      'Er gilt einmal und nur für eine bestimmte Zeit. Fordere in der App oder auf der Seite deines Kaufs einen neuen an.',
  },
  foreign: 'Nichts wurde geändert. Öffne den Link der Mail noch einmal und drücke den Knopf.',
  noApp: 'Die App lässt sich von hier nicht öffnen. Öffne sie selbst und gib diesen Code ein:',
  code: 'Code',
  linkEnded: {
    title: 'Dieser Link gilt nicht mehr',
    text: 'Fordere mit der Adresse, mit der du gekauft hast, einen neuen an.',
  },
}

const tr: ClaimWords = {
  openApp: 'Uygulamayı aç',
  openAppOnPhone: 'Bu kodu, uygulamayı kullanacağın telefonla tara.',
  getApp: (store) => `Uygulamayı indir: ${store}`,
  appMail: {
    subject: (project) => `${project} satın alımın`,
    hello: (project) => `Bu e-posta ile ${project} üzerinden satın aldıkların uygulamada açılır.`,
    bought: (product, date) => `${product}, satın alma tarihi ${date}`,
    lasts: 'Bağlantı bir kez ve 15 dakika boyunca geçerlidir. Uygulamayı kullandığın telefonda aç.',
    ignore: 'Bu e-postayı sen istemediysen bir şey yapmana gerek yok.',
  },
  paidMail: {
    subject: (project) => `${project} ödemen geldi`,
    hello: (project) => `Ödemen geldi. ${project} üzerinden satın aldıkların uygulamada hazır.`,
    lasts: (date) => `Bağlantı bir kez geçerlidir, son gün: ${date}. Uygulamayı kullandığın telefonda aç.`,
    later: (address) => `Bu e-posta adresiyle istediğin zaman yeni bir bağlantı alabilirsin: ${address}`,
  },
  magic: {
    title: 'Satın alımını uygulamada aç',
    text: 'Uygulamayı kullandığın telefonda düğmeye bas.',
    ended: 'Bu bağlantı artık geçerli değil',
    endedText: 'Bir kez ve sınırlı bir süre geçerlidir. Uygulamada veya satın alımının sayfasında yenisini iste.',
  },
  foreign: 'Hiçbir şey değişmedi. E-postadaki bağlantıyı yeniden aç ve düğmeye bas.',
  noApp: 'Uygulama buradan açılamıyor. Uygulamayı kendin aç ve bu kodu gir:',
  code: 'Kod',
  linkEnded: { title: 'Bu bağlantı artık geçerli değil', text: 'Satın alırken kullandığın adresle yenisini iste.' },
}

const ja: ClaimWords = {
  openApp: 'アプリを開く',
  openAppOnPhone: 'アプリを使うスマートフォンでこのコードを読み取ってください。',
  getApp: (store) => `アプリを入手: ${store}`,
  appMail: {
    subject: (project) => `${project} のご購入`,
    hello: (project) => `このメールから、${project} で購入した内容をアプリで開けます。`,
    bought: (product, date) => `${product}（購入日 ${date}）`,
    lasts: 'リンクは一回限り、15分間有効です。アプリを使うスマートフォンで開いてください。',
    ignore: '心当たりがない場合は、何もする必要はありません。',
  },
  paidMail: {
    subject: (project) => `${project} へのお支払いを確認しました`,
    hello: (project) => `お支払いを確認しました。${project} で購入した内容をアプリで利用できます。`,
    lasts: (date) => `リンクは一回限り、${date} まで有効です。アプリを使うスマートフォンで開いてください。`,
    later: (address) => `新しいリンクは、このメールアドレスでいつでも受け取れます: ${address}`,
  },
  magic: {
    title: '購入した内容をアプリで開く',
    text: 'アプリを使うスマートフォンでボタンを押してください。',
    ended: 'このリンクは無効です',
    endedText: 'リンクは一回限りで、有効期限があります。アプリまたは購入のページで新しいリンクを請求してください。',
  },
  foreign: '何も変更されていません。メールのリンクをもう一度開き、ボタンを押してください。',
  noApp: 'ここからアプリを開けません。アプリを開いて次のコードを入力してください。',
  code: 'コード',
  linkEnded: { title: 'このリンクは無効です', text: '購入時のメールアドレスで新しいリンクを請求してください。' },
}

export const LANGUAGES = ['en', 'de', 'tr', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

const WORDS: Record<Language, ClaimWords> = { en, de, tr, ja }

/** The language of a locale or of an `Accept-Language` header; English when it is none of ours. */
export function languageFor(wanted: string | null): Language {
  const tags = (wanted ?? '').split(',').map((tag) => tag.trim().toLowerCase().split(/[-;]/)[0])
  return LANGUAGES.find((one) => tags.find((tag) => LANGUAGES.some((known) => known === tag)) === one) ?? 'en'
}

export const wordsOf = (language: Language): ClaimWords => WORDS[language]

/** A day as people of the language write it. */
export const dateText = (instant: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(instant)
