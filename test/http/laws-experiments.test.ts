import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { tallyExposed } from '../../src/targeting/experiments/tally-queries'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { type Answer, COINS } from '../support/cast'
import { change, expose, resultsOf, track } from '../support/experiments'
import { changeSettings, identify, refund, rowOf } from '../support/facts'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'
import { trustForProduction } from '../support/notify'
import { clearRemote, configure } from '../support/remote'

// The results that the specification requires (wire 2.14, 5.4), computed only from the raw history.

const END = 60
const LAST = 90
const VARIANTS = ['a', 'b', 'c'].map((id, value) => ({ id, name: id, weight: value === 0 ? 0.34 : 0.33, value }))

const minute = fc.integer({ min: 0, max: END - 1 })
const anyBuy = fc.record({
  at: fc.integer({ min: 0, max: LAST - 2 }),
  store: fc.constantFrom('ios' as const, 'ios' as const, 'android' as const),
  isSandbox: fc.nat({ max: 4 }).map((n) => n === 0),
  isForeign: fc.nat({ max: 4 }).map((n) => n === 0),
  /** 7 is a chargeback of Google's. */
  isReturned: fc.boolean(),
  reason: fc.constantFrom(0, 7),
  byOther: fc.boolean(),
})
const anyTracked = fc.record({
  at: minute,
  type: fc.constantFrom('signup', 'signup', 'other'),
  key: fc.constantFrom('none', 'own', 'foreign'),
  byOther: fc.boolean(),
})
const anyPerson = fc.record({
  variantId: fc.constantFrom('a', 'b', 'c'),
  /** Null = no variant was ever displayed. */
  exposedAt: fc.option(minute, { freq: 6 }),
  buys: fc.array(anyBuy, { maxLength: 3 }),
  tracked: fc.array(anyTracked, { maxLength: 2 }),
  /** What happens to the two installs, and how early in the order of arrival. */
  crossing: fc.constantFrom('apart' as const, 'merged' as const, 'undone' as const),
  crossesAt: fc.nat({ max: 5 }),
})
const anyLife = fc.record({
  people: fc.array(anyPerson, { minLength: 2, maxLength: 4 }),
  pauses: fc
    .uniqueArray(fc.integer({ min: 1, max: END - 1 }), { maxLength: 4 })
    .map((cuts) => cuts.toSorted((one, other) => one - other))
    .map((cuts) => cuts.slice(0, cuts.length - (cuts.length % 2))),
  isStopped: fc.boolean(),
  countsPurchases: fc.boolean(),
  holdoutPercentage: fc.constantFrom(0, 0, 40),
  matureAt: fc.integer({ min: 0, max: LAST }),
  orders: fc.tuple(
    fc.array(fc.nat(), { minLength: 64, maxLength: 64 }),
    fc.array(fc.nat(), { minLength: 64, maxLength: 64 }),
  ),
})
type Life = typeof anyLife extends fc.Arbitrary<infer Value> ? Value : never
type Person = Life['people'][number]
type Buy = Person['buys'][number]

const isHeldOut = (device: string, percentage: number): boolean =>
  createHash('sha256').update(`${device}:__svc_holdout_seed__`).digest().readUInt32BE(0) % 10_000 < percentage * 100

interface Count {
  exposures: number
  conversions: number
  micros: number
  purchases: number
  refunds: number
}
const NOTHING: Count = { exposures: 0, conversions: 0, micros: 0, purchases: 0, refunds: 0 }

/** Computes the expected results. `names` are the two installs of each person. */
function expected(life: Life, names: readonly [string, string][]): Record<string, Count> {
  const counts: Record<string, Count> = { a: { ...NOTHING }, b: { ...NOTHING }, c: { ...NOTHING }, out: { ...NOTHING } }
  const runs = (at: number) =>
    !(life.isStopped && at >= END) &&
    !life.pauses.some((from, n) => n % 2 === 0 && at >= from && at < (life.pauses[n + 1] ?? 0))
  const add = (
    group: string,
    person: Person,
    since: number,
    owns: (fact: { byOther: boolean }) => boolean,
    isIn: boolean,
  ) => {
    const count = counts[group] ?? { ...NOTHING }
    const buys = person.buys.filter((buy) => owns(buy) && !buy.isSandbox && buy.at >= since && runs(buy.at))
    const signups = person.tracked.filter(
      ({ at, type, key, ...fact }) =>
        owns(fact) && type === 'signup' && (key === 'none' || (key === 'own' && isIn)) && at >= since && runs(at),
    )
    const isConverted = signups.length > 0 || (life.countsPurchases && buys.length > 0)
    count.exposures++
    count.conversions += isConverted ? 1 : 0
    for (const buy of buys) {
      count.micros += buy.isReturned ? 0 : priceOf(buy)
      if (buy.at <= life.matureAt) count.purchases++
      if (buy.at <= life.matureAt && buy.isReturned) count.refunds++
    }
  }
  for (const [index, person] of life.people.entries()) {
    const [own, other] = names[index] ?? ['', '']
    const isOne = crossingOf(life, person) === 'merged'
    const sides = isOne
      ? [() => true]
      : [(fact: { byOther: boolean }) => !fact.byOther, (fact: { byOther: boolean }) => fact.byOther]
    for (const [side, owns] of sides.entries()) {
      const isOut = isHeldOut(side === 0 ? own : other, life.holdoutPercentage)
      if (isOut) add('out', person, 0, owns, false)
      else if (side === 0 && person.exposedAt !== null) add(person.variantId, person, person.exposedAt, owns, true)
    }
  }
  return counts
}

const priceOf = ({ store, isForeign }: Buy): number => (store === 'android' ? 9_990_000 : isForeign ? 0 : 990_000)
/**
 * Whether a person is held out depends on the key that survives. Then reports before and after a merge would differ.
 */
const crossingOf = (life: Life, person: Person) => (life.holdoutPercentage > 0 ? 'apart' : person.crossing)

let s: AndroidStage
let count = 0
beforeAll(async () => {
  s = await androidStage()
  trustForProduction(s)
})
afterAll(() => s.close())

type Fact = () => Promise<Answer | undefined>

/** Runs the life while the clock moves. Then everything arrives in the given order, and the results are read. */
async function live(life: Life, order: readonly number[]) {
  const name = `law_${++count}`
  const start = s.ctx.clock.now() + DAY
  const at = (time: number) => start + time * MINUTE
  const iso = (time: number) => new Date(at(time)).toISOString()
  const go = (time: number) => s.ctx.clock.set(at(time))
  go(0)
  await changeSettings(s, { holdoutPercentage: life.holdoutPercentage })
  const metrics = life.countsPurchases ? ['signup', 'purchase'] : ['signup']
  await configure(s, { experiments: [{ id: name, key: name, startedAt: start, metrics, variants: VARIANTS }] })
  const names = life.people.map((_, n): [string, string] => [`svc_${name}_${n}`, `svc_${name}_${n}_other`])
  for (const device of names.flat()) await ok(s.get('/v1/me', device))
  const ofStores = new Map<number, Fact[]>()
  const turns: [at: number, turn: () => unknown][] = life.pauses.map((time, n) => [
    time,
    () => change(s, name, { status: n % 2 === 0 ? 'PAUSED' : 'RUNNING' }),
  ])
  for (const [n, person] of life.people.entries())
    for (const buy of person.buys) turns.push(...sell(buy, names[n] ?? ['', ''], (fact) => addTo(ofStores, n, fact)))
  turns.sort(([one], [other]) => one - other)
  const pass = async (isDue: (time: number) => boolean) => {
    for (const [time, turn] of turns.filter(([at]) => isDue(at))) {
      go(time)
      await turn()
    }
  }
  await pass((time) => time < END)
  go(END)
  const ofDevices = life.people.map((person, n) => deviceFacts(name, iso, person, names[n] ?? ['', '']))
  const early = life.people.flatMap((person, n) => withCrossing(ofDevices[n] ?? [], life, person, names[n] ?? ['', '']))
  if (life.isStopped) for (const fact of inOrder(early, order)) await ok(fact())
  if (life.isStopped) await change(s, name, { status: 'COMPLETED', completedAt: at(END) })
  await pass((time) => time >= END)
  go(LAST)
  for (const push of await s.pushes()) addTo(ofStores, -1, () => s.deliver(push))
  const late = [...ofStores.values()].flat()
  for (const fact of inOrder(life.isStopped ? late : [...early, ...late], order)) await ok(fact())
  return { read: await read(name, life, at), names }
}

const addTo = (facts: Map<number, Fact[]>, n: number, fact: Fact) => void facts.set(n, [...(facts.get(n) ?? []), fact])

async function ok(asking: Promise<Answer | undefined>): Promise<void> {
  const answer = await asking
  if (answer) expect([answer.status, answer.body?.error]).toEqual([200, undefined])
}

const inOrder = (facts: readonly Fact[], order: readonly number[]): Fact[] =>
  facts
    .map((fact, n) => ({ fact, rank: order[n % order.length] ?? 0 }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ fact }) => fact)

function sell(buy: Buy, [own, other]: [string, string], tell: (fact: Fact) => void): [number, () => unknown][] {
  const device = buy.byOther ? other : own
  if (buy.store === 'android') {
    let token = ''
    const bought = () => {
      token = s.server.store.subscribe(ANDROID_MONTHLY, { isTest: buy.isSandbox })
      tell(() => s.token(device, token, 'pro_monthly'))
    }
    return [
      [buy.at, bought],
      ...(buy.isReturned
        ? [[buy.at + 1, () => s.server.store.refund(token, buy.reason)] as [number, () => unknown]]
        : []),
    ]
  }
  const product = buy.isForeign ? { ...COINS, currency: 'TRY' } : COINS
  let bought: TransactionPayload
  const buys = () => {
    bought = { ...s.buy(product), environment: buy.isSandbox ? 'Sandbox' : 'Production' } as TransactionPayload
    const shown = bought
    tell(() => s.receipt(device, shown))
  }
  const returns = () => {
    const returned = refund(s, bought)
    tell(() => s.receipt(device, returned))
  }
  return [[buy.at, buys], ...(buy.isReturned ? [[buy.at + 1, returns] as [number, () => unknown]] : [])]
}

function deviceFacts(
  name: string,
  iso: (time: number) => string,
  person: Person,
  [own, other]: [string, string],
): Fact[] {
  const { exposedAt, variantId } = person
  const shown: Fact[] = exposedAt === null ? [] : [() => expose(s, own, variantId, { exposedAt: iso(exposedAt) }, name)]
  const keys = { none: null, own: name, foreign: 'another' }
  const events = person.tracked.map(
    ({ at, type, key, byOther }): Fact =>
      () =>
        track(s, byOther ? other : own, [{ type, key: keys[key], timestamp: iso(at) }]),
  )
  return [...shown, ...shown, ...events]
}

/**
 * The merge is undone at once: earlier rows return to their subscriber, and later rows stay where they were written.
 */
function withCrossing(facts: Fact[], life: Life, person: Person, [own, other]: [string, string]): Fact[] {
  const crossing = crossingOf(life, person)
  if (crossing === 'apart') return facts
  const cross: Fact = async () => {
    for (const device of [other, own]) await ok(identify(s, device, `${own}@example.com`))
    if (crossing === 'merged') return undefined
    const { id } = await rowOf(s, own)
    const rows = await s.ctx.db.select().from(s.ctx.tables.transfers)
    const transfer = rows.find(({ toSubscriberId }) => toSubscriberId === id)
    return s.post(`/v1/subscribers/transfer/${transfer?.id}/undo`, {}, { key: s.project.secretKey })
  }
  return facts.toSpliced(person.crossesAt, 0, cross)
}

interface Row {
  variantId: string
  exposures: number
  conversions: number
  revenue: { amountMicros: number }
}

async function read(name: string, life: Life, at: (time: number) => number): Promise<Record<string, Count>> {
  const { variants } = (await resultsOf(s, name)) as { variants: Row[] }
  const run = {
    experimentId: name,
    projectId: s.project.id,
    startedAt: at(0),
    metrics: [],
    matureAt: at(life.matureAt),
  }
  const tallies = await tallyExposed(s.ctx, { ...run, completedAt: life.isStopped ? at(END) : null })
  const matured = new Map(tallies.map((tally) => [tally.group, tally]))
  return Object.fromEntries(
    variants.map(({ variantId, exposures, conversions, revenue }) => {
      const { maturePurchases: purchases = 0, matureRefunds: refunds = 0 } = matured.get(variantId) ?? {}
      return [variantId, { exposures, conversions, micros: revenue.amountMicros, purchases, refunds }]
    }),
  )
}

describe(`laws of results ${SEEDED}`, () => {
  test(
    'they say what the history says, in whatever order it is told',
    () =>
      checkLawAsync(
        anyLife,
        async (life) => {
          for (const order of life.orders) {
            const { read, names } = await live(life, order)
            const { out, ...variants } = expected(life, names)
            const { __holdout__: held, ...found } = read
            expect(found).toEqual(variants)
            if (out && held) expect({ ...held, purchases: 0, refunds: 0 }).toEqual({ ...out, purchases: 0, refunds: 0 })
            expect(held === undefined).toBe(life.holdoutPercentage === 0)
            await clearRemote(s)
          }
        },
        WITH_DATABASE,
      ),
    LAW_PATIENCE_MS,
  )
})
