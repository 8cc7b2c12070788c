import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { DAY, HOUR } from '../../src/base/lib/clock'
import type { Chart } from '../../src/insight/charts/chart'
import { CHARTS as ALL } from '../../src/insight/charts/charts'
import { readChart } from '../../src/insight/charts/read'
import { AnswerKeeper } from '../../src/insight/figures/kept/keeper'
import { lastMove } from '../../src/insight/figures/kept/queries'
import { saveSettledAnswers } from '../../src/insight/figures/kept/turn'
import { prepareUsualAnswers } from '../../src/insight/figures/kept/usual'
import { lastPosition } from '../../src/insight/figures/rolls/queries'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { readFigureQuery } from '../../src/insight/figures/scope'
import { GROUPS } from '../../src/insight/figures/sums'
import { givePurchases } from '../../src/people/purchases/move'
import { type Stage, stage, YEARLY } from '../support/cast'
import { isoOf } from '../support/figures/history'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { isPostgresRun } from '../support/postgres'
import { moreInRelease } from '../support/release'
import { on } from '../support/story'

// Numbers of people that are derived from kept answers equal those that are counted entry by entry.

const PROJECTS = Number(process.env.SVC_TEST_PROJECTS ?? moreInRelease(1, 3))
const FIRST_SEED = Number(process.env.SVC_TEST_SEED ?? 911)
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Auckland']
const CHARTS = ['arpu', 'arppu', 'active-subscribers', 'paying-subscribers', 'new-customers']

const SHARE = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)

/** What is asked, made of numbers between 0 and 1. */
const ASKED = fc.record({
  id: fc.constantFrom(...CHARTS),
  from: SHARE,
  to: SHARE,
  isUntilNow: fc.boolean(),
  grain: fc.constantFrom('day', 'week', 'month', 'total'),
  groupBy: fc.constantFrom(undefined, undefined, ...GROUPS),
  filter: fc.option(fc.constantFrom(...GROUPS)),
  environment: fc.constantFrom('PRODUCTION', 'PRODUCTION', 'PRODUCTION', 'SANDBOX'),
} as const)

type Asked = typeof ASKED extends fc.Arbitrary<infer Value> ? Value : never

const STEP = fc.oneof(
  fc.record({ step: fc.constant('move' as const), from: SHARE, to: SHARE, isAll: fc.boolean() }),
  fc.record({ step: fc.constant('zone' as const), zone: fc.constantFrom(...ZONES) }),
  fc.record({ step: fc.constant('save' as const), settled: fc.option(SHARE) }),
  fc.constant({ step: 'prepare' as const }),
  fc.record({ step: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 90 }) }),
)

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never

function getChart(id: string): Chart {
  const chart = ALL.find((one) => one.id === id)
  if (!chart) throw new Error(`no chart ${id}`)
  return chart
}

const pick = <One>(all: readonly One[], share: number): One | undefined => all[Math.floor(share * (all.length - 1))]

async function setZone(s: Stage, timezone: string): Promise<void> {
  const { projects } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(projects).set({ timezone }).where(eq(projects.id, s.project.id)))
  s.ctx.state.projects.forget(s.project.id)
}

async function move(s: Stage, { from, to, isAll }: { from: number; to: number; isAll: boolean }): Promise<void> {
  const { subscribers } = s.ctx.tables
  const all = (await s.ctx.db.select({ id: subscribers.id }).from(subscribers).orderBy(subscribers.id)).map(
    (one) => one.id,
  )
  const [giver, taker] = [pick(all, from), pick(all, to)]
  if (!giver || !taker) return
  const own = (await s.ctx.db.select().from(s.ctx.tables.purchases)).filter((one) => one.subscriberId === giver)
  const only = isAll ? undefined : own.slice(0, 1).map(({ id }) => id)
  await s.ctx.write((tx) => givePurchases(tx, giver, taker, only))
}

/** Saves, with everything settled, or only a part: as where a transaction commits late. */
async function save(s: Stage, share: number | null): Promise<void> {
  await saveSettledAnswers(s.ctx)
  if (share === null) return
  const [position, moved] = [await lastPosition(s.ctx), await lastMove(s.ctx)]
  s.ctx.state.answers.settled = { position: Math.ceil(position * share), moved: Math.floor(moved * share) }
}

async function prepare(s: Stage, isStopping = () => false): Promise<void> {
  await rollUp(s.ctx)
  await prepareUsualAnswers(s.ctx, isStopping)
}

async function take(s: Stage, one: Step): Promise<void> {
  if (one.step === 'move') await move(s, one)
  else if (one.step === 'zone') await setZone(s, one.zone)
  else if (one.step === 'save') await save(s, one.settled)
  else if (one.step === 'prepare') await prepare(s)
  else s.ctx.clock.advance(one.hours * 3_600_000)
}

async function requestOf(s: Stage, first: number, asked: Asked) {
  const now = s.ctx.clock.now()
  const most = asked.grain === 'day' ? 90 * DAY : 1090 * DAY
  const to = asked.isUntilNow ? now : Math.floor((first + (now - first) * asked.to) / DAY) * DAY + DAY
  const from = Math.max(to - most, Math.floor((first + (to - first) * asked.from) / DAY) * DAY - DAY)
  const rows = asked.filter ? await s.ctx.db.select().from(s.ctx.tables.figureEntries).limit(3) : []
  const filters = asked.filter ? { [asked.filter]: rows.map((row) => row[asked.filter as 'country']) } : {}
  const project = await s.ctx.state.projects.get(s.project.id)
  const { grain, groupBy, environment } = asked
  const query = { from: isoOf(from), to: isoOf(to), grain, groupBy, environment, filters }
  return readFigureQuery(s.ctx, project, query)
}

async function expectSame(s: Stage, first: number, asked: Asked): Promise<number> {
  const chart = getChart(asked.id)
  const request = await requestOf(s, first, asked)
  const found = await readChart(s.ctx, chart, request)
  const recount = await readChart(s.ctx, chart, { ...request, scope: { ...request.scope, isRecount: true } })
  expect(found).toEqual(recount)
  return Object.values(recount.totals).filter((value) => value !== null && value !== 0).length
}

describe.each(Array.from({ length: PROJECTS }, (_, index) => FIRST_SEED + index))('project %i', (seed) => {
  test('derived numbers equal the recount, whatever came in between', async () => {
    const s = await stage({ now: EARLIEST })
    try {
      s.ctx.state.answers.leastCharges = 1
      const history = historyOf(seed, { min: 20, max: 30 })
      const times = history.purchases.flatMap((one) => one.observations.map(({ recordedAt }) => recordedAt))
      const first = Math.min(...times)
      const questions = fc.sample(ASKED, { seed, numRuns: moreInRelease(15, isPostgresRun() ? 25 : 40) })
      const at = Math.floor((first + Math.max(...times)) / 2)
      const askAll = async () => {
        let found = 0
        for (const asked of questions) found += await expectSame(s, first, asked)
        return found
      }
      const run = async () => {
        await save(s, null)
        await askAll()
        await save(s, null)
      }
      await seedHistory(s, history, { together: 20, pause: { at, run } })
      let found = await askAll()
      const law = fc.asyncProperty(
        fc.array(STEP, { maxLength: 6 }),
        fc.array(fc.oneof(fc.constantFrom(...questions), ASKED), { minLength: 2, maxLength: 6 }),
        async (steps, asked) => {
          for (const one of steps) await take(s, one)
          for (const one of asked) found += await expectSame(s, first, one)
        },
      )
      await fc.assert(law, { seed, numRuns: moreInRelease(6, 25) })
      expect(found).toBeGreaterThan(10)
      await save(s, null)
      expect((await s.ctx.db.select().from(s.ctx.tables.figureAnswers)).length).toBeGreaterThan(50)
    } finally {
      await s.close()
    }
  }, 600_000)
})

const TWELVE_MONTHS = { from: '2025-12-01', grain: 'month' } as const

/** What somebody buys counts as bought in production. */
async function inProduction(s: Stage, name: string): Promise<void> {
  expect((await s.receipt(name, s.buy(YEARLY))).status).toBe(200)
  await save(s, null)
  const { figureEntries } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(figureEntries).set({ environment: 'PRODUCTION' }))
  s.ctx.clock.advance(HOUR) // The windows end now, and what happens now is no part of them.
}

describe('kept answers', () => {
  let s: Stage
  beforeEach(async () => {
    s = await stage({ now: Date.UTC(2026, 10, 20, 8) })
    s.ctx.state.answers.leastCharges = 1
    await save(s, null)
  })
  afterEach(() => s.close())

  const saved = () => s.ctx.db.select().from(s.ctx.tables.figureAnswers)

  async function count(id = 'paying-subscribers'): Promise<unknown[]> {
    await new Promise(setImmediate)
    const project = await s.ctx.state.projects.get(s.project.id)
    const query = { from: '2026-11-18', to: '2026-11-26', grain: 'total', environment: 'SANDBOX' } as const
    const request = readFigureQuery(s.ctx, project, query)
    const { series, totals } = await readChart(s.ctx, getChart(id), request)
    return [...series.map(({ values }) => values.value), totals.value]
  }

  const buy = async (...names: string[]) => {
    for (const name of names) expect((await s.receipt(name, s.buy(YEARLY))).status).toBe(200)
  }

  test('are used: an answer that is wrong on purpose shows', async () => {
    await buy('svc_ada', 'svc_bo')
    await save(s, null)
    expect(await count()).toEqual([2, 2])
    await save(s, null)
    const { figureAnswers } = s.ctx.tables
    expect(await saved()).toHaveLength(1)
    await s.ctx.write((tx) => tx.db.update(figureAnswers).set({ answer: '[["",40]]' }))
    await buy('svc_cy')
    expect(await count()).toEqual([41, 41])
  })

  test('a read writes nothing; what it found is saved by the loop, once', async () => {
    await buy('svc_ada')
    await save(s, null)
    await count()
    expect(await saved()).toEqual([])
    await save(s, null)
    const [one] = await saved()
    expect(one).toMatchObject({ projectId: s.project.id, answer: '[["",1]]' })
    await count()
    await save(s, null)
    expect(await saved()).toEqual([one] as never)
  })

  const ofTwelveMonths = async () => {
    await new Promise(setImmediate)
    const project = await s.ctx.state.projects.get(s.project.id)
    return readChart(s.ctx, getChart('new-customers'), readFigureQuery(s.ctx, project, TWELVE_MONTHS))
  }

  test('the usual windows are counted before anybody asks, and brought up to date', async () => {
    await inProduction(s, 'svc_ada')
    await prepare(s)
    await save(s, null)
    const before = await saved()
    expect(before.length).toBeGreaterThan(300)
    const { figureAnswers } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(figureAnswers).set({ answer: '[["",7]]' }))
    expect((await ofTwelveMonths()).totals).toEqual({ value: 7 }) // They are used.
    await prepare(s)
    await save(s, null)
    expect((await saved()).length).toBe(before.length)
  })

  test('work that is stopped keeps no part of a count', async () => {
    await inProduction(s, 'svc_ada')
    let asked = 0
    await prepare(s, () => ++asked > 1)
    await save(s, null)
    expect(await saved()).toEqual([])
    expect((await ofTwelveMonths()).totals).toEqual({ value: 1 })
  })

  test('nothing is prepared for a small project', async () => {
    s.ctx.state.answers.leastCharges = 3
    await inProduction(s, 'svc_ada')
    await prepare(s)
    await save(s, null)
    expect(await saved()).toEqual([])
  })

  test('a small project is counted each time and nothing is kept', async () => {
    s.ctx.state.answers.leastCharges = 3
    await buy('svc_ada', 'svc_bo')
    await save(s, null)
    expect(await count()).toEqual([2, 2])
    await save(s, null)
    expect(await saved()).toEqual([])
  })

  test('purchases that move to somebody else count for their new owner, and again for the first one when they move back', async () => {
    await buy('svc_ada', 'svc_bo', 'svc_cy')
    await save(s, null)
    expect(await count()).toEqual([3, 3])
    await save(s, null)
    const all = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const [a, b] = all.map(({ subscriberId }) => subscriberId)
    if (!a || !b) throw new Error('nobody bought')
    await s.ctx.write((tx) => givePurchases(tx, a, b))
    expect(await count()).toEqual([2, 2])
    await s.ctx.write((tx) => givePurchases(tx, b, a, [all[0]?.id ?? '']))
    expect(await count()).toEqual([3, 3])
    expect(await count('active-subscribers')).toEqual([3, 3])
  })

  test('a crash while answers are saved loses none, and two servers save the same', async () => {
    await buy('svc_ada')
    await save(s, null)
    await count()
    const { write } = s.ctx
    const broken = new AnswerKeeper({
      ...s.ctx,
      write: ((work) =>
        write(async (tx) => {
          await work(tx)
          throw new Error('the power is gone')
        })) as typeof write,
    })
    const one = { projectId: s.project.id, name: 'x', start: 1, end: 2, answer: '[]' }
    broken.keep([{ ...one, position: 1, moved: 0, computedAt: s.ctx.clock.now() }])
    await expect(broken.save()).rejects.toThrow('the power is gone')
    expect(broken.forReading()?.listNew(s.project.id, 'x')).toHaveLength(1)
    expect(await saved()).toEqual([])
    await Promise.all([saveSettledAnswers(s.ctx), saveSettledAnswers(s.ctx)])
    expect(await saved()).toHaveLength(1)
  })

  test('answers that nobody asked for in two weeks are deleted when others are saved', async () => {
    await buy('svc_ada')
    await save(s, null)
    await count()
    await save(s, null)
    on(s, '2026-12-20')
    await count('new-customers')
    await save(s, null)
    const names = (await saved()).map(({ name }) => JSON.parse(name)[0])
    expect(names).toEqual(['NEW'])
  })
})

describe('charts of whole lives, of a large project', () => {
  const LIVES = ['ltv', 'retention', 'revenue-cohorts', 'predicted-ltv']

  test('equal those that are read one by one, are kept for an hour, and tell when they were computed', async () => {
    const s = await stage({ now: EARLIEST })
    try {
      const history = historyOf(FIRST_SEED, { min: 30, max: 30 })
      await seedHistory(s, history, { together: 20 })
      await save(s, null)
      const project = await s.ctx.state.projects.get(s.project.id)
      const { answers } = s.ctx.state
      const first = Math.min(...history.purchases.flatMap((one) => one.observations.map(({ eventAt }) => eventAt)))
      const from = Math.max(first, s.ctx.clock.now() - 1090 * DAY)
      for (const groupBy of [undefined, 'store', 'country'] as const) {
        const ask = async (id: string) => {
          const request = readFigureQuery(s.ctx, project, { from: isoOf(from), grain: 'month', groupBy })
          return readChart(s.ctx, getChart(id), request)
        }
        for (const id of LIVES) {
          answers.leastCharges = 1_000_000
          const one = await ask(id)
          expect([id, one.computedAt]).toEqual([id, undefined])
          expect([id, Object.values(one.totals).some((value) => value !== null)]).toEqual([id, true])
          answers.leastCharges = 1
          const now = s.ctx.clock.now()
          expect([id, await ask(id)]).toEqual([id, { ...one, computedAt: now }])
          s.ctx.clock.advance(59 * 60_000)
          expect([id, (await ask(id)).computedAt]).toEqual([id, now])
          await save(s, null)
          expect([id, (await ask(id)).computedAt]).toEqual([id, now])
          s.ctx.clock.advance(60_000)
          expect([id, (await ask(id)).computedAt]).toEqual([id, s.ctx.clock.now()])
        }
      }
    } finally {
      await s.close()
    }
  }, 600_000)
})
