import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import type { AttemptResult, OpenDelivery } from '../../src/outward/deliveries/model'
import { type Stage, stage } from '../support/cast'
import { deviceOwner } from '../support/deliveries'
import { answer, type Probe, probeKind, writeEvents } from '../support/probe-kind'

const AWAY = 'whe_00000000000000000000000001'
const AWAY_ORDERED = 'whe_00000000000000000000000002'
const GOOD = 'whe_00000000000000000000000003'
const TARGETS = [AWAY, AWAY_ORDERED, GOOD]
const PER_HOUR = 2

let s: Stage
let probe: Probe
let people: string[]
beforeEach(async () => {
  probe = probeKind()
  s = await stage({ slices: probe.slices })
  people = [await deviceOwner(s, 'ada'), await deviceOwner(s, 'bo'), await deviceOwner(s, 'cy')]
})
afterEach(() => s.close())

/** How many attempts of a target were under way at most. */
class AtOnce {
  readonly most = new Map<string, number>()
  private readonly now = new Map<string, number>()

  async during({ targetId }: OpenDelivery, work: () => AttemptResult): Promise<AttemptResult> {
    const count = (this.now.get(targetId) ?? 0) + 1
    this.now.set(targetId, count)
    this.most.set(targetId, Math.max(this.most.get(targetId) ?? 0, count))
    await new Promise(setImmediate)
    this.now.set(targetId, (this.now.get(targetId) ?? 1) - 1)
    return work()
  }
}

interface Taken {
  targetId: string
  subscriberId: string | null
  seq: number
}

test('a receiver that is away for a day gets everything afterwards, in order, four at once; others wait for nothing', async () => {
  const atOnce = new AtOnce()
  const taken: Taken[] = []
  let isAway = true
  for (const targetId of TARGETS) await probe.open(s.ctx, targetId, s.project.id, targetId === AWAY_ORDERED)
  probe.respond = (delivery) =>
    atOnce.during(delivery, () => {
      const { targetId, subscriberId, event } = delivery
      if (isAway && targetId !== GOOD) return { kind: 'fault', reason: 'unreachable' }
      taken.push({ targetId, subscriberId, seq: event?.seq ?? 0 })
      return answer(200)
    })
  const takenBy = (targetId: string) => taken.filter((one) => one.targetId === targetId)
  const seqsOf = (targetId: string, subscriberId: string) =>
    takenBy(targetId).flatMap((one) => (one.subscriberId === subscriberId ? [one.seq] : []))

  let count = 0
  async function liveAnHour(writes: boolean): Promise<void> {
    if (writes) {
      for (const id of people) await writeEvents(s.ctx, { id, projectId: s.project.id }, PER_HOUR)
      count += PER_HOUR
    }
    await s.ctx.state.dispatcher.runDue()
    for (const id of people) expect(seqsOf(GOOD, id)).toHaveLength(count) // At once, in every hour.
    s.ctx.clock.advance(HOUR)
  }
  for (let hour = 0; hour < DAY / HOUR; hour++) await liveAnHour(true)
  expect(taken.filter(({ targetId }) => targetId !== GOOD)).toEqual([])
  isAway = false
  for (let hour = 0; hour < DAY / HOUR; hour++) await liveAnHour(hour < 3)

  const all = Array.from({ length: count }, (_, index) => index + 1)
  for (const id of people) {
    expect(seqsOf(AWAY, id).sort((a, b) => a - b)).toEqual(all)
    expect(seqsOf(AWAY_ORDERED, id)).toEqual(all)
    expect(seqsOf(GOOD, id)).toEqual(all)
  }
  const attempts = probe.sent.filter(({ targetId }) => targetId === GOOD)
  expect(attempts).toHaveLength(count * people.length) // One attempt for each event.
  for (const targetId of TARGETS) expect(atOnce.most.get(targetId)).toBeLessThanOrEqual(4)
  expect(atOnce.most.get(AWAY)).toBe(4)
  const rows = await s.ctx.db.select().from(s.ctx.tables.deliveries)
  expect(rows.filter(({ status }) => status !== 'SUCCEEDED')).toEqual([])
  expect(rows).toHaveLength(TARGETS.length * people.length * count)
}, 600_000)
