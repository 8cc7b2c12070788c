import { expect, test } from 'bun:test'
import { planRefund, type RefundPlan, type RefundQuestion } from './refund-plan'

const order: RefundQuestion = {
  store: 'ANDROID_STORE',
  chainKey: 'token',
  storeTransactionId: 'GPA.1..0',
  line: { kind: 'RENEWAL', amountMicros: 9_990_000 },
  isCurrent: true,
  isGivenBack: false,
  hasOthers: false,
  item: 'pro',
  wholeOrder: false,
}
const invoice = { store: 'PAYMENT', chainKey: 'sub_1', storeTransactionId: 'in_1' } as const
const TRIAL = { kind: 'TRIAL', amountMicros: null } as const

const cases: [name: string, question: Partial<RefundQuestion>, plan: RefundPlan][] = [
  ['the current order takes the rights with it', {}, { ok: true, store: 'ANDROID_STORE', revoke: true, item: null }],
  [
    'an earlier order leaves them',
    { isCurrent: false },
    { ok: true, store: 'ANDROID_STORE', revoke: false, item: null },
  ],
  [
    'one item of a running subscription is taken back alone',
    { hasOthers: true },
    { ok: true, store: 'ANDROID_STORE', revoke: true, item: 'pro' },
  ],
  [
    'with its whole order when that is meant',
    { hasOthers: true, wholeOrder: true },
    { ok: true, store: 'ANDROID_STORE', revoke: true, item: null },
  ],
  [
    'a line that the store cannot take back alone is refused',
    { hasOthers: true, item: null, isCurrent: false },
    { ok: false, reason: 'whole_order' },
  ],
  [
    'unless its whole order is meant',
    { hasOthers: true, item: null, isCurrent: false, wholeOrder: true },
    { ok: true, store: 'ANDROID_STORE', revoke: false, item: null },
  ],
  ['an invoice is a subscription’s', invoice, { ok: true, store: 'PAYMENT', isSubscription: true }],
  [
    'a payment of its own is none',
    { store: 'PAYMENT', chainKey: 'pi_1', storeTransactionId: 'pi_1' },
    { ok: true, store: 'PAYMENT', isSubscription: false },
  ],
  [
    'a price that nobody told may have been paid',
    { line: { kind: 'INITIAL', amountMicros: null } },
    { ok: true, store: 'ANDROID_STORE', revoke: true, item: null },
  ],
  ['iOS refunds itself', { store: 'IOS_STORE' }, { ok: false, reason: 'ios_unsupported' }],
  [
    'and says so of what it has refunded',
    { store: 'IOS_STORE', isGivenBack: true },
    { ok: false, reason: 'ios_unsupported' },
  ],
  ['a charge is given back once', { isGivenBack: true }, { ok: false, reason: 'already_refunded' }],
  ['an invoice too', { ...invoice, isGivenBack: true }, { ok: false, reason: 'already_refunded' }],
  ['a grant cost nothing', { store: 'MANUAL' }, { ok: false, reason: 'missing_store_ref' }],
  ['a trial cost nothing', { line: TRIAL }, { ok: false, reason: 'missing_store_ref' }],
  [
    'an invoice of nought',
    { ...invoice, line: { kind: 'INITIAL', amountMicros: 0 } },
    { ok: false, reason: 'missing_store_ref' },
  ],
  ['a charge without a line here', { line: null }, { ok: false, reason: 'missing_store_ref' }],
  ['a promotion has no order', { storeTransactionId: 'android:0123' }, { ok: false, reason: 'missing_store_ref' }],
]
for (const [name, question, plan] of cases)
  test(name, () => expect(planRefund({ ...order, ...question })).toEqual(plan))
