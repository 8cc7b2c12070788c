import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../src/base/lib/clock'
import type { ImportRow } from '../../src/moving/imports/row'
import { simulatedPurchase } from '../../src/test-store/stores/ios'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { type Answer, BUNDLE, MONTHLY } from '../support/cast'
import { identify } from '../support/facts'
import { holdingsOf, importJob, importRow, importRows } from '../support/imports'
import { moreInRelease } from '../support/release'

let s: AndroidStage
beforeAll(async () => {
  s = await androidStage()
})
afterAll(() => s.close())

/** How a month becomes known; and the moment at which the app tells whose device it is. */
type Arrival = { by: 'FILE' | 'DEVICE'; month: number } | { by: 'IDENTIFY' }

/** Every month by the file and by a device, and some of them twice, in any order. */
const anyArrivals = (months: number): fc.Arbitrary<Arrival[]> =>
  fc.array(fc.nat({ max: 2 * months - 1 }), { maxLength: 3 }).chain((repeats) => {
    const needed = Array.from({ length: months }, (_, month): Arrival[] => [
      { by: 'FILE', month },
      { by: 'DEVICE', month },
    ]).flat()
    const all = [...needed, ...repeats.flatMap((index) => needed[index] ?? []), { by: 'IDENTIFY' } as const]
    return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })
  })

interface Person {
  label: string
  device: string
  row(month: number): ImportRow
  post(month: number): Promise<Answer>
}

/** What the arrivals come to, without the ids that differ. */
async function outcome(person: Person, arrivals: readonly Arrival[], names: readonly string[]): Promise<unknown> {
  const refused: number[] = []
  for (const arrival of arrivals) {
    if (arrival.by === 'IDENTIFY') {
      expect((await identify(s, person.device, person.label)).status).toBe(200)
      for (const month of refused.splice(0)) expect((await person.post(month)).status).toBe(200)
    } else if (arrival.by === 'DEVICE') {
      // A purchase that the file gave to somebody with a name goes to no device without one; devices send again later.
      const { status, body } = await person.post(arrival.month)
      if (status === 409) refused.push(arrival.month)
      else expect([status, body]).toEqual([200, expect.anything()])
    } else await importRows(s, await importJob(s, { skipSandbox: false }), [person.row(arrival.month)])
  }
  const held = await holdingsOf(s, person.label)
  const text = JSON.stringify({
    access: held?.access,
    purchases: held?.purchases.map(({ row, state }) => ({
      ...{ environment: row.environment, productId: row.productId, effectiveEnd: row.effectiveEnd },
      ...{ originalTransactionId: row.originalTransactionId, status: state.status, expiresAt: state.expiresAt },
      ...{ purchaseDate: state.purchaseDate, originalPurchaseDate: state.originalPurchaseDate, price: state.price },
      ...{ autoRenews: state.autoRenews, storeProductId: state.storeProductId },
    })),
    lines: held?.lines.map(({ kind, usdMicros, occurredAt, renewalNumber }) => [
      ...[kind, usdMicros, occurredAt, renewalNumber],
    ]),
  })
  return JSON.parse(names.reduce((all, name) => all.replaceAll(name, '#'), text))
}

let told = 0
const usd = { amountMicros: 9_990_000, currency: 'USD' }
const shared = { isTrial: false, price: usd, autoRenews: true }

/** Somebody who bought this many months at the App Store, in its sandbox, where tests can sign. */
function iosPerson(months: number): { person: Person; names: string[] } {
  const chain = String(500_000 + 10 * ++told)
  const now = s.ctx.clock.now()
  const idOf = (month: number) => String(Number(chain) + month)
  const startOf = (month: number) => now - (months - month) * 31 * DAY + 5 * DAY
  const endOf = (month: number) => startOf(month) + 31 * DAY
  const label = `user_i${chain}`
  const person: Person = {
    ...{ label, device: `svc_i${chain}` },
    row: (month) =>
      importRow({
        ...{ ...shared, store: 'IOS_STORE', subscriberExternalId: label, productIdentifier: MONTHLY.productId },
        ...{ originalTransactionId: chain, storeTransactionId: idOf(month), renewalNumber: month + 1, isSandbox: true },
        ...{ purchaseDate: startOf(month), expiresDate: endOf(month), updatedAt: startOf(month) },
      }),
    post(month) {
      const payload = simulatedPurchase({
        ...{ bundleId: BUNDLE, product: MONTHLY, transactionId: idOf(month), now: startOf(month) },
      })
      return s.receipt(`svc_i${chain}`, {
        ...payload,
        ...{
          originalTransactionId: chain,
          originalPurchaseDate: startOf(0),
          expiresDate: endOf(month),
          signedDate: now,
        },
        transactionReason: month === 0 ? 'PURCHASE' : 'RENEWAL',
      })
    },
  }
  return { person, names: [...Array(months).keys()].map(idOf).reverse() }
}

const RUNS = Math.ceil(Number(process.env.SVC_LAW_RUNS ?? moreInRelease(20, 60)) / 5)

const anyPair = fc
  .integer({ min: 1, max: 3 })
  .chain((months) => fc.record({ months: fc.constant(months), one: anyArrivals(months), other: anyArrivals(months) }))

test('receipts of iOS devices and rows of a file come to the same in any order', async () => {
  await fc.assert(
    fc.asyncProperty(anyPair, async ({ months, one, other }) => {
      const [first, second] = [iosPerson(months), iosPerson(months)]
      const expected = await outcome(first.person, one, first.names)
      expect(expected).toMatchObject({ access: { pro: expect.anything() }, purchases: [{ status: 'ACTIVE' }] })
      expect(await outcome(second.person, other, second.names)).toEqual(expected)
    }),
    { numRuns: RUNS },
  )
})

/** Two people who bought the same months at Google Play at the same time. */
function androidPair(months: number): { person: Person; names: string[] }[] {
  // Google does not say when a renewal began, so that it is told exactly only on days that every month has.
  while (new Date(s.ctx.clock.now()).getUTCDate() > 20) s.ctx.clock.advance(DAY)
  const tokens = [s.server.store.subscribe(ANDROID_MONTHLY), s.server.store.subscribe(ANDROID_MONTHLY)]
  const lineOf = (token: string) => s.server.store.subscriptions.get(token)?.resource.lineItems?.[0]
  const starts = [s.ctx.clock.now()]
  const ends: number[] = []
  const orders = tokens.map((token) => [lineOf(token)?.latestSuccessfulOrderId ?? ''])
  const end = () => ends.push(Date.parse(lineOf(tokens[0] ?? '')?.expiryTime ?? ''))
  end()
  for (let month = 1; month < months; month++) {
    s.ctx.clock.advance((ends.at(-1) ?? 0) - s.ctx.clock.now())
    starts.push(s.ctx.clock.now())
    for (const [index, token] of tokens.entries()) {
      s.server.store.renew(token)
      orders[index]?.push(lineOf(token)?.latestSuccessfulOrderId ?? '')
    }
    end()
  }
  s.ctx.clock.advance(DAY)
  return tokens.map((token, index) => {
    const name = `a${1000 + ++told}`
    const own = orders[index] ?? []
    const person: Person = {
      ...{ label: `user_${name}`, device: `svc_${name}` },
      row: (month) =>
        importRow({
          ...{ ...shared, store: 'ANDROID_STORE', subscriberExternalId: `user_${name}` },
          ...{ productIdentifier: 'pro:monthly', originalTransactionId: own[0] ?? '', renewalNumber: month + 1 },
          ...{ storeTransactionId: own[month] ?? '', purchaseDate: starts[month] ?? 0, expiresDate: ends[month] ?? 0 },
          updatedAt: starts[month] ?? 0,
        }),
      post: () => s.token(`svc_${name}`, token, 'pro_monthly'),
    }
    return { person, names: [token, own[0] ?? ''] }
  })
}

test('receipts of Android devices and rows of a file come to the same in any order', async () => {
  await fc.assert(
    fc.asyncProperty(anyPair, async ({ months, one, other }) => {
      const [first, second] = androidPair(months)
      if (!first || !second) throw new Error('no pair')
      const expected = await outcome(first.person, one, first.names)
      expect(expected).toMatchObject({ access: { pro: expect.anything() }, purchases: [{ status: 'ACTIVE' }] })
      expect(await outcome(second.person, other, second.names)).toEqual(expected)
    }),
    { numRuns: RUNS },
  )
})
