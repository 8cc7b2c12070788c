import type { texts as english } from '../en/usage'

export const texts: typeof english = {
  usagePurpose: (month: string) =>
    `Bu projenin ${month} ayında kullandıkları; olduğu anda sayılır. Günler UTC'ye göredir.`,
  usageMonth: 'Ay',
  meterName: { events: 'Olaylar', sqlQueries: 'SQL sorguları' },
  meterPurpose: {
    events: 'Kişilerde ve parada olanlar ile uygulamaların bildirdikleri',
    sqlQueries: 'Düzenleyicide, komutlarla veya API ile çalıştırılanlar',
  },
  otherMeter: {
    subscribers: 'Aboneler',
    storageBytes: 'Hunilerin dosyaları',
    webhookDeliveries: 'Ay içindeki webhook teslimatları',
  } as Record<string, string>,
  ofIncluded: (limit: string) => `/ ${limit}`,
  shareUsed: (share: string) => `${share} kullanıldı`,
  overIncluded:
    'Planın içerdiğinden fazla. Art arda iki böyle aydan sonra grafikler, sorgular ve diğer analiz ekranları kilitlenir; uygulamalar, fişler, iadeler, tanımlanan erişimler ve dışa aktarmalar kilitlenmez.',
  aboutBy: (count: string, day: string) => `Böyle sürerse ${day} gününe kadar yaklaşık ${count}`,
  withinPlan: ', planın içinde',
  abovePlan: ', planın içerdiğinden fazla',
  usageByDay: 'Günlere göre',
  usageToday: 'Bugün, şimdiye kadar',
  withoutLimit: 'Sınırsız',
  usageNow: 'Şimdi',
  monthBefore: 'Bir ay önce',
  usageChange: 'Değişim',
  eventsAre: ([log = '0', apps = '0', sum = '0']: readonly string[]) =>
    `Olaylar: olay günlüğünden ${log} + uygulamaların bildirdiği ${apps} = ${sum}. Günlükteki olaylar kaydedildikleri günde, bir oturum ise gerçekleştiği günde sayılır.`,
  budget: 'Bütçe',
  budgetPurpose: 'Planın bir ayda içerdiği olayların yüzdesi olarak.',
  alertsAt: 'Sahiplere ve yöneticilere haber verilecek yüzdeler',
  alertsAtHint: 'Aralarında virgülle en fazla beş sayı, örneğin 50, 80, 100. Her biri ayda bir kez bildirilir.',
  alertsAtFault: 'Aralarında virgülle, 1 ile 1000 arasında en fazla beş farklı tam sayı',
  stopAt: 'Telemetrinin bırakılacağı yüzde',
  stopAtHint:
    'Boş = hiçbir zaman. Aşılınca uygulamaların bildirdiği oturumlar ve olaylar ay sonuna kadar bırakılır. Para, erişimler, fişler ve webhook’lar hiçbir zaman bırakılmaz.',
  stopAtFault: '1 ile 1000 arasında bir tam sayı ya da boş',
  saveBudget: 'Bütçeyi kaydet',
  dropped: (count: string) => `Bu ay uygulamaların ${count} olayı bütçe nedeniyle bırakıldı.`,
}
