import type { AnswerFault } from '../answers'

export interface Words {
  next: string
  back: string
  skip: string
  pay: string
  openApp: string
  /** The name of the frame of an `html` block, for those who do not see it. */
  frame: string
  done: string
  progress: string
  required: string
  terms: string
  privacy: string
  preview: string
  noPrice: string
  centimetres: string
  kilograms: string
  perDay: (price: string) => string
  every: Record<'day' | 'week' | 'month' | 'year', (count: number) => string>
  once: string
  trial: (days: number) => string
  renews: (price: string, period: string) => string
  /** In place of a page: there is none, too many were asked for, or ours failed. */
  missing: Notice
  busy: Notice
  trouble: Notice
  faults: Record<AnswerFault, string>
}

export interface Notice {
  title: string
  text: string
}

const en: Words = {
  next: 'Go on',
  back: 'Back',
  skip: 'Skip',
  pay: 'Pay now',
  openApp: 'Open the app',
  frame: 'More content',
  done: 'You are done.',
  progress: 'Progress',
  required: 'required',
  terms: 'Terms',
  privacy: 'Privacy',
  preview: 'Preview: nothing is saved and nothing is charged',
  noPrice: 'The price is not available at the moment.',
  centimetres: 'cm',
  kilograms: 'kg',
  perDay: (price) => `${price} per day`,
  every: {
    day: (count) => (count === 1 ? 'per day' : `every ${count} days`),
    week: (count) => (count === 1 ? 'per week' : `every ${count} weeks`),
    month: (count) => (count === 1 ? 'per month' : `every ${count} months`),
    year: (count) => (count === 1 ? 'per year' : `every ${count} years`),
  },
  once: 'one payment',
  trial: (days) => (days === 1 ? '1 day free' : `${days} days free`),
  renews: (price, period) => `${price} ${period} until you cancel.`,
  missing: { title: 'This page is not here', text: 'Check the address, or ask where you found it for a new one.' },
  busy: { title: 'Too many requests', text: 'Wait a minute and load the page again.' },
  trouble: { title: 'Something went wrong', text: 'Load the page again. What you have answered is kept.' },
  faults: {
    required: 'Please answer this.',
    unknown_option: 'Please choose one of the options.',
    not_a_number: 'Please enter a number.',
    too_low: 'This number is too low.',
    too_high: 'This number is too high.',
    too_short: 'This is too short.',
    too_long: 'This is too long.',
    too_few: 'Please choose more.',
    too_many: 'Please choose fewer.',
    not_a_date: 'Please enter a date.',
    too_early: 'This date is too early.',
    too_late: 'This date is too late.',
    not_an_email: 'Please enter a mail address, like name@example.com.',
    not_a_phone: 'Please enter a phone number, like +44 20 7946 0000.',
    not_a_zip: 'Please enter a postal code.',
    not_accepted: 'Please accept this to go on.',
    wrong_type: 'This cannot be read. Please enter it again.',
  },
}

const de: Words = {
  next: 'Weiter',
  back: 'Zurück',
  skip: 'Überspringen',
  pay: 'Jetzt bezahlen',
  openApp: 'App öffnen',
  frame: 'Weiterer Inhalt',
  done: 'Fertig.',
  progress: 'Fortschritt',
  required: 'erforderlich',
  terms: 'AGB',
  privacy: 'Datenschutz',
  preview: 'Vorschau: Es wird nichts gespeichert und nichts berechnet',
  noPrice: 'Der Preis ist im Moment nicht verfügbar.',
  centimetres: 'cm',
  kilograms: 'kg',
  perDay: (price) => `${price} pro Tag`,
  every: {
    day: (count) => (count === 1 ? 'pro Tag' : `alle ${count} Tage`),
    week: (count) => (count === 1 ? 'pro Woche' : `alle ${count} Wochen`),
    month: (count) => (count === 1 ? 'pro Monat' : `alle ${count} Monate`),
    year: (count) => (count === 1 ? 'pro Jahr' : `alle ${count} Jahre`),
  },
  once: 'einmalige Zahlung',
  trial: (days) => (days === 1 ? '1 Tag kostenlos' : `${days} Tage kostenlos`),
  renews: (price, period) => `${price} ${period} bis zur Kündigung.`,
  missing: {
    title: 'Diese Seite gibt es nicht',
    text: 'Bitte die Adresse prüfen oder dort nach einer neuen fragen, wo sie herkommt.',
  },
  busy: { title: 'Zu viele Anfragen', text: 'Bitte eine Minute warten und die Seite neu laden.' },
  trouble: { title: 'Etwas ist schiefgegangen', text: 'Bitte die Seite neu laden. Die Antworten bleiben erhalten.' },
  faults: {
    required: 'Bitte beantworten.',
    unknown_option: 'Bitte eine der Möglichkeiten wählen.',
    not_a_number: 'Bitte eine Zahl eingeben.',
    too_low: 'Die Zahl ist zu klein.',
    too_high: 'Die Zahl ist zu groß.',
    too_short: 'Das ist zu kurz.',
    too_long: 'Das ist zu lang.',
    too_few: 'Bitte mehr auswählen.',
    too_many: 'Bitte weniger auswählen.',
    not_a_date: 'Bitte ein Datum eingeben.',
    too_early: 'Das Datum ist zu früh.',
    too_late: 'Das Datum ist zu spät.',
    not_an_email: 'Bitte eine E-Mail-Adresse eingeben, etwa name@example.com.',
    not_a_phone: 'Bitte eine Telefonnummer eingeben, etwa +49 30 901820.',
    not_a_zip: 'Bitte eine Postleitzahl eingeben.',
    not_accepted: 'Bitte zustimmen, um weiterzugehen.',
    wrong_type: 'Das ist nicht lesbar. Bitte noch einmal eingeben.',
  },
}

const tr: Words = {
  next: 'Devam et',
  back: 'Geri',
  skip: 'Atla',
  pay: 'Şimdi öde',
  openApp: 'Uygulamayı aç',
  frame: 'Diğer içerik',
  done: 'Tamamlandı.',
  progress: 'İlerleme',
  required: 'zorunlu',
  terms: 'Koşullar',
  privacy: 'Gizlilik',
  preview: 'Önizleme: hiçbir şey kaydedilmez ve ücret alınmaz',
  noPrice: 'Fiyat şu anda alınamıyor.',
  centimetres: 'cm',
  kilograms: 'kg',
  perDay: (price) => `günde ${price}`,
  every: {
    day: (count) => (count === 1 ? 'her gün' : `her ${count} günde`),
    week: (count) => (count === 1 ? 'her hafta' : `her ${count} haftada`),
    month: (count) => (count === 1 ? 'her ay' : `her ${count} ayda`),
    year: (count) => (count === 1 ? 'her yıl' : `her ${count} yılda`),
  },
  once: 'tek ödeme',
  trial: (days) => `${days} gün ücretsiz`,
  renews: (price, period) => `İptal edene kadar ${period} ${price}.`,
  missing: { title: 'Bu sayfa yok', text: 'Adresi kontrol et ya da bulduğun yerden yenisini iste.' },
  busy: { title: 'Çok fazla istek', text: 'Bir dakika bekle ve sayfayı yeniden yükle.' },
  trouble: { title: 'Bir sorun oluştu', text: 'Sayfayı yeniden yükle. Yanıtların saklandı.' },
  faults: {
    required: 'Lütfen yanıtla.',
    unknown_option: 'Lütfen seçeneklerden birini seç.',
    not_a_number: 'Lütfen bir sayı gir.',
    too_low: 'Bu sayı çok küçük.',
    too_high: 'Bu sayı çok büyük.',
    too_short: 'Bu çok kısa.',
    too_long: 'Bu çok uzun.',
    too_few: 'Lütfen daha fazla seç.',
    too_many: 'Lütfen daha az seç.',
    not_a_date: 'Lütfen bir tarih gir.',
    too_early: 'Bu tarih çok erken.',
    too_late: 'Bu tarih çok geç.',
    not_an_email: 'Lütfen bir e-posta adresi gir, örneğin ad@example.com.',
    not_a_phone: 'Lütfen bir telefon numarası gir, örneğin +90 212 000 00 00.',
    not_a_zip: 'Lütfen bir posta kodu gir.',
    not_accepted: 'Devam etmek için lütfen kabul et.',
    wrong_type: 'Bu okunamadı. Lütfen yeniden gir.',
  },
}

const ja: Words = {
  next: '次へ',
  back: '戻る',
  skip: 'スキップ',
  pay: '今すぐ支払う',
  openApp: 'アプリを開く',
  frame: 'その他のコンテンツ',
  done: '完了しました。',
  progress: '進み具合',
  required: '必須',
  terms: '利用規約',
  privacy: 'プライバシー',
  preview: 'プレビュー：保存も請求もされません',
  noPrice: '現在、価格を表示できません。',
  centimetres: 'cm',
  kilograms: 'kg',
  perDay: (price) => `1日あたり${price}`,
  every: {
    day: (count) => (count === 1 ? '毎日' : `${count}日ごと`),
    week: (count) => (count === 1 ? '毎週' : `${count}週間ごと`),
    month: (count) => (count === 1 ? '毎月' : `${count}か月ごと`),
    year: (count) => (count === 1 ? '毎年' : `${count}年ごと`),
  },
  once: '1回払い',
  trial: (days) => `${days}日間無料`,
  renews: (price, period) => `解約するまで${period}${price}です。`,
  missing: {
    title: 'このページはありません',
    text: 'アドレスを確認するか、見つけた場所で新しいものをお尋ねください。',
  },
  busy: { title: 'リクエストが多すぎます', text: '1分待ってから、もう一度読み込んでください。' },
  trouble: { title: '問題が発生しました', text: 'もう一度読み込んでください。回答は保存されています。' },
  faults: {
    required: '回答してください。',
    unknown_option: '選択肢から選んでください。',
    not_a_number: '数字を入力してください。',
    too_low: '数字が小さすぎます。',
    too_high: '数字が大きすぎます。',
    too_short: '短すぎます。',
    too_long: '長すぎます。',
    too_few: 'もっと選んでください。',
    too_many: '選択が多すぎます。',
    not_a_date: '日付を入力してください。',
    too_early: '日付が早すぎます。',
    too_late: '日付が遅すぎます。',
    not_an_email: 'name@example.com のようなメールアドレスを入力してください。',
    not_a_phone: '+81 3 0000 0000 のような電話番号を入力してください。',
    not_a_zip: '郵便番号を入力してください。',
    not_accepted: '続けるには同意してください。',
    wrong_type: '読み取れません。もう一度入力してください。',
  },
}

const ALL: Record<string, Words> = { en, de, tr, ja }

/** Our own texts in the language of a locale, else in English. */
export const wordsFor = (locale: string): Words => ALL[locale.toLowerCase().split('-')[0] ?? ''] ?? en

const RIGHT_TO_LEFT = new Set(['ar', 'he', 'fa', 'ur', 'yi', 'ps', 'sd', 'ug', 'ckb', 'dv'])

export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(locale.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr'
