import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { DAY } from '../../src/base/lib/clock'
import { canonicalJson } from '../../src/base/lib/hash'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import {
  type SimulatedProduct,
  simulatedExpiry,
  simulatedPurchase,
  simulatedRefund,
  simulatedRenewal,
} from '../../src/test-store/stores/ios'
import { BUNDLE, COINS, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { NOW } from '../support/context'
import { eventTypes, rowOf } from '../support/facts'
import { someOrders } from '../support/permutations'
import { moreInRelease } from '../support/release'

let s: Stage
beforeAll(async () => {
  s = await stage({ settings: { clawback: 'full' } })
  s.ctx.clock.advance(200 * DAY) // Lets the certificates of the test store begin before the lives below.
})
afterAll(() => s.close())

/** Letters replace transaction ids, so that the lives of many devices can be compared. */
type Ids = (letter: string) => string
type Receipts = (ids: Ids) => TransactionPayload[]

const TRIED: SimulatedProduct = { ...YEARLY, trialPeriod: 'P1W' }

const buy = (ids: Ids, product: SimulatedProduct, day: number, options = {}) =>
  simulatedPurchase({ bundleId: BUNDLE, product, transactionId: ids('a'), now: NOW + day * DAY, ...options })

const lives: [name: string, receipts: Receipts][] = [
  [
    'a trial, its conversion, a renewal, and the refund of it',
    (ids) => {
      const trial = buy(ids, TRIED, 0, { withTrial: true })
      const paid = simulatedRenewal(trial, { product: TRIED, transactionId: ids('b'), now: NOW + 7 * DAY })
      const renewed = simulatedRenewal(paid, { product: TRIED, transactionId: ids('c'), now: NOW + 8 * DAY })
      return [trial, paid, renewed, simulatedRefund(renewed, NOW + 9 * DAY)]
    },
  ],
  [
    'a purchase, its refund, bought again, and a renewal',
    (ids) => {
      const first = buy(ids, YEARLY, 0)
      const again = buy(ids, YEARLY, 5, { transactionId: ids('b'), previous: first })
      const renewed = simulatedRenewal(again, { product: YEARLY, transactionId: ids('c'), now: NOW + 6 * DAY })
      return [first, simulatedRefund(first, NOW + 3 * DAY), again, renewed]
    },
  ],
  [
    'a month, an upgrade, the month replaced, and the refund of the upgrade',
    (ids) => {
      const month = buy(ids, MONTHLY, 0)
      const year = buy(ids, YEARLY, 10, { transactionId: ids('b'), previous: month })
      const replaced = { ...month, isUpgraded: true, signedDate: NOW + 10 * DAY + 1 }
      return [month, year, replaced, simulatedRefund(year, NOW + 20 * DAY)]
    },
  ],
  [
    'a year, its end told early, its refund, and the same year signed anew',
    (ids) => {
      const year = buy(ids, YEARLY, 0)
      const ended = simulatedExpiry(year, NOW + 30 * DAY)
      const refunded = simulatedRefund(year, NOW + 40 * DAY)
      return [year, ended, refunded, { ...refunded, signedDate: NOW + 50 * DAY }]
    },
  ],
  [
    'coins bought twice, refunded once, and told once more',
    (ids) => {
      const [one, two] = ['a', 'b'].map((letter) => buy(ids, COINS, 0, { transactionId: ids(letter), quantity: 3 }))
      if (!one || !two) throw new Error('no coins')
      return [one, two, simulatedRefund(one, NOW + DAY), { ...two, signedDate: NOW + 2 * DAY }]
    },
  ],
]

const OWN = ['id', 'projectId', 'subscriberId', 'purchaseId', 'createdAt', 'updatedAt', 'recordedAt', 'cause']

/** A row without ids and times of writing. */
const bare = (row: Record<string, unknown>): string =>
  canonicalJson(Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.includes(name))))

/** What a device has at the end of its life, as text without ids. */
async function outcome(device: string, ids: Ids): Promise<string> {
  const { purchases, transactions, observations } = s.ctx.tables
  const { id, toldAccess } = await rowOf(s, device)
  const own = await s.ctx.db.select().from(purchases).where(eq(purchases.subscriberId, id))
  const money = await s.ctx.db.select().from(transactions).where(eq(transactions.subscriberId, id))
  const outcomes = await Promise.all(
    own.map((row) => s.ctx.db.select().from(observations).where(eq(observations.purchaseId, row.id))),
  )
  const { body } = await s.get('/v1/me/access', device)
  // A currency that was granted and taken back reads as 0, like one that was never granted.
  const balances = { coins: 0, ...(await s.get('/v1/virtual-currencies/me', device)).body.data.balances }
  const facts = {
    purchases: own.map(bare).sort(),
    transactions: money.map(bare).sort(),
    observations: outcomes.flat().map(bare).sort(),
    toldAccess,
    access: body.data.access,
    balances,
  }
  return [...'abcdefg'].reduce((text, letter) => text.replaceAll(ids(letter), `<${letter}>`), canonicalJson(facts))
}

let lifeCount = 0

/** A new device posts the receipts; returns what it has at the end. */
async function live(
  receipts: Receipts,
  deliver: (send: (payload?: TransactionPayload) => Promise<void>, payloads: TransactionPayload[]) => Promise<unknown>,
) {
  const number = String(++lifeCount).padStart(6, '0')
  const ids: Ids = (letter) => `29000000${number}${letter.charCodeAt(0) + 100}`
  const device = `svc_life_${number}`
  const send = async (payload?: TransactionPayload) => {
    if (payload) expect((await s.receipt(device, payload)).status).toBe(200)
  }
  await deliver(send, receipts(ids))
  await eventTypes(s, (await rowOf(s, device)).id)
  return outcome(device, ids)
}

const inOrder = (receipts: Receipts, order: readonly number[]) =>
  live(receipts, async (send, payloads) => {
    for (const index of order) await send(payloads[index])
  })

const atOnce = (receipts: Receipts) =>
  live(receipts, (send, payloads) => Promise.all([...payloads, ...payloads].map(send)))

for (const [name, receipts] of lives)
  describe(name, () => {
    test('ends alike in any order of arrival', async () => {
      const first = await inOrder(receipts, [0, 1, 2, 3])
      for (const order of someOrders([0, 1, 2, 3], 5))
        expect([order, await inOrder(receipts, order)]).toEqual([order, first])
    })

    test('ends alike when every receipt comes twice, and when they all come at once', async () => {
      const first = await inOrder(receipts, [0, 1, 2, 3])
      for (const order of [
        [0, 0, 1, 1, 2, 2, 3, 3],
        [0, 1, 2, 3, 0, 1, 2, 3],
        [3, 2, 1, 0, 3, 2, 1, 0],
      ])
        expect([order, await inOrder(receipts, order)]).toEqual([order, first])
      expect(await atOnce(receipts)).toBe(first)
    })
  })

type Step = 'renew' | 'upgrade' | 'downgrade' | 'buy again' | 'refund' | 'refund the first' | 'expire' | 'sign anew'

/** A life of up to seven receipts. Each is what the store would sign next, a few days after the one before. */
const lifeOf =
  (steps: readonly Step[]): Receipts =>
  (ids) => {
    const first = buy(ids, TRIED, 0, { withTrial: true })
    const transactions = [first]
    for (const [index, step] of steps.entries()) {
      const last = transactions.at(-1) ?? first
      transactions.push(nextOf(step, first, last, ids(String.fromCharCode(98 + index)), NOW + (index + 1) * 9 * DAY))
    }
    return transactions
  }

function nextOf(step: Step, first: TransactionPayload, last: TransactionPayload, transactionId: string, now: number) {
  const product = last.productId === MONTHLY.productId ? MONTHLY : TRIED
  const order = { bundleId: BUNDLE, transactionId, now, previous: first }
  if (step === 'renew') return simulatedRenewal(last, { product, transactionId, now })
  if (step === 'upgrade') return simulatedPurchase({ ...order, product: TRIED })
  if (step === 'downgrade') return simulatedPurchase({ ...order, product: MONTHLY })
  if (step === 'buy again') return simulatedPurchase({ ...order, product })
  if (step === 'refund') return simulatedRefund(last, now)
  if (step === 'refund the first') return simulatedRefund(first, now)
  return step === 'expire' ? simulatedExpiry(last, now) : { ...last, signedDate: now }
}

const SEED = 20261120

test(`any life ends alike in any order, with any receipt twice (seed ${SEED})`, async () => {
  const kinds: Step[] = [
    'renew',
    'upgrade',
    'downgrade',
    'buy again',
    'refund',
    'refund the first',
    'expire',
    'sign anew',
  ]
  const steps = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 6 })
  const lifeAndOrder = steps.chain((life) => {
    const indexes = Array.from({ length: life.length + 1 }, (_, index) => index)
    const order = fc
      .array(fc.constantFrom(...indexes), { maxLength: 3 })
      .chain((twice) => fc.shuffledSubarray([...indexes, ...twice], { minLength: indexes.length + twice.length }))
    return fc.record({ life: fc.constant(life), order })
  })
  const property = fc.asyncProperty(lifeAndOrder, async ({ life, order }) => {
    const receipts = lifeOf(life)
    const first = await inOrder(receipts, [0, 1, 2, 3, 4, 5, 6])
    expect(await inOrder(receipts, order)).toBe(first)
  })
  await fc.assert(property, { seed: SEED, numRuns: Number(process.env.SVC_TEST_RUNS ?? moreInRelease(10, 25)) })
}, 600_000)
