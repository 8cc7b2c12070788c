import { expect, test } from 'bun:test'
import { DAY } from '../../base/lib/clock'
import { ChainVerifier } from '../../stores/ios/chain'
import { decodeTransaction, type TransactionPayload } from '../../stores/ios/decode'
import { verifySigned } from '../../stores/ios/jws'
import { trustedRoots } from '../../stores/ios/roots'
import { makeSimulatorKeys, simulatorRoot } from '../../stores/test-keys/keys'
import {
  type SimulatedProduct,
  signTransaction,
  simulatedExpiry,
  simulatedPurchase,
  simulatedRefund,
  simulatedRenewal,
} from './ios'

const NOW = Date.UTC(2026, 0, 31, 8)
const monthly: SimulatedProduct = {
  productId: 'pro_monthly',
  type: 'Auto-Renewable Subscription',
  period: 'P1M',
  price: 9990,
  currency: 'USD',
  trialPeriod: 'P1W',
  subscriptionGroupId: '21000000',
}
const yearly: SimulatedProduct = { ...monthly, productId: 'pro_yearly', period: 'P1Y', price: 99990 }
const gems: SimulatedProduct = { productId: 'gems', type: 'Consumable', period: null, price: 990, currency: 'EUR' }

const keys = await makeSimulatorKeys(NOW)
const root = simulatorRoot(keys)
const chains = new ChainVerifier(trustedRoots(root ? [root] : []))

const bought = simulatedPurchase({ bundleId: 'com.example.app', product: monthly, transactionId: '1', now: NOW })

/** What the server reads from a payload after it was signed, verified and decoded. */
function received(payload: TransactionPayload) {
  const signed = verifySigned(signTransaction(keys, payload), chains)
  const decoded = signed.ok ? decodeTransaction(signed.payload) : signed
  if (!decoded.ok) throw new Error(decoded.reason)
  const [report, marker] = decoded.transaction.observations
  if (report?.kind !== 'REPORT' || !report.transaction) throw new Error('no report')
  return { ...decoded.transaction, report, part: report.transaction, marker }
}

test('a signed purchase verifies and decodes as a sandbox subscription of one month', () => {
  const { environment, chainKey, part, marker } = received(bought)
  expect({ environment, chainKey, marker }).toEqual({ environment: 'SANDBOX', chainKey: '1', marker: undefined })
  expect(part).toMatchObject({
    expiresAt: Date.UTC(2026, 1, 28, 8),
    price: { amountMicros: 9_990_000, currency: 'USD' },
    isTrial: false,
    reason: 'PURCHASE',
  })
})

test('a purchase with its trial is free and ends with the trial', () => {
  const trial = simulatedPurchase({ bundleId: 'b', product: monthly, transactionId: '1', now: NOW, withTrial: true })
  expect(received(trial).part).toMatchObject({ isTrial: true, expiresAt: NOW + 7 * DAY, price: { amountMicros: 0 } })
})

test('the renewal of a trial is paid and begins where the trial ends', () => {
  const trial = simulatedPurchase({ bundleId: 'b', product: monthly, transactionId: '1', now: NOW, withTrial: true })
  const renewed = simulatedRenewal(trial, { product: monthly, transactionId: '2', now: NOW + 7 * DAY - 1000 })
  const { chainKey, part } = received(renewed)
  expect(chainKey).toBe('1')
  expect(part).toMatchObject({
    transactionId: '2',
    purchaseDate: NOW + 7 * DAY,
    expiresAt: Date.UTC(2026, 2, 7, 8),
    isTrial: false,
    isIntroOffer: false,
    price: { amountMicros: 9_990_000 },
    reason: 'RENEWAL',
  })
})

test('a late renewal begins when it is charged', () => {
  const late = Date.UTC(2026, 2, 5)
  const renewed = simulatedRenewal(bought, { product: monthly, transactionId: '2', now: late })
  expect(received(renewed).part).toMatchObject({ purchaseDate: late, expiresAt: Date.UTC(2026, 3, 5) })
})

test('a refund tells of the same transaction and marks it', () => {
  const { part, marker } = received(simulatedRefund(bought, NOW + DAY, 1))
  expect(part).toMatchObject({ transactionId: '1', expiresAt: Date.UTC(2026, 1, 28, 8) })
  expect(marker).toMatchObject({ kind: 'REFUND', transactionId: '1', eventAt: NOW + DAY })
})

test('a family share is revoked, not refunded', () => {
  const shared = simulatedPurchase({
    bundleId: 'b',
    product: monthly,
    transactionId: '1',
    now: NOW,
    ownershipType: 'FAMILY_SHARED',
  })
  expect(received(simulatedRefund(shared, NOW + DAY)).marker).toMatchObject({ kind: 'REVOCATION' })
})

test('an expiry tells of the same transaction with its end lowered to now', () => {
  const { part, report } = received(simulatedExpiry(bought, NOW + DAY))
  expect(part).toMatchObject({ transactionId: '1', expiresAt: NOW + DAY })
  expect(report.id).toBe(`1@${NOW + DAY}`)
})

test('an expiry never raises an end already past', () => {
  expect(simulatedExpiry(bought, NOW + 90 * DAY).expiresDate).toBe(Date.UTC(2026, 1, 28, 8))
})

test('two words of the store at one instant are two observations', () => {
  const ids = [bought, simulatedExpiry(bought, NOW), simulatedRefund(bought, NOW)].map(
    (each) => received(each).report.id,
  )
  expect(ids[1]).not.toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('nothing of a refund or an offer passes to the renewal', () => {
  const renewed = simulatedRenewal(simulatedRefund(bought, NOW), { product: monthly, transactionId: '2', now: NOW })
  expect(received(renewed).marker).toBeUndefined()
  expect(renewed).not.toHaveProperty('revocationReason')
})

test('an upgrade is a purchase in the chain of the transaction before it', () => {
  const upgrade = simulatedPurchase({
    bundleId: 'com.example.app',
    product: yearly,
    transactionId: '2',
    now: NOW + DAY,
    previous: bought,
  })
  const { chainKey, part } = received(upgrade)
  expect(chainKey).toBe('1')
  expect(part).toMatchObject({ storeProductId: 'pro_yearly', originalPurchaseDate: NOW, reason: 'PURCHASE' })
})

test('three gems cost three times the price and never end', () => {
  const appAccountToken = '7e3fb20b-4cdb-47cc-936d-99d65f608138'
  const buy = { bundleId: 'b', product: gems, transactionId: '7', now: NOW, quantity: 3, appAccountToken }
  const { chainKey, part, appAccountToken: token } = received(simulatedPurchase(buy))
  expect({ chainKey, token }).toEqual({ chainKey: '7', token: appAccountToken })
  expect(part).toMatchObject({ quantity: 3, expiresAt: null, price: { amountMicros: 2_970_000, currency: 'EUR' } })
})

test('what the simulator signs is refused without its root', () => {
  const result = verifySigned(signTransaction(keys, bought), new ChainVerifier(trustedRoots()))
  expect(result).toEqual({ ok: false, reason: 'untrusted_root' })
})

test('what the simulator signs as Production is refused with its root', () => {
  const token = signTransaction(keys, { ...bought, environment: 'Production' })
  expect(verifySigned(token, chains)).toEqual({ ok: false, reason: 'untrusted_root' })
})
