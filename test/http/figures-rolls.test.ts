import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { DAY } from '../../src/base/lib/clock'
import { type Cell, cellsOf } from '../../src/insight/figures/cells'
import { figuresExamination } from '../../src/insight/figures/doctor'
import { lastPosition } from '../../src/insight/figures/rolls/queries'
import { readCells } from '../../src/insight/figures/rolls/read'
import { rollUp, takeOne } from '../../src/insight/figures/rolls/turn'
import { GROUPS, type GroupSums, NO_SUMS, type SumScope } from '../../src/insight/figures/sums'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { EARLIEST, historyOf } from '../support/figures/projects'
import { seedHistory } from '../support/figures/seed'
import { moreInRelease } from '../support/release'
import { on } from '../support/story'

// Figures that are read from kept sums equal those that are counted entry by entry.

const PROJECTS = Number(process.env.SVC_TEST_PROJECTS ?? 3)
const FIRST_SEED = Number(process.env.SVC_TEST_SEED ?? 4711)
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Auckland', 'America/Havana']

const SHARE = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)

/** What is asked, made of numbers between 0 and 1. */
const ASKED = fc.record({
  from: SHARE,
  length: SHARE,
  isExact: fc.boolean(),
  grain: fc.constantFrom('day', 'week', 'month', 'total'),
  zone: fc.constantFrom(...ZONES),
  groupBy: fc.constantFrom(null, ...GROUPS),
  filter: fc.option(fc.constantFrom(...GROUPS)),
  isSecondFilter: fc.boolean(),
  kinds: fc.constantFrom(undefined, undefined, undefined, ['LINE'], ['STATE', 'TRIAL']),
  environment: fc.constantFrom('PRODUCTION', 'PRODUCTION', 'PRODUCTION', 'SANDBOX'),
  known: fc.option(SHARE),
  now: SHARE,
} as const)

type Asked = typeof ASKED extends fc.Arbitrary<infer Value> ? Value : never

/** All times of entries, ascending. */
async function timesOf(s: Stage): Promise<number[]> {
  const rows = await s.ctx.db.select().from(s.ctx.tables.figureEntries)
  return rows.flatMap(({ at, knownAt }) => [at, knownAt]).sort((a, b) => a - b)
}

async function questionOf(
  s: Stage,
  times: readonly number[],
  asked: Asked,
): Promise<{ scope: SumScope; cells: Cell[] }> {
  const place = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? EARLIEST
  const whole = (at: number): number => (asked.isExact ? at : Math.floor(at / DAY) * DAY)
  const from = whole(place(asked.from))
  const longest = asked.grain === 'day' ? 60 : 900
  const to = Math.max(from + (asked.isExact ? 1 : DAY), whole(from + asked.length * longest * DAY))
  const rows = await s.ctx.db.select().from(s.ctx.tables.figureEntries).limit(3)
  const valuesOf = (name: (typeof GROUPS)[number]) => [rows[0]?.[name] ?? null, rows.at(-1)?.[name] ?? null]
  const filters = {
    ...(asked.filter && { [asked.filter]: valuesOf(asked.filter) }),
    ...(asked.isSecondFilter && { country: valuesOf('country') }),
  }
  const scope: SumScope = {
    projectId: s.project.id,
    ...{ environment: asked.environment, groupBy: asked.groupBy, filters, kinds: asked.kinds },
    ...{ knownBefore: asked.known === null ? null : place(asked.known), now: place(asked.now) },
  }
  return { scope, cells: cellsOf(from, to, asked.grain, asked.zone) }
}

const isSome = ({ sums }: GroupSums): boolean => Object.values(sums).some((value) => value !== 0)

const sorted = (all: readonly GroupSums[]) =>
  all
    .filter(isSome)
    .map(({ cell, group, sums }) => ({ cell, group, sums: { ...NO_SUMS, ...sums } }))
    .sort((a, b) => a.cell - b.cell || (String(a.group) < String(b.group) ? -1 : 1))

async function expectSame(s: Stage, scope: SumScope, cells: readonly Cell[]): Promise<number> {
  const read = (isRecount: boolean) =>
    s.ctx.storage.readInThread((handle) => readCells(handle, { ...scope, isRecount }, cells))
  const counted = sorted(await read(true))
  expect(sorted(await read(false))).toEqual(counted)
  return counted.length
}

async function setZone(s: Stage, timezone: string): Promise<void> {
  const { projects } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(projects).set({ timezone }).where(eq(projects.id, s.project.id)))
  s.ctx.state.projects.forget(s.project.id)
}

/** Some turns, each with an own number of entries. */
async function someTurns(s: Stage, limits: readonly number[]): Promise<void> {
  for (const limit of limits) await takeOne(s.ctx, await lastPosition(s.ctx), limit)
}

const LIMITS = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 })

describe.each(Array.from({ length: PROJECTS }, (_, index) => FIRST_SEED + index))('project %i', (seed) => {
  test('kept sums equal the recount, however far they are', async () => {
    const s = await stage({ now: EARLIEST })
    try {
      const history = historyOf(seed, { min: 20, max: 40 })
      const times = history.purchases.flatMap(({ observations }) => observations.map(({ recordedAt }) => recordedAt))
      const at = (Math.min(...times) + Math.max(...times)) / 2
      await seedHistory(s, history, { together: 20, pause: { at, run: () => someTurns(s, [7, 30, 5, 200]) } })
      const all = await timesOf(s)
      let found = 0
      const law = fc.asyncProperty(
        LIMITS,
        fc.option(fc.constantFrom(...ZONES), { freq: 3 }),
        fc.array(ASKED, { minLength: 3, maxLength: 6 }),
        async (limits, zone, questions) => {
          if (zone) await setZone(s, zone)
          await someTurns(s, limits)
          for (const asked of questions) {
            const { scope, cells } = await questionOf(s, all, asked)
            found += await expectSame(s, scope, cells)
          }
        },
      )
      await fc.assert(law, { seed, numRuns: moreInRelease(4, 12) })
      expect(found).toBeGreaterThan(10)
      await rollUp(s.ctx)
      const { scope, cells } = await questionOf(s, all, { ...WHOLE, zone: history.timezone as 'UTC' })
      expect(await expectSame(s, scope, cells)).toBeGreaterThan(0)
    } finally {
      await s.close()
    }
  }, 600_000)
})

const WHOLE: Asked = {
  ...{
    from: 0,
    length: 1,
    isExact: false,
    grain: 'month',
    zone: 'UTC',
    groupBy: null,
    filter: null,
    isSecondFilter: false,
  },
  ...{ kinds: undefined, environment: 'PRODUCTION', known: null, now: 1 },
}

describe('turns', () => {
  let s: Stage
  beforeEach(async () => {
    s = await stage()
  })
  afterEach(() => s.close())

  const sums = () => s.ctx.db.select().from(s.ctx.tables.figureSums)
  const total = async () => (await sums()).filter(({ level }) => level === 0).reduce((sum, row) => sum + row.gross, 0)

  async function buyThree(): Promise<void> {
    for (const name of ['svc_ada', 'svc_bo', 'svc_cy']) await s.receipt(name, s.buy(MONTHLY))
  }

  test('two processes at once add every entry once', async () => {
    await buyThree()
    await rollUp(s.ctx)
    const once = await total()
    expect(once).toBeGreaterThan(0)
    on(s, '2026-11-21')
    await buyThree()
    await Promise.all([rollUp(s.ctx), rollUp(s.ctx), rollUp(s.ctx)])
    await rollUp(s.ctx)
    expect(await total()).toBe(2 * once)
  })

  test('a crash inside of a turn leaves the sums as they were', async () => {
    await buyThree()
    const { write } = s.ctx
    const broken = {
      ...s.ctx,
      write: ((work) =>
        write(async (tx) => {
          await work(tx)
          throw new Error('the power is gone')
        })) as typeof write,
    }
    const until = await lastPosition(s.ctx)
    await expect(takeOne(broken, until, 2)).rejects.toThrow('the power is gone')
    expect(await sums()).toEqual([])
    await takeOne(s.ctx, until, 2)
    const some = await sums()
    await expect(takeOne(broken, until, 2)).rejects.toThrow('the power is gone')
    expect(await sums()).toEqual(some)
  })

  test('another time zone gives sums of other days, and those of before are deleted', async () => {
    await buyThree()
    await rollUp(s.ctx)
    const before = await sums()
    await setZone(s, 'Pacific/Auckland')
    await rollUp(s.ctx)
    const after = await sums()
    expect(after).toHaveLength(before.length)
    expect(new Set(after.map(({ start }) => start)).intersection(new Set(before.map(({ start }) => start))).size).toBe(
      0,
    )
    expect((await s.ctx.db.select().from(s.ctx.tables.figureGroups)).every(({ projectId }) => projectId !== '')).toBe(
      true,
    )
  })

  test('svc doctor finds a kept sum that differs from its entries', async () => {
    await buyThree()
    await rollUp(s.ctx)
    on(s, '2026-11-22')
    const examined = { handle: s.ctx, config: s.ctx.config, vault: null, now: s.ctx.clock.now() }
    const examine = async () => {
      await new Promise(setImmediate)
      return figuresExamination.project?.(examined, { id: s.project.id, slug: 'x' })
    }
    expect(await examine()).toEqual({})
    const { figureSums } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(figureSums).set({ trialStarts: sql`${figureSums.trialStarts} + 1` }))
    const found = await examine()
    expect(found?.faults).toMatchObject([{ message: expect.stringContaining('differ from the entries') }])
  })

  test('nothing to do writes nothing', async () => {
    await buyThree()
    await rollUp(s.ctx)
    const [before] = await s.ctx.db.select().from(s.ctx.tables.figureRolls)
    await rollUp(s.ctx)
    expect((await s.ctx.db.select().from(s.ctx.tables.figureRolls))[0]).toEqual(before)
  })
})
