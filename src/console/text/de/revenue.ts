import type { texts as english } from '../en/revenue'

export const texts: typeof english = {
  // Filters and words of all screens
  any: 'Alle',
  from: 'Von',
  to: 'Bis',
  clear: 'Filter entfernen',
  person: 'Person',
  kind: 'Art',
  catalogue: 'Katalog',
  listed: { true: 'Produkte des Katalogs', false: 'Außerhalb des Katalogs' },
  started: 'Gekauft',
  ends: 'Endet',
  renews: 'Verlängert sich',
  price: 'Preis',
  inUsd: 'In USD',
  occurred: 'Wann',
  noEnd: 'kein Ende',
  ofPerson: 'Einer Person',
  ofPurchase: 'Eines Kaufs',
  renewing: (days: string) => `Verlängerung ${days}`,
  daysOf: (zone) => `Tage in ${zone}`,
  soFar: 'bis jetzt',

  // Subscriptions
  subscriptionsPurpose: 'Jeder Kauf, der sich verlängert oder für eine Zeit Zugang gibt, die neuesten zuerst',
  active: 'Aktiv',
  trials: 'In der Testphase',
  grace: 'In der Kulanzzeit',
  retry: 'Abbuchung wird wiederholt',
  mrr: 'MRR',
  churn: 'Abwanderung, 30 Tage',
  noSubscriptions: 'Noch kein Abonnement',
  noSubscriptionsWhy: 'Der erste Kauf eines Abonnements erscheint hier, sobald ein Store oder die App ihn meldet.',
  otherEnvironment: 'Nur die gewählte Umgebung ist aufgeführt. Der Schalter ist unten im Menü.',

  // Transactions
  transactionsPurpose: 'Jede Zahlung, Erstattung und freie Periode, die ein Store bestätigt hat',
  kinds: {
    INITIAL: 'Erste Zahlung',
    TRIAL: 'Testphase',
    TRIAL_CONVERSION: 'Test bezahlt',
    RENEWAL: 'Verlängerung',
    REACTIVATION: 'Zurückgekehrt',
    PRODUCT_CHANGE: 'Produkt gewechselt',
    ADJUSTMENT: 'Anpassung',
    NON_RENEWING_PURCHASE: 'Einmaliger Kauf',
    CREDIT_PURCHASE: 'Kauf von Guthaben',
    REFUND: 'Erstattung',
    REFUND_REVERSAL: 'Erstattung zurück',
    CHARGEBACK: 'Rückbuchung',
    GRANT: 'Gewährung',
  },
  paidOnly: 'Bezahlt oder in Nachfrist',
  lackRate: (count: number) => `${count} ohne Wechselkurs`,
  lackRates: (count) =>
    count === 0
      ? 'Keiner Transaktion fehlt ein Wechselkurs.'
      : count === 1
        ? '1 Transaktion hat keinen Wechselkurs und fehlt in den Beträgen.'
        : `${count} Transaktionen haben keinen Wechselkurs und fehlen in den Beträgen.`,
  order: 'Bestellung',
  volume: 'Volumen',
  volumeHint: (zone) => `Zahlungen abzüglich Erstattungen nach Tagen in ${zone}, in US-Dollar`,
  volumeLabel: 'Betrag nach Tag',
  byStore: 'Nach Store',
  transactionsCount: 'Transaktionen',
  total: 'Summe',
  asTable: 'Als Tabelle',
  day: 'Tag',
  noVolume: 'In dieser Zeit wurde nichts abgebucht',
  noVolumeWhy: 'Wählen Sie eine andere Zeit oder die andere Umgebung.',
  noTransactions: 'Noch keine Transaktion',
  noTransactionsWhy: 'Eine Zeile erscheint mit jeder Zahlung, Erstattung und Testphase eines Stores.',
  refund: 'Erstatten',
  sync: 'Stores erneut fragen',
  syncTitle: 'Die Stores nach jedem fälligen Kauf fragen',
  syncEffect:
    'Was die Stores antworten, wird als neue Tatsache erfasst. Nichts wird abgebucht, gekündigt oder erstattet.',
  synced: (stores: string) => `Werden gefragt: ${stores}. Neues erscheint hier.`,

  // Renewals
  renewalsPurpose: 'Was sich in den nächsten 30 Tagen verlängert, zu den jetzigen Preisen',
  renewalsLabel: 'Erwartete Verlängerungen nach Tag',
  renewals: 'Verlängerungen',
  expected: 'Erwartet',
  unconverted: (count) =>
    count === 0
      ? 'Keiner Verlängerung fehlt ein Wechselkurs.'
      : count === 1
        ? '1 Verlängerung hat keinen Wechselkurs und fehlt in den Beträgen.'
        : `${count} Verlängerungen haben keinen Wechselkurs und fehlen in den Beträgen.`,
  ratesNote: 'Beträge in US-Dollar nach den neuesten Wechselkursen, Tage in der Zeitzone des Projekts.',
  noRenewals: 'In den nächsten 30 Tagen verlängert sich nichts',
  noRenewalsWhy: 'Ein Tag füllt sich, wenn an ihm ein Abonnement endet, das sich selbst verlängert.',

  // Billing issues
  issuesPurpose: 'Verlängerungen, die ein Store nicht abbuchen konnte und weiter versucht',
  retriesUntil: 'Zugang bis',
  noAccessNow: 'aus',
  noIssues: 'Keine fehlgeschlagene Abbuchung',
  noIssuesWhy: 'Ein Abonnement steht hier von der fehlgeschlagenen Verlängerung an, bis es bezahlt ist oder endet.',
  because: {
    GRACE_PERIOD: 'Abbuchung fehlgeschlagen, Zugang bleibt',
    BILLING_RETRY: 'Abbuchung fehlgeschlagen, Zugang ist aus',
  },

  // Scheduled
  scheduledPurpose: 'Kündigungen, die zu einer Zeit ausgeführt werden',
  purchase: 'Kauf',
  due: 'Fällig',
  actionStates: { PENDING: 'Wartet', EXECUTED: 'Ausgeführt', CANCELLED: 'Abgesagt', FAILED: 'Fehlgeschlagen' },
  callOff: 'Absagen',
  callOffTitle: 'Diese Kündigung absagen',
  callOffEffect: 'Das Abonnement läuft weiter wie bisher. Die Kündigung kann erneut geplant werden.',
  calledOff: 'Kündigung abgesagt',
  noScheduled: 'Nichts ist geplant',
  noScheduledWhy: 'Eine Kündigung wird auf der Seite einer Person geplant.',
  openPeople: 'Person suchen',

  // Refund shield
  shieldPurpose: 'Antworten an Apple, wenn jemand eine Erstattung verlangt',
  settings: 'Einstellungen',
  enabled: 'Anfragen beantworten',
  consented: 'Meine Kunden haben zugestimmt, dass Apple ihre Nutzung erfährt',
  consentedHint: 'Apple verlangt die Zustimmung. Ohne sie wird nichts beantwortet.',
  delay: 'Minuten bis zur Antwort',
  delayHint: '0 bis 660. Apple nimmt eine Antwort innerhalb von 12 Stunden an.',
  policy: 'Worum Apple gebeten wird',
  policies: { decline: 'Erstattung ablehnen', neutral: 'Keine Vorliebe', grant: 'Erstattung gewähren' },
  saved: 'Erstattungsschutz gespeichert',
  off: 'Aus: Anfragen werden erfasst, aber nicht beantwortet.',
  noConsent: 'Anfragen werden nicht beantwortet, bis die Zustimmung bestätigt ist.',
  requests: 'Anfragen',
  sent: 'Beantwortet',
  declined: 'Erstattung abgelehnt',
  approved: 'Erstattung genehmigt',
  kept: 'Behalten',
  responses: 'Anfragen und Antworten',
  charge: 'Zahlung',
  outcome: 'Ergebnis',
  answeredAt: 'Beantwortet',
  responseStates: {
    PENDING: 'Wartet',
    SENT: 'Beantwortet',
    FAILED: 'Fehlgeschlagen',
    SKIPPED_DISABLED: 'Nicht beantwortet: aus',
    SKIPPED_NOT_FOUND: 'Nicht beantwortet: Zahlung unbekannt',
  },
  outcomes: {
    REFUND_APPROVED: 'erstattet',
    REFUND_DECLINED: 'abgelehnt',
    REFUND_REVERSED: 'Erstattung zurück',
  },
  noRequests: 'Niemand hat eine Erstattung verlangt',
  noRequestsWhy: 'Apple fragt hier, wenn ein Kunde die Erstattung eines Kaufs im App Store verlangt.',
}
