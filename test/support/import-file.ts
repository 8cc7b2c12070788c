import { DAY } from '../../src/base/lib/clock'

const HEADER = [
  ...['subscriberExternalId', 'store', 'productIdentifier', 'purchaseDate', 'expiresDate', 'originalTransactionId'],
  ...['storeTransactionId', 'renewalNumber', 'isTrial', 'autoRenews', 'refundedAt', 'price', 'currency', 'country'],
  ...['email', 'firstSeenAt', 'lastSeenAt', 'updatedAt'],
]

const PERIODS = 4
const STORES = ['ios_store', 'android_store', 'payment']
const COUNTRIES = ['DE', 'FR', 'US', '']

/**
 * A file of `rows` rows in the canonical columns: people of three stores with up to four months each, some of them trials,
 * refunded or switched off. The months of a person lie far apart, and one row in fifty cannot be read.
 */
export function historyFile(rows: number, now: number): string {
  const people = Math.ceil(rows / PERIODS)
  const lines = Array.from({ length: rows }, (_, n) => lineOf(n % people, Math.floor(n / people), now))
  return [HEADER.join(','), ...lines, ''].join('\n')
}

function lineOf(person: number, month: number, now: number): string {
  const store = STORES[person % STORES.length] ?? ''
  const start = now - (PERIODS - month) * 30 * DAY - (person % 20) * DAY
  const isTrial = month === 0 && person % 5 === 0
  const refundedAt = month === 1 && person % 7 === 0 ? start + DAY : null
  const chain =
    store === 'payment' ? `sub_${person}` : store === 'android_store' ? `GPA.${person}` : `${700_000 + person}`
  const own =
    store === 'android_store' && month > 0 ? `${chain}..${month - 1}` : `${chain}${store === 'ios_store' ? month : ''}`
  const isBroken = (person + month) % 50 === 49
  return [
    ...[`user_${person}`, store, store === 'ios_store' ? 'com.x.pro.monthly' : 'pro_monthly'],
    ...[isBroken ? 'soon' : iso(start), iso(start + 30 * DAY), store === 'ios_store' ? `${chain}0` : chain, own],
    ...[month + 1, isTrial, !(month === PERIODS - 1 && person % 3 === 0), refundedAt === null ? '' : iso(refundedAt)],
    ...[isTrial ? '0' : '9.99', 'USD', COUNTRIES[person % COUNTRIES.length], `user_${person}@example.com`],
    ...[iso(now - 400 * DAY), iso(start + DAY), iso(refundedAt ?? start)],
  ].join(',')
}

const iso = (at: number): string => new Date(at).toISOString()
