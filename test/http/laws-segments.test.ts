import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { identify, rowOf } from '../support/facts'
import { dataOf } from '../support/operator'
import { computeAtOnce } from '../support/pauses'
import { type StaffCalls, staff } from '../support/staff'
import { iso, postEvent } from '../support/telemetry'

// What leaderboards and cohorts answer after random histories, against a plain count of what was done.

let s: Stage
let owner: StaffCalls
let durations: ReturnType<typeof computeAtOnce>
beforeAll(async () => {
  durations = computeAtOnce()
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  owner = staff(s).as('OWNER')
})
afterAll(() => {
  durations.restore()
  return s.close()
})

const DEVICES = [0, 1, 2, 3] as const
const RUNS = Number(process.env.SVC_TEST_SEGMENT_RUNS ?? 8)

type Act =
  | { kind: 'give' | 'spend'; device: number; amount: number }
  | { kind: 'event'; device: number }
  | { kind: 'join'; device: number }
  | { kind: 'wait'; hours: number }

const device = fc.constantFrom(...DEVICES)
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('give' as const), device, amount: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('spend' as const), device, amount: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('event' as const), device }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('join' as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 200 }) }) },
)

/** What was done, device by device. Those who joined are one person. */
interface Done {
  gifts: { device: number; at: number; amount: number; isGift: boolean }[]
  events: { device: number; at: number }[]
  joined: Set<number>
}

interface Names {
  key: (device: number) => string
  code: string
  eventType: string
  label: string
}

async function perform(one: Act, { key, code, eventType, label }: Names, done: Done, number: number): Promise<void> {
  const at = s.ctx.clock.now()
  if (one.kind === 'wait') return s.ctx.clock.advance(one.hours * HOUR)
  const deviceKey = key(one.device)
  if (one.kind === 'event') {
    await postEvent(s, { eventType, subscriberId: deviceKey, occurredAt: iso(at) })
    done.events.push({ device: one.device, at })
  } else if (one.kind === 'join') {
    expect((await identify(s, deviceKey, label)).status).toBe(200)
    done.joined.add(one.device)
  } else {
    const amount = one.kind === 'give' ? one.amount : -one.amount
    const path = `/v1/virtual-currencies/${deviceKey}/${code}/transactions`
    const { status } = await s.post(
      path,
      { amount, idempotencyKey: `${label} ${number}` },
      { key: s.project.secretKey },
    )
    expect([200, 409]).toContain(status)
    if (status === 200) done.gifts.push({ device: one.device, at, amount, isGift: amount > 0 })
  }
}

const WINDOWS = ['all', 'day', 'week', 'month'] as const

function begin(window: (typeof WINDOWS)[number], now: number): number {
  const [today, date] = [Math.floor(now / DAY), new Date(now)]
  if (window === 'day') return today * DAY
  if (window === 'week') return (today - ((today + 3) % 7)) * DAY // Day 0 of 1970 was a Thursday.
  return window === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) : 0
}

/** The sums of each person above 0, and their ranks. */
function ranked(amounts: readonly { device: number; amount: number }[], joined: ReadonlySet<number>): string[] {
  const sums = new Map<string, number>()
  for (const { device, amount } of amounts) {
    const person = joined.has(device) ? 'joined' : `device ${device}`
    sums.set(person, (sums.get(person) ?? 0) + amount)
  }
  const listed = [...sums].filter(([, sum]) => sum > 0)
  return listed
    .map(([person, sum]) => `${1 + listed.filter(([, other]) => other > sum).length} ${sum} ${person}`)
    .sort()
}

test('leaderboards and cohorts have what a plain count of the history has', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
      const id = `${++run}_${s.ctx.clock.now()}`
      const names = { key: (n: number) => `svc_${id}_${n}`, code: `c_${id}`, eventType: `e_${id}`, label: `l_${id}` }
      const { id: currencyId } = await dataOf(owner.post('/virtual-currencies', { code: names.code, name: 'C' }))
      const done: Done = { gifts: [], events: [], joined: new Set() }
      for (const n of DEVICES) await s.get('/v1/me', names.key(n))
      for (const [number, one] of acts.entries()) await perform(one, names, done, number)
      s.ctx.clock.advance(MINUTE)
      await compare(names, currencyId, done)
      await dataOf(owner.delete(`/virtual-currencies/${currencyId}`))
    }),
    { seed: 20261120, numRuns: RUNS },
  )
}, 600_000)

async function compare({ key, eventType }: Names, currencyId: string, { gifts, events, joined }: Done): Promise<void> {
  const now = s.ctx.clock.now()
  const people = new Map<string, string>()
  for (const n of DEVICES) {
    const { id, mergedInto } = await rowOf(s, key(n))
    people.set(mergedInto ?? id, joined.has(n) ? 'joined' : `device ${n}`)
  }
  const named = () => ({ identifier: s.ctx.ids.token(20), name: 'Name' })
  const standings = async (measure: object): Promise<string[]> => {
    const { id } = await dataOf(owner.post('/leaderboards', { ...named(), ...measure }))
    const { items } = await dataOf(owner.get(`/leaderboards/${id}/entries`))
    await dataOf(owner.delete(`/leaderboards/${id}`))
    return items
      .map((one: { rank: number; value: number; subscriberId: string }) =>
        [one.rank, one.value, people.get(one.subscriberId) ?? 'nobody'].join(' '),
      )
      .sort()
  }
  for (const window of WINDOWS) {
    const from = begin(window, now)
    const counted = gifts.filter(({ at, isGift }) => window === 'all' || (isGift && at >= from))
    expect([window, await standings({ metric: 'currency', currencyId, window })]).toEqual([
      window,
      ranked(counted, joined),
    ])
    const happened = events.filter(({ at }) => at >= from).map(({ device }) => ({ device, amount: 1 }))
    expect([window, await standings({ metric: 'event', eventType, window })]).toEqual([
      window,
      ranked(happened, joined),
    ])
  }
  for (const days of [1, 7]) {
    const definition = { event: eventType, within: `P${days}D` }
    const { id, size } = await dataOf(owner.post('/cohorts', { ...named(), definition }))
    const { items } = await dataOf(owner.get(`/cohorts/${id}/members`))
    await dataOf(owner.delete(`/cohorts/${id}`))
    const members = items.map((one: { id: string }) => people.get(one.id) ?? 'nobody').sort()
    const recent = events.filter(({ at }) => at >= now - days * DAY)
    const wanted = [...new Set(recent.map(({ device }) => (joined.has(device) ? 'joined' : `device ${device}`)))].sort()
    expect([days, members, size]).toEqual([days, wanted, wanted.length])
  }
}
