/** The result of the last attempt to pay, which the page shows. */
export const CHECKOUT_NOTICES = [
  'declined',
  'email',
  'terms',
  'package',
  'price_changed',
  'in_flight',
  'unavailable',
  'rejected',
  'waiting',
  'promotion_code',
] as const
export type CheckoutNotice = (typeof CHECKOUT_NOTICES)[number]

export interface CheckoutWords {
  email: string
  emailHint: string
  hasPromotionCode: string
  promotionCode: string
  applyCode: string
  /** What the first payment of a package costs with the code. */
  withCode: (price: { name: string; full: string; reduced: string }) => string
  consent: string
  pay: string
  testStore: string
  testHint: string
  pays: string
  declined: string
  needsAuthentication: string
  authenticated: string
  processing: string
  closes: string
  processingHint: string
  lookAgain: string
  needsScript: string
  unavailable: string
  openHint: string
  lostLink: string
  claimed: string
  purchases: string
  anew: string
  notices: Record<CheckoutNotice, string>
}

const en: CheckoutWords = {
  email: 'Your mail address',
  emailHint: 'With it you find your purchase again, on any device.',
  hasPromotionCode: 'Do you have a promotion code?',
  promotionCode: 'Promotion code',
  applyCode: 'Use the code',
  withCode: ({ name, full, reduced }) => `${name}: ${reduced} instead of ${full} for the first payment`,
  consent: 'I agree to the terms.',
  pay: 'Pay now',
  testStore: 'Test store',
  testHint: 'Nothing is charged here. Choose how the payment ends.',
  pays: 'Pay',
  declined: 'Card is declined',
  needsAuthentication: 'Bank asks for a confirmation',
  authenticated: 'Confirm at the bank',
  processing: 'Payment takes days',
  closes: 'Close the page',
  processingHint: 'We wait for your bank. You can close this page: a mail will tell you when the payment has come in.',
  lookAgain: 'Look again',
  needsScript: 'Paying by card needs JavaScript. Please switch it on and load this page again.',
  unavailable: 'Nothing can be paid here at the moment.',
  openHint: 'Open the app on your phone with this link or code. It can be used once.',
  lostLink: 'Get a new link by mail',
  claimed: 'Your purchase is in the app.',
  purchases: 'See or cancel your purchase',
  anew: 'Somebody else? Begin anew',
  notices: {
    declined: 'The payment was declined, and nothing was charged. Please try again.',
    email: 'Please enter a mail address, like name@example.com.',
    terms: 'Please agree to the terms first.',
    package: 'Please choose a plan.',
    price_changed: 'The price has changed. Please look at it again before you pay.',
    in_flight: 'Another attempt to pay is running. Please wait a moment.',
    unavailable: 'The payment cannot be handled at the moment. Please try again in a minute.',
    rejected: 'The payment was refused, and nothing was charged.',
    waiting: 'The payment has not come in yet.',
    promotion_code: 'This code cannot be used for the chosen plan. Please check it, or leave the field empty.',
  },
}

const de: CheckoutWords = {
  email: 'Ihre E-Mail-Adresse',
  emailHint: 'Mit ihr finden Sie Ihren Kauf wieder, auf jedem Gerät.',
  hasPromotionCode: 'Haben Sie einen Aktionscode?',
  promotionCode: 'Aktionscode',
  applyCode: 'Code einlösen',
  withCode: ({ name, full, reduced }) => `${name}: ${reduced} statt ${full} für die erste Zahlung`,
  consent: 'Ich stimme den AGB zu.',
  pay: 'Jetzt bezahlen',
  testStore: 'Test-Store',
  testHint: 'Hier wird nichts berechnet. Wählen Sie, wie die Zahlung ausgeht.',
  pays: 'Bezahlen',
  declined: 'Karte wird abgelehnt',
  needsAuthentication: 'Bank verlangt eine Bestätigung',
  authenticated: 'Bei der Bank bestätigen',
  processing: 'Zahlung dauert Tage',
  closes: 'Seite schließen',
  processingHint:
    'Wir warten auf Ihre Bank. Sie können die Seite schließen: Eine E-Mail meldet, wenn die Zahlung eingegangen ist.',
  lookAgain: 'Noch einmal nachsehen',
  needsScript: 'Die Kartenzahlung braucht JavaScript. Bitte einschalten und die Seite neu laden.',
  unavailable: 'Hier kann im Moment nichts bezahlt werden.',
  openHint: 'Öffnen Sie die App auf Ihrem Telefon mit diesem Link oder Code. Er gilt einmal.',
  lostLink: 'Neuen Link per E-Mail erhalten',
  claimed: 'Ihr Kauf ist in der App.',
  purchases: 'Kauf ansehen oder kündigen',
  anew: 'Jemand anderes? Neu beginnen',
  notices: {
    declined: 'Die Zahlung wurde abgelehnt, es wurde nichts berechnet. Bitte noch einmal versuchen.',
    email: 'Bitte eine E-Mail-Adresse eingeben, etwa name@example.com.',
    terms: 'Bitte zuerst den AGB zustimmen.',
    package: 'Bitte einen Tarif wählen.',
    price_changed: 'Der Preis hat sich geändert. Bitte vor der Zahlung noch einmal ansehen.',
    in_flight: 'Eine andere Zahlung läuft gerade. Bitte einen Moment warten.',
    unavailable: 'Die Zahlung ist im Moment nicht möglich. Bitte in einer Minute noch einmal versuchen.',
    rejected: 'Die Zahlung wurde abgewiesen, es wurde nichts berechnet.',
    waiting: 'Die Zahlung ist noch nicht eingegangen.',
    promotion_code: 'Dieser Code gilt nicht für den gewählten Tarif. Bitte prüfen oder das Feld leer lassen.',
  },
}

const tr: CheckoutWords = {
  email: 'E-posta adresiniz',
  emailHint: 'Satın aldığınızı her cihazda bu adresle yeniden bulursunuz.',
  hasPromotionCode: 'Promosyon kodunuz var mı?',
  promotionCode: 'Promosyon kodu',
  applyCode: 'Kodu kullan',
  withCode: ({ name, full, reduced }) => `${name}: ilk ödeme ${full} yerine ${reduced}`,
  consent: 'Koşulları kabul ediyorum.',
  pay: 'Şimdi öde',
  testStore: 'Test mağazası',
  testHint: 'Burada ücret alınmaz. Ödemenin nasıl biteceğini seçin.',
  pays: 'Öde',
  declined: 'Kart reddedilir',
  needsAuthentication: 'Banka onay ister',
  authenticated: 'Bankada onayla',
  processing: 'Ödeme günler sürer',
  closes: 'Sayfayı kapat',
  processingHint: 'Bankanızı bekliyoruz. Sayfayı kapatabilirsiniz: ödeme gelince size e-posta göndeririz.',
  lookAgain: 'Yeniden bak',
  needsScript: 'Kartla ödeme için JavaScript gerekir. Lütfen açın ve sayfayı yeniden yükleyin.',
  unavailable: 'Şu anda burada ödeme yapılamıyor.',
  openHint: 'Uygulamayı telefonunuzda bu bağlantı veya kodla açın. Bir kez kullanılabilir.',
  lostLink: 'E-postayla yeni bağlantı al',
  claimed: 'Satın aldığınız uygulamada.',
  purchases: 'Satın alımınızı görün veya iptal edin',
  anew: 'Başka biri misiniz? Baştan başlayın',
  notices: {
    declined: 'Ödeme reddedildi ve ücret alınmadı. Lütfen yeniden deneyin.',
    email: 'Lütfen ad@example.com gibi bir e-posta adresi girin.',
    terms: 'Lütfen önce koşulları kabul edin.',
    package: 'Lütfen bir plan seçin.',
    price_changed: 'Fiyat değişti. Lütfen ödemeden önce yeniden bakın.',
    in_flight: 'Başka bir ödeme sürüyor. Lütfen biraz bekleyin.',
    unavailable: 'Ödeme şu anda yapılamıyor. Lütfen bir dakika sonra yeniden deneyin.',
    rejected: 'Ödeme kabul edilmedi ve ücret alınmadı.',
    waiting: 'Ödeme henüz gelmedi.',
    promotion_code: 'Bu kod seçilen planda kullanılamaz. Lütfen kodu kontrol edin veya alanı boş bırakın.',
  },
}

const ja: CheckoutWords = {
  email: 'メールアドレス',
  emailHint: 'どの端末からでも、このアドレスで購入を見つけられます。',
  hasPromotionCode: 'プロモーションコードをお持ちですか？',
  promotionCode: 'プロモーションコード',
  applyCode: 'コードを使う',
  withCode: ({ name, full, reduced }) => `${name}：初回のお支払いが ${full} から ${reduced} になります`,
  consent: '利用規約に同意します。',
  pay: '今すぐ支払う',
  testStore: 'テストストア',
  testHint: 'ここでは請求されません。支払いの結果を選んでください。',
  pays: '支払う',
  declined: 'カードが拒否される',
  needsAuthentication: '銀行が確認を求める',
  authenticated: '銀行で確認する',
  processing: '支払いに数日かかる',
  closes: 'ページを閉じる',
  processingHint: '銀行の処理を待っています。ページを閉じても構いません。入金が確認できたらメールでお知らせします。',
  lookAgain: 'もう一度確認する',
  needsScript: 'カードでの支払いには JavaScript が必要です。有効にして、ページを読み込み直してください。',
  unavailable: '現在、ここでは支払いができません。',
  openHint: 'このリンクまたはコードで、スマートフォンのアプリを開いてください。使えるのは一度だけです。',
  lostLink: '新しいリンクをメールで受け取る',
  claimed: '購入した内容はアプリにあります。',
  purchases: '購入内容の確認・解約',
  anew: '別の方はこちらから最初に戻る',
  notices: {
    declined: '支払いは拒否されました。請求はされていません。もう一度お試しください。',
    email: 'name@example.com のようなメールアドレスを入力してください。',
    terms: '先に利用規約に同意してください。',
    package: 'プランを選んでください。',
    price_changed: '価格が変わりました。支払う前にもう一度ご確認ください。',
    in_flight: '別の支払いが進行中です。少しお待ちください。',
    unavailable: '現在、支払いを処理できません。1 分後にもう一度お試しください。',
    rejected: '支払いは受け付けられませんでした。請求はされていません。',
    waiting: '入金はまだ確認できていません。',
    promotion_code: 'このコードは選択中のプランには使えません。コードを確認するか、空欄にしてください。',
  },
}

const ALL: Readonly<Record<string, CheckoutWords>> = { en, de, tr, ja }

/** The words of the language of a locale; English where there are none. */
export const checkoutWords = (locale: string): CheckoutWords => ALL[locale.toLowerCase().split('-')[0] ?? ''] ?? en
