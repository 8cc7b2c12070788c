import type { texts as english } from '../en/usage'

export const texts: typeof english = {
  usagePurpose: (month: string) =>
    `Was dieses Projekt im ${month} genutzt hat, gezählt, wenn es geschieht. Tage in UTC.`,
  usageMonth: 'Monat',
  meterName: { events: 'Ereignisse', sqlQueries: 'SQL-Abfragen' },
  meterPurpose: {
    events: 'Was mit Personen und Geld geschah, und was Apps melden',
    sqlQueries: 'Im Editor, von Befehlen oder über die API ausgeführt',
  },
  otherMeter: {
    subscribers: 'Abonnenten',
    storageBytes: 'Dateien der Funnels',
    webhookDeliveries: 'Webhook-Zustellungen im Monat',
  } as Record<string, string>,
  ofIncluded: (limit: string) => `von ${limit}`,
  shareUsed: (share: string) => `${share} genutzt`,
  overIncluded:
    'Mehr, als der Tarif enthält. Nach zwei solchen Monaten in Folge werden Diagramme, Abfragen und andere Auswertungen gesperrt; Apps, Belege, Erstattungen, Gewährungen und Exporte nicht.',
  aboutBy: (count: string, day: string) => `Etwa ${count} bis ${day}, wenn es so weitergeht`,
  withinPlan: ', im Tarif enthalten',
  abovePlan: ', mehr, als der Tarif enthält',
  usageByDay: 'Nach Tagen',
  usageToday: 'Heute bis jetzt',
  withoutLimit: 'Ohne Grenze',
  usageNow: 'Jetzt',
  monthBefore: 'Einen Monat zuvor',
  usageChange: 'Änderung',
  eventsAre: ([log = '0', apps = '0', sum = '0']: readonly string[]) =>
    `Ereignisse: ${log} des Ereignisprotokolls + ${apps} von Apps gemeldet = ${sum}. Ereignisse des Protokolls zählen an dem Tag, an dem sie aufgezeichnet wurden; eine Sitzung zählt an dem Tag, an dem sie stattfand.`,
  budget: 'Nutzungsbudget',
  budgetPurpose: 'In Prozent der Ereignisse, die der Tarif im Monat enthält.',
  alertsAt: 'Inhaber und Administratoren benachrichtigen bei',
  alertsAtHint: 'Bis zu fünf Zahlen mit Kommas dazwischen, etwa 50, 80, 100. Jede wird einmal im Monat gemeldet.',
  alertsAtFault: 'Höchstens fünf verschiedene ganze Zahlen von 1 bis 1000, mit Kommas dazwischen',
  stopAt: 'Telemetrie verwerfen über',
  stopAtHint:
    'Leer = nie. Dann werden Sitzungen und Ereignisse, die Apps melden, bis zum Monatsende verworfen. Geld, Zugänge, Belege und Webhooks nie.',
  stopAtFault: 'Eine ganze Zahl von 1 bis 1000, oder nichts',
  saveBudget: 'Budget speichern',
  dropped: (count: string) => `${count} Ereignisse von Apps wurden in diesem Monat wegen des Budgets verworfen.`,
}
