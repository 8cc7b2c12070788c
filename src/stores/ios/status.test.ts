import { describe, expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { signTransaction, simulatedPurchase, simulatedRefund } from '../../test-store/stores/ios'
import { type NotificationKind, signNotification, simulatedRenewalInfo } from '../../test-store/stores/notification'
import type { Observation } from '../observation'
import { makeSimulatorKeys, simulatorRoot } from '../test-keys/keys'
import type { TransactionPayload } from './decode'
import { verifyNotification } from './notification'
import { type StatusAnswer, type StatusExpectations, verifyStatus } from './status'
import { IosStore } from './store'

const NOW = Date.UTC(2026, 10, 20, 8)
const BUNDLE = 'com.example.app'
const keys = await makeSimulatorKeys(NOW)
const store = new IosStore({ extraRoots: [], loadTestRoot: async () => simulatorRoot(keys) }).of('prj_1')

const MONTHLY = {
  productId: 'monthly',
  type: 'Auto-Renewable Subscription',
  period: 'P1M',
  price: 9990,
  currency: 'USD',
} as const
const bought = simulatedPurchase({
  bundleId: BUNDLE,
  product: MONTHLY,
  transactionId: '2000000000000001',
  now: NOW - 31 * DAY,
})
const told = (transaction: TransactionPayload): TransactionPayload => ({ ...transaction, signedDate: NOW })
const expected: StatusExpectations = {
  bundleId: BUNDLE,
  environment: 'SANDBOX',
  originalTransactionId: bought.originalTransactionId,
}

const answer = (status: number | null, kind: NotificationKind, transaction = bought): StatusAnswer => ({
  status,
  signedTransactionInfo: signTransaction(keys, told(transaction)),
  signedRenewalInfo: signTransaction(keys, simulatedRenewalInfo(told(transaction), kind)),
})

const unnamed = (observations: readonly Observation[]) =>
  observations.map((one) => ({ ...one, id: one.id.replace(/:.*/, '') }))

describe('a status says what its notification says', () => {
  const cases: [status: number, kind: NotificationKind, transaction: TransactionPayload][] = [
    [1, ['DID_RENEW', null], bought],
    [1, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED'], bought],
    [2, ['EXPIRED', 'VOLUNTARY'], bought],
    [2, ['EXPIRED', 'BILLING_RETRY'], bought],
    [2, ['EXPIRED', 'PRICE_INCREASE'], bought],
    [3, ['DID_FAIL_TO_RENEW', null], bought],
    [3, ['GRACE_PERIOD_EXPIRED', null], bought],
    [4, ['DID_FAIL_TO_RENEW', 'GRACE_PERIOD'], bought],
    [5, ['REFUND', null], simulatedRefund(bought, NOW - DAY)],
  ]
  for (const [status, kind, transaction] of cases)
    test(`${status}: ${kind.filter(Boolean).join(', ')}`, async () => {
      const result = await verifyStatus(answer(status, kind, transaction), store, expected)
      const order = { kind, notificationId: 'n', now: NOW, bundleId: BUNDLE, transaction }
      const notified = await verifyNotification(signNotification(keys, order), store, {
        bundleId: BUNDLE,
        appId: null,
        allowLocal: false,
      })
      if (!result.ok || !notified.ok || notified.notification.effect.kind !== 'OBSERVATIONS') throw new Error('refused')
      const [mine, its] = [result.transaction.observations, notified.notification.effect.observations].map(unnamed)
      // A cancellation is reported by the renewal part alone, which does not say that there is no billing problem.
      if (kind[0] === 'DID_CHANGE_RENEWAL_STATUS') expect(mine?.[1]).toMatchObject({ renewal: { autoRenews: false } })
      else expect(mine).toEqual(its ?? [])
    })

  test('one that is not known says what its tokens say', async () => {
    const result = await verifyStatus(answer(9, ['DID_CHANGE_RENEWAL_STATUS', 'AUTO_RENEW_DISABLED']), store, expected)
    expect(result).toMatchObject({ ok: true, transaction: { observations: [{}, { renewal: { autoRenews: false } }] } })
  })

  test('what is bought once has no status and no renewal', async () => {
    const { expiresDate: _, ...once } = { ...told(bought), type: 'Non-Consumable' }
    const info = { status: null, signedTransactionInfo: signTransaction(keys, once), signedRenewalInfo: null }
    const result = await verifyStatus(info, store, expected)
    expect(result).toMatchObject({ ok: true, transaction: { isSubscription: false } })
    expect(result.ok && result.transaction.observations).toHaveLength(1)
  })
})

describe('refused is an answer', () => {
  const good = answer(1, ['DID_RENEW', null])
  const renewal = simulatedRenewalInfo(told(bought), ['DID_RENEW', null])
  const cases: [fact: string, given: StatusAnswer, expectations: StatusExpectations, detail: string][] = [
    ['for another app', good, { ...expected, bundleId: 'com.example.other' }, 'bundle'],
    ['of the other environment', good, { ...expected, environment: 'PRODUCTION' }, 'environment'],
    ['about another purchase', good, { ...expected, originalTransactionId: '2' }, 'another purchase'],
    ['whose transaction is not signed', { ...good, signedTransactionInfo: 'x' }, expected, 'transaction: malformed'],
    ['whose renewal is not signed', { ...good, signedRenewalInfo: 'x' }, expected, 'renewal: malformed'],
    [
      'whose renewal is about another purchase',
      { ...good, signedRenewalInfo: signTransaction(keys, { ...renewal, originalTransactionId: '2' }) },
      expected,
      'signedRenewalInfo.originalTransactionId',
    ],
    [
      'whose transaction is a renewal',
      { ...good, signedTransactionInfo: good.signedRenewalInfo ?? '' },
      expected,
      'malformed: data.signedTransactionInfo',
    ],
  ]
  for (const [fact, given, expectations, detail] of cases)
    test(fact, async () => {
      const result = await verifyStatus(given, store, expectations)
      expect(result).toEqual({ ok: false, detail: expect.stringContaining(detail) })
    })
})
