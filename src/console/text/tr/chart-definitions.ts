import type { texts as english } from '../en/chart-definitions'

const NO_ROWS = 'Ortalamanın satırı yoktur.'
const HOURLY =
  '20.000’den fazla tahsilatı olan bir projede en çok saatte bir hesaplanır; grafik ne zaman hesaplandığını söyler.'
const SESSION_DAYS = 'Günler, dönemde başlayan UTC günleridir. Oturumlar 400 gün saklanır.'
const DELIVERED = 'Testler ve atlananlar sayılmaz. Artık kayıtta olmayan teslimatlar da sayılmaz.'
const OPEN_GROUP = 'Satırlarını açmak için bir grup seçin.'
const KEPT = 'Ödemesiz oturumlar son adımdan sonra 30 gün saklanır.'
const FUNNELS = 'Gruplar, istenmeden, hunilerdir.'
const BY_FUNNEL = `${FUNNELS} ${OPEN_GROUP}`
const PAYMENT = 'Bir ödeme, satın alınanın ortamında sayılır.'
const STOPPED = 'Satırları bitenlerdir.'

export const texts: typeof english = {
  of: {
    revenue:
      'Tüm tahsilatlar, geri verilenlerin tümü ve aradaki fark. Her para satırı kendi gününde sayılır; geri alınan bir iade, iadelerde eksi sayılır.',
    'gross-revenue': 'Tüm tahsilatların toplamı, her biri kendi gününde.',
    'net-revenue':
      'Tüm tahsilatlardan iadeler ve ters ibrazlar çıkarılır, geri alınan iadelerin getirdiği eklenir; her biri kendi gününde.',
    refunds: 'İadeler ve ters ibrazlar, geri alınanları çıkarılarak, her biri olduğu günde.',
    commission:
      'Mağazaların tahsilatlardan aldığı pay: projenin oranları, yoksa Google aboneliklerinin % 15’i, diğer iOS ve Android satın almalarının ilk yıl % 30’u, sonra % 15’i. Yıl, ödenen ilk tahsilatla başlar. Geri verilen paranın komisyonu da geri gelir.',
    proceeds: 'Net gelirden mağazaların payı çıkarılır.',
    'subscription-revenue': 'Abonelik olan satın almaların net geliri.',
    'subscription-proceeds': 'Aboneliklerin net gelirinden mağazaların payı çıkarılır.',
    'one-time-revenue': 'Abonelik olmayan satın almaların net geliri.',
    'one-time-proceeds': 'Tek seferlik satın almaların net gelirinden mağazaların payı çıkarılır.',
    transactions: 'Sıfırdan büyük tahsilatlar; sonradan geri verilmiş olsalar da.',
    'subscription-transactions': 'Aboneliklerin sıfırdan büyük tahsilatları: ilk ödemeler ve yenilemeler.',
    'one-time-transactions': 'Abonelik olmayan satın almaların sıfırdan büyük tahsilatları.',
    'average-transaction': 'Sıfırdan büyük bir tahsilatın iadelerden önceki ortalaması.',
    'refunded-transactions':
      'Sonradan herhangi bir zamanda bir kısmı geri verilen, sıfırdan büyük tahsilatlar; tahsilatın gününde. Geri alınan bir iade, iade sayılmaz.',
    'refund-rate':
      'Sonradan herhangi bir zamanda bir kısmı geri verilen tahsilatların, sıfırdan büyük tahsilatlara oranı; tahsilatın gününe göre. Satırları geri verilen tahsilatlardır.',
    'unconverted-lines':
      'Para birimi için o gün veya daha önce bir döviz kuru bilinmediğinden hiçbir para grafiğinin sayamadığı tahsilatlar ve iadeler.',
    mrr: 'Süren tüm aboneliklerin bir ayda getirdiği. Etkin olanlar ve ek sürede olanlar, denemede değillerse ve ücretleri sıfırdan büyükse sayılır; bir yıl, fiyatının on ikide biri kadar sayılır.',
    'mrr-movement':
      'Aylık yinelenen gelirin dönem başındaki değerinden sonundakine nasıl geldiği. Her değişiklik kendi anında sayılır; dönem içinde gidip dönen bir abonelik ikisinde de sayılır.',
    'mrr-new': 'Yinelenen geliri ilk kez olan aboneliklerin getirdiği.',
    'mrr-reactivation': 'Önce yinelenen geliri olan, sonra olmayan ve şimdi yeniden olan aboneliklerin getirdiği.',
    'mrr-expansion':
      'Zaten yinelenen geliri olan aboneliklerin gelirinin ne kadar arttığı: daha yüksek fiyatlar, başka ürünler.',
    'mrr-contraction': 'Hâlâ yinelenen geliri olan aboneliklerin gelirinin ne kadar azaldığı; artı bir sayı.',
    'mrr-churn': 'Artık yinelenen geliri olmayan aboneliklerin geliri; artı bir sayı.',
    'mrr-net-change': 'Aylık yinelenen gelirin kazandıklarının tümünden kaybettiklerinin tümü çıkarılır.',
    'mrr-churn-rate':
      'Biten aboneliklerle kaybedilen yinelenen gelirin, dönem başındaki yinelenen gelire oranı. Satırları kaybedilen aboneliklerdir.',
    'mrr-growth-rate':
      'Aylık yinelenen gelirin net değişiminin dönem başındaki değerine oranı; azaldıysa eksidir. Satırları değişikliklerdir.',
    'quick-ratio': 'Kazanılan yinelenen gelirin kaybedilene oranı. Satırları kazançlardır.',
    arr: 'Dönem sonundaki aylık yinelenen gelirin on iki katı.',
    'mrr-per-subscription': 'Etkin bir aboneliğin dönem sonunda ayda ortalama getirdiği.',
    'active-subscriptions':
      'Dönem sonunda erişim veren ve ödenmiş abonelikler: denemede, verilmiş veya aileyle paylaşılmış olmayanlar.',
    'subscription-movement': 'Etkin abonelik sayısının dönem başındaki değerinden sonundakine nasıl geldiği.',
    'new-paid-subscriptions': 'İlk kez ödenen abonelikler.',
    'reactivated-subscriptions': 'Ödenmesi bitmiş olan ve yeniden ödenen abonelikler.',
    'churned-subscriptions': 'Ödenmesi biten abonelikler. Bir dönemde iki kez giden iki kez sayılır.',
    'churn-rate': `Dönemde ödenmesi biten aboneliklerin, dönem başında etkin olanlara oranı. ${STOPPED}`,
    'subscription-net-change': 'Etkinleşen aboneliklerden bitenler çıkarılır.',
    'subscription-status':
      'Dönem sonundaki durumuna göre her abonelik: etkin, denemede, ek sürede, tahsilatı yineleniyor, duraklatılmış, süresi dolmuş, iade edilmiş veya geri alınmış. Paylaşılanlar ve verilenler de sayılır.',
    'auto-renewing':
      'Dönem sonunda bitmemiş ve otomatik yenilemesi açık abonelikler. Mağaza bir şey söylemediyse açıktır.',
    'paused-subscriptions': 'Dönem sonunda duraklatılmış abonelikler.',
    cancellations:
      'Bitmemiş bir aboneliğin otomatik yenilemesinin kaç kez kapatıldığı, o zaman bilinen nedene göre: müşterinin isteği, başarısız bir ödeme, reddedilen bir fiyat artışı veya başka bir neden. Öğrenildiğinde zaten yenilenmeyecek olan bir abonelik iptal edilmiş sayılmaz.',
    'cancellations-taken-back': 'Bitmemiş bir aboneliğin otomatik yenilemesinin kaç kez yeniden açıldığı.',
    'expiry-reasons':
      'Dönemde biten abonelikler ve denemeler: müşteri yenilemek istemediği, bir ödeme başarısız olduğu, bir fiyat artışı reddedildiği, ürün artık satılmadığı, geliştirici bitirdiği, başka bir satın alma yerini aldığı için veya mağaza bir şey söylemeden; ve iade edilenler veya geri alınanlar. Mağazanın bitişten sonra söylediği bir neden, bitişte sayılır.',
    'churn-reasons':
      'Ödenmesi biten abonelikler: müşterinin isteğiyle, ödeme olmadığından, parası geri verilerek veya başka türlü: duraklatılarak, geliştirici bitirerek, yerine başkası geçerek veya mağaza bir şey söylemeden. Tahsilatı yinelenen gitmiş sayılır; sonra başarılırsa bu bir geri dönüştür.',
    'voluntary-churn-rate': `Dönemde müşterinin isteğiyle ödenmesi biten aboneliklerin, dönem başında etkin olanlara oranı. ${STOPPED}`,
    'billing-churn-rate': `Dönemde bir ödeme başarısız olduğu için ödenmesi biten aboneliklerin, dönem başında etkin olanlara oranı. ${STOPPED}`,
    'billing-issues':
      'Bir ödeme sorunu, abonelik ek süreye veya tahsilatın yinelenmesine girince başlar. Abonelik ardından etkin olursa giderilmiş, başka türlü biterse kaybedilmiştir. Başlangıç ve bitiş açık olanlardır.',
    'billing-issue-share':
      'Dönem sonunda etkin, ek sürede veya tahsilatı yinelenen aboneliklerden ödeme sorunu olanların oranı. Satırları sorunu olanlardır.',
    'billing-recovery-rate': 'Dönemde biten ödeme sorunlarından giderilenlerin oranı. Satırları giderilenlerdir.',
    'billing-recovery-time': `Dönemde giderilen ödeme sorunlarının ortalama ne kadar açık kaldığı. ${NO_ROWS}`,
    'grace-periods':
      'Ek süresi başlayan abonelikler, ek sürede giderilenler ve başka türlü çıkanlar: tahsilatın yinelenmesine veya bir bitişe. Başlangıç ve bitiş içinde olanlardır.',
    'grace-recovery-rate': 'Dönemde çıkılan ek sürelerden giderilenlerin oranı. Satırları giderilenlerdir.',
    renewals:
      'Bir aboneliğin ilk tahsilatından sonraki, sıfırdan büyük tahsilatları; başka bir ürünün veya aradan sonrakiler de.',
    'renewals-due':
      'Yenilenecek ödenmiş abonelikler, şimdiki sürelerinin sonuna göre: gelecekte bir aralık seçin. Geçmişte bunlar, hiçbir mağazanın açıklamadığı, yenilemesi ve nedeni olmayan bitişlerdir.',
    'renewal-forecast':
      'Gelecekte bir aralık seçin. Vadesi gelen: yenilenecek ve ödenmiş süresi bu aralıkta biten aboneliklerin son tahsilatları, her biri son tutarıyla. Beklenen: bunun, şimdiye kadarki 365 günde yenilenen aboneliklerin oranı kadarı: ilkinden sonraki tahsilatlar ÷ (bunlar + ödenmesi biten abonelikler), tüm gruplar için aynı. Beklenenin satırı yoktur.',
    retention: `Bir ısı haritası: dönemde ilk kez sıfırdan fazla tahsilat yapılan abonelikler ve sonraki 36 ayın her birinde hâlâ ödenenlerin oranı, projenin saat diliminde. Bir oran, tümü oraya varınca görünür. Satırları ödenenlerdir. ${HOURLY}`,
    'revenue-cohorts': `Bir ısı haritası: dönemde ilk kez sıfırdan fazla tahsilat yapılan abonelikler ve tümünün ilk ayındaki, ilk iki ayındaki ve böylece 36’ya kadarki net geliri, projenin saat diliminde. Bir değer, tümü oraya varınca görünür. ${HOURLY}`,
    'predicted-ltv': `Dönemde ilk kez tahsilat yapılan bir aboneliğin ilk 12 ayında getirdiği, alt sınırdan üst sınıra % 95 aralığıyla. Yinelenen olayların ortalama birikimli fonksiyonudur (W. Nelson, Technometrics 37, 1995): yaşın her ayının ortalama net gelirinin toplamı. Dönemin tüm aboneliklerinin tamamladığı bir ay onların ortalamasını, diğerleri o ayı tamamlamış tüm aboneliklerinkini alır. Varyans, J. F. Lawless ve C. Nadeau’nun sağlam varyansıdır (Technometrics 37, 1995), iki kısım bağımsız kabul edilir. Kimse 12 ayı tamamlamadıkça boştur. Tahminin satırı yoktur. ${HOURLY}`,
    'active-trials': 'Dönem sonunda denemede olan abonelikler.',
    'trial-movement':
      'Süren deneme sayısının dönem başındaki değerinden sonundakine nasıl geldiği. Bir deneme, süresi dolarak bittiği gibi tahsilatla da biter.',
    'new-trials': 'Dönemde başlayan denemeler.',
    'converted-trials': 'Dönemde başlayan ve sonradan herhangi bir zamanda tahsil edilen denemeler.',
    'pending-trials': 'Dönemde başlayan, henüz tahsil edilmemiş ve hâlâ edilebilecek denemeler.',
    'lost-trials': 'Dönemde başlayan ve artık tahsil edilmeyecek denemeler.',
    'trial-conversion':
      'Dönemde başlayan denemelerden sonradan herhangi bir zamanda tahsil edilenlerin oranı. Sonucu beklenenler başlayanlar arasında sayılır; kaç tane olduklarını bekleyen denemelerin grafiği söyler. Satırları tahsil edilen denemelerdir.',
    arpu: `Dönemin net geliri bölü dönemde herhangi bir zaman ödenmiş aboneliği olan aboneler. Çoğunun aboneliksiz satın aldığı yerde yüksek olabilir. ${NO_ROWS}`,
    arppu: `Dönemin net geliri bölü dönemde sıfırdan fazla tahsilat yapılan aboneler. ${NO_ROWS}`,
    'active-subscribers': 'Dönemde herhangi bir zaman ödenmiş aboneliği olan aboneler, her biri bir kez sayılır.',
    'paying-subscribers': 'Dönemde sıfırdan fazla tahsilat yapılan aboneler, her biri bir kez sayılır.',
    'new-customers':
      'Dönemde sıfırdan fazla tahsilat yapılan ve daha önce hiç yapılmayan aboneler. Bir filtreyle veya bir grupta yalnızca onun tahsilatları sayılır.',
    ltv: 'Dönemde sıfırdan fazla tahsilat yapılan herkesin şimdiye kadar ödediklerinden geri aldıkları çıkarılır. Medyan ortadaki değer veya ortadaki ikinin ortalamasıdır; p90, onda dokuzunun aşmadığı en küçük değerdir. 20.000’den fazla tahsilatı olan bir projede en çok saatte bir hesaplanır, çünkü her tahsilat ödeyenin geçmişini değiştirir; grafik ne zaman hesaplandığını söyler. Ortalamaların satırı yoktur.',
    'new-subscribers':
      'Dönemde ilk kez görülen kişiler: bir cihaz, sunucunuz, bir mağaza iletisi veya tarihi de getiren bir içe aktarma ile. Sonradan başkasıyla birleştirilen yine sayılır. Yalnızca sandbox’ta satın alan orada, diğer herkes üretimde sayılır.',
    sessions: `Uygulamaların kaç kez açıldıklarını bildirdiği. ${SESSION_DAYS}`,
    'play-time': `Uygulamaların bildirdiği oturum sürelerinin toplamı. ${SESSION_DAYS}`,
    'session-length': `Uygulamaların süresini bildirdiği oturumların ortalama süresi. ${SESSION_DAYS} ${NO_ROWS}`,
    'active-users': `Dönemde en az bir oturum olayı olan aboneler, her biri bir kez sayılır: güne göre günlük, haftaya göre haftalık, aya göre aylık etkinler. ${SESSION_DAYS}`,
    'weekly-active-users': `Dönemin son günüyle biten 7 günde en az bir oturum olayı olan aboneler, her biri bir kez sayılır. ${SESSION_DAYS}`,
    'monthly-active-users': `Dönemin son günüyle biten 30 günde en az bir oturum olayı olan aboneler, her biri bir kez sayılır. ${SESSION_DAYS}`,
    stickiness: `Dönemin son günüyle biten 30 günde etkin olan abonelerden o gün etkin olanların oranı. Satırları o gün etkin olanlardır. ${SESSION_DAYS}`,
    'webhook-deliveries': `Dönemde oluşan webhook teslimatları. ${DELIVERED}`,
    'webhook-success': `Dönemde oluşan webhook teslimatlarından alıcının şimdiye kadar kabul ettiklerinin oranı. ${DELIVERED} Satırları kabul edilenlerdir.`,
    'user-retention': `İlk oturum olayı dönemin bir gününe düşen aboneler ve 1, 7, 14 ve 30 gün sonra, tam o gün etkin olanların oranı. Bir oran, o gün tümü için bitince görünür. ${SESSION_DAYS} Satırları etkin olanlardır.`,
    'virtual-currency': `Verilen, harcanan, iade ve süre dolmasıyla geri alınan ve aboneler arasında taşınan; başlangıç ve bitiş tüm abonelerin elindekidir. Gruplar, istenmeden, kodlarına göre para birimleridir; toplamlar hepsinin tutarlarını toplar. ${OPEN_GROUP}`,
    'experiment-conversion': `Dönemde bir deneyle ilk kez karşılaşan aboneler ve sonuçlarının saydığı gibi şimdiye kadar dönüşenler: bir istemcinin olayıyla veya satın almalar bir ölçütse, deney sürerken satın alarak. Gruplar, istenmeden, key/variant biçiminde varyantlardır. ${OPEN_GROUP}`,
    'placement-conversion': `Uygulamanın projenin bir yerleşimini andığı yerde dönemde bir deneyle ilk kez karşılaşan aboneler ve onlardan ardından, şimdiye kadar, aynı yerleşimi anan bir fişle üretimde satın alanlar. Gruplar, istenmeden, yerleşimlerdir. ${OPEN_GROUP}`,
    'funnel-sessions': `Yayımlanan hunilere dönemde başlayan ziyaretler. Önizlemeler sayılmaz. ${KEPT} ${BY_FUNNEL}`,
    'funnel-conversion': `Dönemde başlayan oturumlar, onlardan şimdiye kadar sona ulaşanlar ve bir şey satın alınanlar. ${PAYMENT} ${KEPT} ${BY_FUNNEL}`,
    'funnel-paid-share': `Dönemde başlayan oturumlardan şimdiye kadar bir şey satın alınanların oranı. Satırları bu oturumlardır. ${PAYMENT} ${KEPT} ${BY_FUNNEL}`,
    'funnel-steps': `Dönemde başlayan oturumların kaçının her sayfayı gördüğü ve kaçının oradan ilerlediği. Adımların ortamı yoktur. ${KEPT} Gruplar, istenmeden, funnel/page biçiminde sayfalardır; toplamlar tüm sayfaları toplar. ${OPEN_GROUP}`,
    'funnel-sources': `Adresin utm_source değerine göre dönemde başlayan oturumlar ve onlardan şimdiye kadar bir şey satın alınanlar. ${PAYMENT} ${KEPT} Gruplar, istenmeden, kaynaklardır; boş olan, kaynağı olmayan oturumlarındır. ${OPEN_GROUP}`,
    'funnel-revenue': `Bir hunide yapılan satın almaların tahsilatları, tahsilatın gününde, yenilemeler de; onlardan geri verilen, geri verildiği günde; ve aradaki fark. ${BY_FUNNEL}`,
    'funnel-session-value': `Dönemde başlayan oturumların şimdiye kadar ortalama getirdiği: tahsilatlardan iadeler çıkarılır, yenilemeler de sayılır. ${NO_ROWS} ${KEPT} ${FUNNELS}`,
    'funnel-claim-share': `Dönemde başlayan ve bir şey satın alınan oturumlardan, satın alınanı şimdiye kadar uygulamada açılanların oranı. Satırları bu oturumlardır. ${BY_FUNNEL}`,
  },
}
