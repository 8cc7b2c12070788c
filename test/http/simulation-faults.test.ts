import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { statusAt } from '../../src/people/purchases/status'
import { deliverWaiting } from '../../src/test-store/driver/deliver'
import {
  changeTrouble,
  deliverAll,
  simulatePurchase,
  simulateTime,
  simulateTurn,
} from '../../src/test-store/driver/simulate'
import { readStatus } from '../../src/test-store/driver/status'
import { termsOf, USUAL_PRICE } from '../../src/test-store/driver/terms'
import type { SimulatedStore, Turn } from '../../src/test-store/stores/life'
import { NO_TROUBLE, type Trouble } from '../../src/test-store/stores/world'
import { type Stage, stage } from '../support/cast'
import { access, eventTypes, money, rowOf } from '../support/facts'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED } from '../support/laws'
import { projectOf } from '../support/simulate'

/** The share of the lives of a law without a database: each of these runs a whole world of stores twice. */
const FEW = 0.016
const SOME = 0.03

/** A step of a life: a change of a device's purchase, or days that pass. */
type Act = ['buy', SimulatedStore, string] | [Turn, string] | ['days', number]

async function act(s: Stage, [what, ...rest]: Act): Promise<void> {
  const project = await projectOf(s)
  if (what === 'days') {
    // Moves the stage's clock and the test store's clock.
    await simulateTime(s.ctx, project, Number(rest[0]) * DAY, (ms) => s.ctx.clock.advance(ms))
    return
  }
  s.ctx.clock.advance(MINUTE)
  if (what === 'buy') {
    const [store = '', deviceKey = ''] = rest.map(String)
    const terms = termsOf(project, store as SimulatedStore, 'pro_monthly', USUAL_PRICE)
    if (!terms) throw new Error('the cast sells no such product')
    await simulatePurchase(s.ctx, project, { deviceKey, store: store as SimulatedStore, terms, withTrial: false })
    return
  }
  // Scripts are random, so the store may refuse a change; then it counts as none.
  await simulateTurn(s.ctx, project, { deviceKey: String(rest[0]), store: null, product: null }, what)
}

interface End {
  access: Record<string, string | null>
  money: unknown
  statuses: string[]
  /** The folded observations of each purchase, without ids, which are random. */
  folds: unknown[]
  events: string[]
}

/** Runs a script with faults, delivers everything at the end, and returns the result. */
async function live(script: readonly Act[], trouble: Trouble): Promise<Record<string, End>> {
  const s = await stage()
  try {
    await changeTrouble(s.ctx, await projectOf(s), trouble)
    for (const step of script) await act(s, step)
    for (let round = 0; round < 3; round++) await deliverAll(s.ctx, await projectOf(s))
    expect((await readStatus(s.ctx, await projectOf(s))).waiting).toEqual([])
    const ends: Record<string, End> = {}
    for (const device of DEVICES) ends[device] = await endOf(s, device)
    return ends
  } finally {
    await s.close()
  }
}

const DEVICES = ['ada', 'bo'] as const

async function endOf(s: Stage, device: string): Promise<End> {
  const { id } = await rowOf(s, device)
  const { purchases: p } = s.ctx.tables
  const rows = await s.ctx.db.select().from(p).where(eq(p.subscriberId, id)).orderBy(p.chainKey)
  return {
    access: await access(s, device),
    money: await money(s, id),
    statuses: rows.map(({ fold }) => statusAt(fold, s.ctx.clock.now()).status),
    folds: rows.map(({ fold: { storeTransactionId: _, ...fold } }) => fold),
    events: (await eventTypes(s, id)).toSorted(),
  }
}

type Kept = Omit<End, 'events'>
const withoutEvents = (ends: Record<string, End>): Record<string, Kept> =>
  Object.fromEntries(Object.entries(ends).map(([device, { events: _, ...end }]) => [device, end]))

/** Google's state contains the time at which it was fetched. */
const withoutDates = (ends: Record<string, End>) =>
  Object.fromEntries(Object.entries(withoutEvents(ends)).map(([device, { folds: _, ...end }]) => [device, end]))

const TURNS_OF: Turn[] = ['renew', 'cancel', 'uncancel', 'billing-issue', 'grace-expire', 'recover', 'refund', 'expire']

const scripts = (stores: readonly SimulatedStore[]) =>
  fc
    .array(
      fc.oneof(
        fc.tuple(fc.constantFrom<Turn>(...TURNS_OF), fc.constantFrom<string>(...DEVICES)),
        fc.tuple(fc.constant('days' as const), fc.integer({ min: 1, max: 45 })),
      ),
      { minLength: 1, maxLength: 7 },
    )
    .map((turns): Act[] => [
      ...DEVICES.map((device, i): Act => ['buy', stores[i % stores.length] ?? 'ios', device]),
      ...turns,
    ])

describe(`laws of faults ${SEEDED}`, () => {
  test(
    'duplicates change nothing at all, at any store',
    async () => {
      const anyScript = fc.oneof(scripts(['ios', 'android']), scripts(['payment']))
      await checkLawAsync(
        fc.tuple(anyScript, fc.integer({ min: 1, max: 3 })),
        async ([script, duplicates]) => {
          expect(await live(script, { ...NO_TROUBLE, duplicates })).toEqual(await live(script, NO_TROUBLE))
        },
        FEW,
      )
    },
    LAW_PATIENCE_MS,
  )

  const inTheEnd = [
    // The last delay is so long that nothing is delivered before the end.
    ['iOS: neither order, repetition nor delay changes purchases, money', 'ios', [0, 3, 50, 900], withoutEvents],
    ['payment: neither repetition nor delay changes money', 'payment', [0, 3, 50], withoutDates],
  ] as const
  for (const [what, store, delays, seen] of inTheEnd)
    test(
      `${what} and access in the end`,
      async () => {
        const troubles = fc.record({
          duplicates: fc.integer({ min: 0, max: 2 }),
          isReordered: fc.boolean(),
          delayMs: fc.constantFrom(...delays).map((days) => days * DAY),
        })
        await checkLawAsync(
          fc.tuple(scripts([store]), troubles),
          async ([script, trouble]) => {
            const withFaults = await live(script, { ...NO_TROUBLE, ...trouble })
            expect(seen(withFaults)).toEqual(seen(await live(script, NO_TROUBLE)))
          },
          SOME,
        )
      },
      LAW_PATIENCE_MS,
    )

  test('Android: a delay within the period changes nothing in the end', async () => {
    const script: Act[] = [
      ...DEVICES.map((device): Act => ['buy', 'android', device]),
      ['days', 31],
      ['cancel', 'ada'],
      ['billing-issue', 'bo'],
      ['days', 3],
      ['recover', 'bo'],
      ['days', 45],
    ]
    const calm = await live(script, NO_TROUBLE)
    const late = await live(script, { ...NO_TROUBLE, delayMs: 2 * DAY, duplicates: 1 })
    expect(withoutDates(late)).toEqual(withoutDates(calm))
    expect(calm.bo?.money).toHaveLength(4)
  })
})

describe('one life with faults', () => {
  let s: Stage
  beforeEach(async () => {
    s = await stage()
  })
  afterEach(() => s.close())
  const trouble = async (change: Partial<Trouble>) =>
    changeTrouble(s.ctx, await projectOf(s), { ...NO_TROUBLE, ...change })
  const waiting = async () => (await readStatus(s.ctx, await projectOf(s))).waiting.map(({ type }) => type)
  const charges = async (device: string) => (await money(s, (await rowOf(s, device)).id)).length

  test('what is delayed waits, and comes when its time has come', async () => {
    await act(s, ['buy', 'ios', 'ada'])
    await trouble({ delayMs: 10 * MINUTE })
    await act(s, ['refund', 'ada'])
    expect([Object.keys(await access(s, 'ada')), await waiting()]).toEqual([['pro'], ['REFUND']])
    s.ctx.clock.advance(9 * MINUTE)
    await deliverWaiting(s.ctx)
    expect(Object.keys(await access(s, 'ada'))).toEqual(['pro'])
    s.ctx.clock.advance(MINUTE)
    await deliverWaiting(s.ctx) // Delivers as a running server does.
    expect([await access(s, 'ada'), await waiting()]).toEqual([{}, []])
  })

  test('what comes thrice is taken in thrice, and kept once', async () => {
    await trouble({ duplicates: 2 })
    await act(s, ['buy', 'ios', 'ada'])
    const concerning = { deviceKey: 'ada', store: null, product: null }
    const turned = await simulateTurn(s.ctx, await projectOf(s), concerning, 'renew')
    expect(turned).toMatchObject({ ok: true, delivered: ['DID_RENEW', 'DID_RENEW', 'DID_RENEW'] })
    const rows = await s.ctx.db.select().from(s.ctx.tables.storeEvents)
    expect(rows.map(({ type, attempts }) => [type, attempts]).toSorted()).toEqual([
      ['DID_RENEW', 1],
      ['SUBSCRIBED/INITIAL_BUY', 1],
    ])
    expect(await charges('ada')).toBe(2)
  })

  test('a restore is a copy that only the app tells: it charges nothing, and a refund of it is one of the period', async () => {
    await act(s, ['buy', 'ios', 'ada'])
    const concerning = { deviceKey: 'ada', store: null, product: null }
    const restored = await simulateTurn(s.ctx, await projectOf(s), concerning, 'restore')
    expect(restored).toMatchObject({ ok: true, told: [], delivered: ['app'] })
    expect([await charges('ada'), await s.ctx.db.$count(s.ctx.tables.purchases)]).toEqual([1, 1])
    await act(s, ['refund', 'ada'])
    expect([await charges('ada'), await access(s, 'ada')]).toEqual([2, {}])
  })

  test('a store gives up what is refused again and again, and outlasts our faults', async () => {
    await act(s, ['buy', 'ios', 'ada'])
    const { storeSettings: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ config: { bundleId: 'com.example.other' } }))
    s.ctx.state.projects.forget(s.project.id)
    await act(s, ['renew', 'ada'])
    for (let tries = 1; tries < 5; tries++) {
      expect(await waiting()).toEqual(['DID_RENEW'])
      await deliverAll(s.ctx, await projectOf(s))
    }
    expect([await waiting(), await charges('ada')]).toEqual([[], 1])
  })

  test('what is lost never comes, and is counted', async () => {
    await act(s, ['buy', 'ios', 'ada'])
    await trouble({ dropRate: 1 })
    await act(s, ['refund', 'ada'])
    await deliverAll(s.ctx, await projectOf(s))
    expect([Object.keys(await access(s, 'ada')), await waiting()]).toEqual([['pro'], []])
    expect((await readStatus(s.ctx, await projectOf(s))).state.lost).toBe(1)
  })

  test('an app keeps a purchase that Google could not confirm, and posts it again', async () => {
    await trouble({ isStoreDown: true })
    await act(s, ['buy', 'android', 'ada'])
    expect(await waiting()).toEqual(['app', 'SUBSCRIPTION_PURCHASED'])
    expect(await access(s, 'ada')).toEqual({})
    await deliverAll(s.ctx, await projectOf(s))
    expect(await waiting()).toEqual(['app', 'SUBSCRIPTION_PURCHASED'])
    await trouble({})
    await deliverAll(s.ctx, await projectOf(s))
    expect([Object.keys(await access(s, 'ada')), await waiting(), await charges('ada')]).toEqual([['pro'], [], 1])
  })

  test('while Google is down pushes fail with our 503 and are tried again, ever more rarely', async () => {
    await act(s, ['buy', 'android', 'ada'])
    await trouble({ isStoreDown: true })
    await act(s, ['renew', 'ada'])
    const { waiting: held } = await readStatus(s.ctx, await projectOf(s))
    expect(held).toMatchObject([{ type: 'SUBSCRIPTION_RENEWED', attempts: 1, error: expect.stringContaining('store') }])
    expect(await charges('ada')).toBe(1)
    await deliverWaiting(s.ctx)
    expect((await readStatus(s.ctx, await projectOf(s))).waiting).toEqual(held)
    await trouble({})
    s.ctx.clock.advance(MINUTE)
    await deliverWaiting(s.ctx)
    expect([await waiting(), await charges('ada')]).toEqual([[], 2])
  })

  test('backwards means the last word first, but for what apps post', async () => {
    await act(s, ['buy', 'ios', 'ada'])
    await act(s, ['buy', 'ios', 'bo'])
    await act(s, ['cancel', 'bo'])
    await trouble({ isReordered: true })
    s.ctx.clock.advance(31 * DAY)
    const passed = await simulateTime(s.ctx, await projectOf(s), 0)
    expect(passed.delivered).toEqual(['EXPIRED/VOLUNTARY', 'DID_RENEW'])
    const terms = termsOf(await projectOf(s), 'ios', 'pro_yearly', USUAL_PRICE)
    if (!terms) throw new Error('the cast sells no such product')
    const buying = { deviceKey: 'ada', store: 'ios', terms, withTrial: false } as const
    const bought = await simulatePurchase(s.ctx, await projectOf(s), buying)
    expect(bought).toMatchObject({ ok: true, delivered: ['app', 'SUBSCRIBED/INITIAL_BUY'] })
  })

  test('two commands at once run one after the other', async () => {
    await act(s, ['buy', 'ios', 'ada'])
    await Promise.all([act(s, ['renew', 'ada']), act(s, ['renew', 'ada'])])
    expect(await charges('ada')).toBe(3)
    const project = await projectOf(s)
    const concerning = { deviceKey: 'ada', store: null, product: null }
    const ends = await Promise.all([1, 2, 3].map(() => simulateTurn(s.ctx, project, concerning, 'cancel')))
    expect(ends.filter(({ ok }) => ok)).toHaveLength(1)
    const { id } = await rowOf(s, 'ada')
    expect((await eventTypes(s, id)).filter((type) => type === 'purchase.cancelled')).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  test('two advances at once charge each period once', async () => {
    await act(s, ['buy', 'android', 'ada'])
    const project = await projectOf(s)
    s.ctx.clock.advance(31 * DAY)
    await Promise.all([1, 2, 3].map(() => simulateTime(s.ctx, project, 0)))
    expect([await charges('ada'), await waiting()]).toEqual([2, []])
  })
})
