import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { sweepRetention } from '../../src/base/retention/sweep'
import { joinWriters } from '../../src/projects/usage/join'
import { recountUsage } from '../../src/projects/usage/recount'
import { type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { rowOf } from '../support/facts'
import { SEED, SEEDED } from '../support/laws'
import { moreInRelease } from '../support/release'
import { type Staff, staff } from '../support/staff'
import { iso, opened, postEvent, postSessions } from '../support/telemetry'

const RUNS = moreInRelease(8, 100)

let s: Stage
let team: Staff
beforeAll(async () => {
  s = await stage()
  team = staff(s)
})
afterAll(() => s.close())

type Act =
  | { kind: 'sessions'; device: number; back: number[] }
  | { kind: 'event'; device: number; eventId: number }
  | { kind: 'grant' | 'erase'; device: number }
  | { kind: 'clock'; hours: number }
  | { kind: 'sweep' | 'join' }

const device = fc.integer({ min: 0, max: 5 })
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('sessions' as const),
    device,
    back: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('event' as const), device, eventId: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ kind: fc.constantFrom('grant' as const, 'erase' as const), device }),
  fc.record({ kind: fc.constant('clock' as const), hours: fc.integer({ min: -30, max: 400 }) }),
  fc.record({ kind: fc.constantFrom('sweep' as const, 'join' as const) }),
)

let life = 0
const nameOf = (number: number) => `svc_law_${life}_${number}`

const WAYS: { [Kind in Act['kind']]: (one: Extract<Act, { kind: Kind }>) => Promise<unknown> } = {
  sessions: ({ device: who, back }) => {
    const now = s.ctx.clock.now()
    const events = back.map((hours) => opened(s, { occurredAt: iso(now - hours * HOUR) }))
    return postSessions(s, nameOf(who), events)
  },
  event: ({ device: who, eventId }) => postEvent(s, { eventId: `law-${life}-${eventId}`, subscriberId: nameOf(who) }),
  grant: ({ device: who }) => team.as('ADMIN').post(`/subscribers/${nameOf(who)}/grants`, { accessIds: ['coach'] }),
  erase: async ({ device: who }) => {
    const row = await rowOf(s, nameOf(who)).catch(() => undefined)
    if (row && row.erasedAt === null) await erase(s, row.id)
  },
  clock: async ({ hours }) => s.ctx.clock.advance(hours * HOUR),
  sweep: () => sweepRetention(s.ctx),
  join: () => joinWriters(s.ctx),
}

/** What a recount finds in the months between two instants. */
async function differences(from: number, to: number): Promise<unknown[]> {
  const months = new Set<string>()
  for (let at = from; at <= to; at += DAY) months.add(iso(at).slice(0, 7))
  const found = await Promise.all([...months].map((month) => recountUsage(s.ctx, s.project.id, month)))
  return found.flatMap((one) => one.differences)
}

test(`whatever happens in whatever order, a recount finds what was counted ${SEEDED}`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
      life++
      const times = [s.ctx.clock.now()]
      for (const one of acts) {
        await (WAYS[one.kind] as (one: Act) => Promise<unknown>)(one)
        times.push(s.ctx.clock.now())
      }
      expect(await differences(Math.min(...times) - 3 * DAY, Math.max(...times))).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
  const { usageDays: u, usageRemovals: r } = s.ctx.tables
  const meters = new Set((await s.ctx.db.select().from(u)).map(({ meter }) => meter))
  expect([...meters].sort()).toEqual(['events', 'telemetry']) // Else the law has looked at nothing.
  expect((await s.ctx.db.select().from(r)).length).toBeGreaterThan(0)
}, 600_000)
