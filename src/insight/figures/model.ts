/**
 * One thing that a purchase adds to the figures at an instant. Figures are sums of entries: a flow (revenue) sums those
 * of its window, a stock (MRR) sums all those before an instant. Money is USD micros, everything else a number.
 */
export interface Entry {
  kind: EntryKind
  /** Names it within its kind, purchase and instant: the key of a money line, or nothing for a change of state. */
  key: string
  /** Id of the transaction that it is about; null for a change of state. */
  transactionId: string | null
  at: number
  storeProductId: string
  /** Price and currency of the charge that it is about; null without a charge or its price. */
  price: string | null
  /** Of a trial that was not charged yet: until when it may still be. Null for everything else. */
  pendingUntil: number | null
  values: Values
}

/** `LINE`: a money line of a subscription, `ONCE`: of anything else. `STATE`: the purchase starts or stops to be paid for or tried. `TRIAL`: a trial started. */
export type EntryKind = 'LINE' | 'ONCE' | 'STATE' | 'TRIAL'

export const VALUE_NAMES = [
  /** Charges. */
  'gross',
  /** Money returned; a reversal counts negative. */
  'refunds',
  /** Of the store; returned money gives it back. */
  'commission',
  /** Charges above zero. */
  'charges',
  /** Of these: given back, even if only a part. */
  'returned',
  /** Money lines that no rate is known for, and those of them that are charges above zero. */
  'unconverted',
  'unconvertedCharges',
  /** Purchases that became, or stopped to be, paid for with an amount that has no rate or a period of unknown length. */
  'mrrUnconverted',
  /** Five ways in which monthly recurring revenue changes. Contraction and churn count positive. */
  'mrrNew',
  'mrrReactivation',
  'mrrExpansion',
  'mrrContraction',
  'mrrChurn',
  /** Purchases that became paid for, those of them that had been paid for before, and those that stopped. */
  'paidIn',
  'paidAgain',
  'paidOut',
  /** Purchases whose trial became current, and those whose trial ended. */
  'trialIn',
  'trialOut',
  /** Trials that started, and those of them that were ever charged. */
  'trialStarts',
  'trialConverted',
  /** Charges above zero of a subscription after its first one. */
  'renewals',
  /** Renewals that are awaited at an end, and the last charges of their subscriptions. */
  'due',
  'dueMicros',
  /** Changes of the number of subscriptions that are active, paused, and to renew. */
  'active',
  'paused',
  'renewing',
  /** Billing issues that started, ended well, ended otherwise, and how many milliseconds those took that ended well. */
  'billingIn',
  'billingRecovered',
  'billingLost',
  'recoveryMs',
  /** Grace periods that were entered, and left well or otherwise. */
  'graceIn',
  'graceRecovered',
  'graceLost',
  /** Subscriptions that expired, by reason, those that were refunded or revoked, and those that left that state. */
  'endVoluntary',
  'endBilling',
  'endPrice',
  'endUnavailable',
  'endDeveloper',
  'endReplaced',
  'endUnknown',
  'endRefund',
  'expiredOut',
  'refundOut',
  /** Auto-renewals that were switched off, by reason, and those that were switched on again. */
  'cancelVoluntary',
  'cancelBilling',
  'cancelPrice',
  'cancelOther',
  'uncancelled',
  /** Of those who stopped to pay: by their will, for want of a payment, with their money back. */
  'churnVoluntary',
  'churnBilling',
  'churnRefund',
] as const

/** Of these: USD micros, everything else is a number. */
export const MONEY_NAMES = [
  'gross',
  'refunds',
  'commission',
  'mrrNew',
  'mrrReactivation',
  'mrrExpansion',
  'mrrContraction',
  'mrrChurn',
  'dueMicros',
] as const satisfies readonly ValueName[]

export type ValueName = (typeof VALUE_NAMES)[number]

/** Absent = zero. */
export type Values = { readonly [Name in ValueName]?: number }
