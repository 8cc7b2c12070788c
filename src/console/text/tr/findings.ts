import type { texts as english } from '../en/findings'

const KEYS = 'Açık anahtarların adresi'
const REFUSED = 'bu yüzden kimlik belirteçleri reddediliyor'
const CORRECT_KEYS = 'Açık anahtarların adresini düzeltin.'
const MASTER = 'ya da sunucuyu işleten önceki ana anahtarı geri getirsin.'
const RECEIVER = 'Alıcıyı düzeltin, uç noktayı yeniden açın ve kaçırdıklarını yeniden gönderin.'
const RATES = 'Kurları sunucuyu işleten yükler. Kuru olmayan satırları grafik gösterir.'

const words: (typeof english)['words'] = {
  STORED_BROKEN: ['Kayıtlı bir nesne bozuk: {kind} {id}, yeri {path} ({message})', 'Yeniden kaydedin.'],
  NO_API_KEY: ['Geçerli API anahtarı yok', 'Bir API anahtarı oluşturun.'],
  CREDENTIALS_SEALED: ['Kayıtlı anahtarlar açılamıyor: {section}', `Yeniden kaydedin ${MASTER}`],
  NO_IOS_BUNDLE_ID: [
    'Paket kimliği girilmemiş, bu yüzden iOS makbuzları reddediliyor',
    'Uygulamanın paket kimliğini girin.',
  ],
  NO_IOS_APP_ID: [
    'Uygulamanın Apple kimliği girilmemiş, bu yüzden canlı ortam bildirimleri bekliyor',
    'Uygulamanın Apple kimliğini girin.',
  ],
  NO_ANDROID_ORDERS: [
    'Google Play siparişleri hizmet hesabına göstermiyor, bu yüzden tek seferlik alımların ve kısmi iadelerin tutarı yok',
    'Play Console’da hizmet hesabına finansal verileri görme izni verin.',
  ],
  NO_PAYMENT_ACCOUNT: ['Ürünlerin ödeme kimliği var, ama bağlı ödeme hesabı yok', 'Bir ödeme hesabı bağlayın.'],
  NO_PAYMENT_SECRET_KEY: [
    'Ödeme sağlayıcısının gizli anahtarı kayıtlı değil, bu yüzden web’de satış yok',
    'Gizli anahtarı girin.',
  ],
  NO_PAYMENT_WEBHOOK_SECRET: [
    'Ödeme sağlayıcısının imza sırrı kayıtlı değil, bu yüzden her olay reddediliyor',
    'Webhook imza sırrını girin.',
  ],
  PAYMENT_MODES_DIFFER: [
    'Gizli anahtar {keyMode} modunda, hesap {mode} modunda',
    'Anahtar ile hesabı aynı moda getirin.',
  ],
  NO_PLATFORM_KEYS: [
    'Proje bağlı bir hesapla satıyor, ama sunucuda platformun {mode} modu anahtarları yok',
    'Bunları sunucuyu işleten girer.',
  ],
  NO_PUBLISHABLE_KEY: [
    'Yayımlanabilir anahtar kayıtlı değil, bu yüzden şu hunilerde kimse ödeyemez: {names}',
    'Yayımlanabilir anahtarı girin.',
  ],
  SHIELD_NO_CONSENT: [
    'İade kalkanı, müşterileriniz onay verene kadar yanıt vermez',
    'Müşterilerinizin onayını doğrulayın.',
  ],
  SHIELD_NO_KEY: ['İade kalkanının yanıt vereceği anahtar yok', 'Uygulama İçi Satın Alma anahtarını kaydedin.'],
  SDK_DOOR_TEST_STORE: [
    'Herkese açık anahtara sahip uygulamalar test mağazasından satın alabilir',
    "Testlerden sonra eski SDK'lı uygulamalar için test mağazasını kapatın.",
  ],
  SDK_DOOR_NO_STORE: [
    "Eski SDK'lı uygulamalar yanıt alıyor, ama bağlı mağaza yok",
    "App Store'u veya Google Play'i bağlayın.",
  ],
  SDK_DOOR_NO_PLANS: [
    "Eski SDK'lı Android uygulamaları temel planı olmayan abonelikleri göstermez: {names}",
    'Her ürünün temel planını girin.',
  ],
  NOTIFICATIONS_FAILED: [
    'Son 24 saatte işlenemeyen mağaza bildirimleri: {count}',
    'Bakın, nedenini giderin ve yeniden işleyin.',
  ],
  NOTIFICATIONS_WAIT: [
    'Bekleyen mağaza bildirimleri: {count}, en eskisi {minutes} dakikadır',
    'Bir sunucunun çalıştığını ve mağazaların ona yanıt verdiğini denetleyin.',
  ],
  NO_DEFAULT_OFFERING: ['Varsayılan teklif yok', 'Birini varsayılan yapın.'],
  PRODUCTS_GIVE_NOTHING: ['Şu ürünler ne erişim ne de kredi veriyor: {names}', 'Her birinin ne vereceğini girin.'],
  PRODUCTS_WITHOUT_PERIOD: [
    'Şu App Store aboneliklerinin süresi yok, bu yüzden yenilenmeyen hiç bitmez: {names}',
    'Her birinin süresini girin.',
  ],
  PRODUCTS_TEST_STORE_ONLY: [
    'Şu ürünlerin mağaza kimliği yok, bu yüzden onları yalnızca test mağazası satar: {names}',
    'Her birinin mağazasındaki kimliğini girin.',
  ],
  PRODUCTS_UNSOLD: [
    'Şu ürünlerin mağaza kimliği yok, bu yüzden onları hiçbir mağaza satmaz: {names}',
    'Her birinin mağazasındaki kimliğini girin.',
  ],
  PRODUCTS_MISSING: [
    'Satın alınan, ama katalogda olmayan ürünler ({store}): {names}',
    'Her kimlik için bir ürün ekleyin; alımlar kısa süre sonra erişim verir.',
  ],
  PURCHASES_FORMER_KEY: [
    'Anahtarı önceki bir sürümden kalan App Store alımları: {count}',
    'Ürünü katalogda olunca çalışan sunucu her birini dakikalar içinde düzeltir.',
  ],
  CHARGES_COPIED: [
    'Ödemeleri önceki bir sürümce iki kez kaydedilen App Store abonelikleri: en az {count}',
    'Çalışan sunucu bunları dakikalar içinde birleştirir.',
  ],
  CREDIT_DOUBLED: [
    '{subscriber}, {purchase} için ikinci kez {amount} {currency} aldı',
    'İki kez verilen krediyi sunucuyu işleten geri alır.',
  ],
  IDENTITY_SECRET_SEALED: ['Kimlik sırrı açılamıyor', `Sırrı yenileyin ${MASTER}`],
  IDENTITY_NOTHING_CHECKS: [
    'Kimlik belirteçleri isteniyor, ama onları denetleyen bir şey yok',
    'Bir kimlik sırrı oluşturun ya da açık anahtarlarınızın adresini girin.',
  ],
  IDENTITY_KEYS_ADDRESS: [`${KEYS} çağrılamıyor, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_TIMEOUT: [`${KEYS} zamanında yanıt vermiyor, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_UNREACHABLE: [`${KEYS} ulaşılamaz durumda, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_TOO_LARGE: [`${KEYS} 512 KiB’tan büyük yanıt veriyor, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_STATUS: [`${KEYS} {status} yanıtı veriyor, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_MALFORMED: [`${KEYS} JWKS olmayan bir yanıt veriyor, ${REFUSED}`, CORRECT_KEYS],
  IDENTITY_KEYS_EMPTY: [
    `${KEYS} kullanılabilir anahtar içermiyor, bu yüzden kimlik belirteçleri geçersiz`,
    'Orada bir anahtar yayımlayın ya da adresi düzeltin.',
  ],
  AUDIENCE_LISTS_STALE: [
    'Şu kitlelerin kimlik listeleri başka bir ana anahtarla özetlenmiş ve kimseyle eşleşmiyor: {names}',
    `Listeleri yeniden gönderin ${MASTER}`,
  ],
  RULE_CHANGED: [
    'Bir kural öncekinden başka bir anlama geliyor: {name}, {path} ({message})',
    'Doğruysa, örneğin açıklamada herhangi bir değişiklikle kaydedin; bu uyarı biter.',
  ],
  RULES_CHANGED_MORE: ['Listeleri artık öğelerine göre karşılaştıran diğer kurallar: {count}', null],
  CERTIFICATE_EXPIRED: ['{hostname} sertifikasının süresi doldu; ziyaretçiler uyarılıyor', 'Yenileyin.'],
  DOMAIN_HELD: ['{hostname} alan adını başka bir proje kanıtladı', 'Silin ya da öteki proje onu bıraksın.'],
  DOMAIN_FAILED: [
    '{hostname} alan adı başarısız: TXT kaydı 72 saat görülmedi',
    'Alan adının gösterdiği kayıtları ekleyin, sonra denetleyin.',
  ],
  DOMAIN_PENDING: ['{hostname} alan adı TXT kaydını bekliyor', 'Alan adı eksik kaydı gösterir.'],
  DOMAIN_RECORD_GONE: [
    '{hostname} alan adının TXT kaydı kayboldu',
    'Yeniden ekleyin, yoksa sayfaları kaybolmasından 7 gün sonra durur.',
  ],
  DOMAIN_ELSEWHERE: [
    '{hostname} alan adı bu sunucuya götürmüyor',
    'Alan adının gösterdiği kayıtları ekleyin, sonra denetleyin.',
  ],
  WEBHOOK_SEALED: [
    '{name} webhook uç noktasına bir şey gönderilmiyor, çünkü imza sırrı açılamıyor',
    `Sırrı yenileyin ${MASTER}`,
  ],
  WEBHOOK_GONE: ['{name} webhook uç noktası kapatıldı, çünkü adresi 410 yanıtı verdi', RECEIVER],
  WEBHOOK_FAILING: ['{name} webhook uç noktası kapatıldı, çünkü beş gün boyunca bir şey teslim edilemedi', RECEIVER],
  DELIVERIES_LATE: [
    'Teslimatlar {minutes} dakikaya kadar gecikti; bekleyen hedefler: {targets}',
    'Bir sunucunun çalıştığını ve alıcıların hızlı yanıt verdiğini denetleyin.',
  ],
  FORWARD_NO_ANSWER: [
    '{host} bildirimleri almıyor ({store}): yanıt yok, 24 saatte başarısız deneme: {failures}',
    'Alıcıyı düzeltin ya da iletmeyi silin.',
  ],
  FORWARD_REFUSED: [
    '{host} bildirimleri almıyor ({store}): yanıt {status}, 24 saatte başarısız deneme: {failures}',
    'Alıcıyı düzeltin ya da iletmeyi silin.',
  ],
  EXPORT_SEALED: [
    '{target} hedefine bir şey aktarılmıyor, çünkü erişim bilgileri açılamıyor',
    `Zamanlamanın erişim bilgilerini yeniden girin ${MASTER}`,
  ],
  EXPORT_FAILED: [
    '{target} hedefine aktarım başarısız; art arda başarısızlık: {failures} ({error})',
    'Zamanlamayı düzeltin; her gün yeniden denenir.',
  ],
  DATA_REQUESTS_LATE: ['Bir günden uzun süredir bekleyen veri istekleri: {count}', 'Nedenini görmek için açın.'],
  DATA_REQUESTS_FAILED: ['Son 30 günde başarısız olan veri istekleri: {count}', 'Nedenini görmek için açın.'],
  COMPARE_SEALED: [
    'Geceleri karşılaştırma yapılmıyor, çünkü sağlayıcının anahtarı açılamıyor',
    `Zamanlamayı yeniden ayarlayın ${MASTER}`,
  ],
  COMPARE_FAILED: ['Son gece karşılaştırması durdu: {error}', null],
  FIGURES_DIFFER: [
    'Saklanan toplamlar, oluştukları kayıtlardan farklı',
    'Başka bir saat dilimi kaydedip yeniden doğrusunu kaydedin: toplamlar yeniden hesaplanır. Lütfen bildirin.',
  ],
  RATES_NONE: [
    'Döviz kuru yok, bu yüzden diğer para birimlerindeki tutarların USD karşılığı yok. Son alma başarısız: {fault}',
    RATES,
  ],
  RATES_STALE: ['En yeni döviz kurları {day} tarihli, 72 saatten eski', RATES],
  RATES_STALE_FAULT: ['En yeni döviz kurları {day} tarihli, 72 saatten eski. Son alma başarısız: {fault}', RATES],
}

export const texts: typeof english = {
  words,
  andMore: '{names} ve {more} tane daha',
  sections: {
    ios: 'App Store',
    android: 'Google Play',
    payment: 'ödeme sağlayıcısı',
    refundShield: 'iade kalkanı',
  },
  modes: { test: 'deneme', live: 'canlı' },
}
