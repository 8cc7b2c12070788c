import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { type Behaviour, Bench, type Plan } from '../support/delivery-bench'
import { checkEndpoint, goneAt } from '../support/delivery-model'
import { checkLawAsync, LAW_PATIENCE_MS, SEEDED, WITH_DATABASE } from '../support/laws'

// Random receivers, events, leaps of the clock and crashes, held against a model of wire 4.3 and 5.10.

const spell = fc.constantFrom(30 * SECOND, 20 * MINUTE, 3 * HOUR, 30 * HOUR, 3 * DAY)

const behaviours: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constant<Behaviour>({ kind: 'good' }),
  fc.constant<Behaviour>({ kind: 'slow' }),
  fc.record({ kind: fc.constant('dead' as const), status: fc.constantFrom(301, 400, 401, 404, 408, 500, 599) }),
  fc.record({ kind: fc.constant('failing' as const), forMs: spell }),
  fc.record({
    kind: fc.constant('gone' as const),
    afterMs: spell,
    before: fc.constantFrom(200 as const, 500 as const),
  }),
  fc.record({
    kind: fc.constant('limiting' as const),
    status: fc.constantFrom(429 as const, 503 as const),
    seconds: fc.constantFrom(0, 1, 90, 3600, 90_000, 1_000_000),
    isDate: fc.boolean(),
    forMs: spell,
  }),
)

const plans: fc.Arbitrary<Plan[]> = fc.array(fc.record({ isOrdered: fc.boolean(), behaviour: behaviours }), {
  minLength: 1,
  maxLength: 3,
})

type Step =
  | { kind: 'events'; of: (number | null)[]; isPoisoned: boolean }
  | { kind: 'advance'; seconds: number }
  /** To the next instant at which something is due, by way of the moment before. */
  | { kind: 'next' }
  | { kind: 'crash'; of: number[] }

const SUBSCRIBERS = 3

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('events' as const),
        of: fc.array(fc.option(fc.nat(SUBSCRIBERS - 1), { freq: 6 }), { minLength: 1, maxLength: 4 }),
        isPoisoned: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('advance' as const),
        seconds: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 100_000 })),
      }),
    },
    { weight: 4, arbitrary: fc.constant<Step>({ kind: 'next' }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('crash' as const),
        of: fc.array(fc.nat(SUBSCRIBERS - 1), { maxLength: 6 }),
      }),
    },
  ),
  { minLength: 2, maxLength: 12 },
)

async function live(bench: Bench, step: Step): Promise<void> {
  if (step.kind === 'events') for (const of of step.of) await bench.record(of, step.isPoisoned)
  if (step.kind === 'advance') bench.s.ctx.clock.advance(step.seconds * SECOND)
  if (step.kind === 'crash') {
    for (const of of step.of) await bench.record(of)
    await bench.crashNow()
  }
  if (step.kind === 'next') await turnAtNext(bench)
  await bench.turn()
}

async function turnAtNext(bench: Bench): Promise<void> {
  const { clock } = bench.s.ctx
  const due = await bench.nextDue()
  if (due === null || due - 1 <= clock.now()) return
  clock.set(due - 1)
  await bench.turn()
  clock.set(due)
}

/** How many deadlines are met exactly, before the clock leaps. */
const EXACT_TURNS = 25

/** Goes on until nothing is open: from deadline to deadline at first, then in leaps that are longer than every wait. */
async function untilEnded(bench: Bench): Promise<void> {
  for (let turns = 0; await hasOpen(bench); turns++) {
    expect(turns, 'deliveries that never end').toBeLessThan(300)
    if (turns < EXACT_TURNS) await turnAtNext(bench)
    else bench.s.ctx.clock.advance(27 * HOUR)
    await bench.turn()
  }
}

async function hasOpen(bench: Bench): Promise<boolean> {
  for (const target of bench.targets)
    for (const { status } of (await bench.deliveriesOf(target)).values())
      if (status === 'PENDING' || status === 'DELIVERING' || status === 'FAILED') return true
  return false
}

/** Everything that was seen and saved fits the model. */
async function checkAll(bench: Bench): Promise<void> {
  for (const target of bench.targets) {
    const lives = checkEndpoint(target, bench.occurrences)
    const rows = await bench.deliveriesOf(target)
    const gone = goneAt(target)
    for (const { id, turnedAt } of bench.occurrences) {
      const [life, row] = [lives.get(id), rows.get(id)]
      if (turnedAt > gone) expect(row, 'a delivery for an endpoint that is disabled').toBeUndefined()
      else if (turnedAt < gone) expect(row?.status).toBe(life?.end?.status ?? 'DEAD')
      if (life?.end && life.end.at < gone) expect(row?.attempts).toBe(life.attempts)
    }
    for (const { eventId } of target.seen) expect(bench.occurrences.some(({ id }) => id === eventId)).toBe(true)
  }
}

describe('deliveries', () => {
  test(
    `fit the schedule, the order and the states, whatever receivers, clock and processes do ${SEEDED}`,
    () =>
      checkLawAsync(
        fc.record({ plans, steps }),
        async (life) => {
          const bench = await Bench.open(life.plans, SUBSCRIBERS)
          const heal = bench.poison()
          try {
            for (const step of life.steps) await live(bench, step)
            await untilEnded(bench)
            await checkAll(bench)
          } finally {
            heal()
            await bench.close()
          }
        },
        WITH_DATABASE,
      ),
    LAW_PATIENCE_MS,
  )
})

describe('a receiver that was away', () => {
  test.each([true, false])(
    'for a day gets everything afterwards, at most four at once (ordered: %p)',
    async (isOrdered) => {
      const away: Plan = { isOrdered, behaviour: { kind: 'failing', forMs: DAY } }
      const bench = await Bench.open([away, { isOrdered: true, behaviour: { kind: 'good' } }], SUBSCRIBERS)
      try {
        for (let hour = 0; hour < 24; hour++) {
          for (let of = 0; of < SUBSCRIBERS; of++) await bench.record(of)
          await bench.turn()
          bench.s.ctx.clock.advance(HOUR)
        }
        await untilEnded(bench)
        await checkAll(bench)
        const [target, other] = bench.targets
        const received = target?.seen.filter(({ status }) => status === 200) ?? []
        const ids = bench.occurrences.map(({ id }) => id)
        expect(received.map(({ eventId }) => eventId).toSorted()).toEqual(ids.toSorted())
        // The receiver that was there got each event once, at the very turn of that event.
        expect(other?.seen.map(({ at }) => at)).toEqual(bench.occurrences.map(({ turnedAt }) => turnedAt))
      } finally {
        await bench.close()
      }
    },
    600_000,
  )
})

describe('an event whose attempt throws', () => {
  test('ends as DEAD after ten attempts and stops no other subscriber and no other endpoint', async () => {
    const good: Plan = { isOrdered: true, behaviour: { kind: 'good' } }
    const bench = await Bench.open([good, { ...good, isOrdered: false }], 2)
    const heal = bench.poison()
    try {
      await bench.record(0, true)
      await bench.record(0)
      await bench.record(1)
      await bench.turn()
      const [ordered, plain] = bench.targets
      const [poisoned = '', behind = '', free = ''] = bench.occurrences.map(({ id }) => id)
      const sentTo = (target: typeof ordered) =>
        target?.seen.filter(({ status }) => status !== null).map(({ eventId }) => eventId)
      expect(sentTo(ordered)).toEqual([free])
      expect(sentTo(plain)?.toSorted()).toEqual([behind, free].toSorted())
      await untilEnded(bench)
      await checkAll(bench)
      for (const target of [ordered, plain]) {
        if (!target) throw new Error('no endpoint')
        const row = (await bench.deliveriesOf(target)).get(poisoned)
        expect([row?.status, row?.attempts, target.seen.length]).toEqual(['DEAD', 10, 12])
      }
      expect(sentTo(ordered)).toEqual([free, behind])
    } finally {
      heal()
      await bench.close()
    }
  }, 600_000)
})

const GOOD: Behaviour = { kind: 'good' }

describe('several processes', () => {
  test('what a process held when it ended is sent again a minute later, and once', async () => {
    const bench = await Bench.open([{ isOrdered: true, behaviour: GOOD }], 2)
    const { clock } = bench.s.ctx
    const sent = () => bench.targets.flatMap(({ seen }) => seen.map(({ isLost }) => isLost))
    try {
      for (const of of [0, 0, 1]) await bench.record(of)
      await bench.turn()
      for (const of of [0, 0, 1]) await bench.record(of)
      await bench.crashNow()
      expect(sent()).toEqual([false, false, false, true, true])
      await bench.turn()
      clock.advance(60 * SECOND - 1)
      await bench.turn()
      expect(sent()).toHaveLength(5)
      clock.advance(1)
      await bench.turn()
      expect(sent().slice(5)).toEqual([false, false, false])
      clock.advance(DAY)
      await bench.turn()
      expect(sent()).toHaveLength(8)
      await checkAll(bench)
    } finally {
      await bench.close()
    }
  }, 600_000)

  test('that send at the same time share the work: each event once, and in its order', async () => {
    const bench = await Bench.open(
      [true, false].map((isOrdered) => ({ isOrdered, behaviour: GOOD })),
      SUBSCRIBERS,
    )
    const other = await bench.otherProcess()
    try {
      for (let round = 0; round < 4; round++) {
        for (let n = 0; n < 12; n++) await bench.record(n)
        await Promise.all([bench.turn(), other.state.dispatcher.runDue()])
        await bench.turn()
      }
      for (const { seen } of bench.targets)
        expect(seen.map(({ eventId }) => eventId).toSorted()).toEqual(bench.occurrences.map(({ id }) => id).toSorted())
      const [ordered] = bench.targets
      for (const subscriberId of bench.subscribers) {
        const own = bench.occurrences.filter((one) => one.subscriberId === subscriberId).map(({ id }) => id)
        const attempts = ordered?.seen.filter(({ eventId }) => own.includes(eventId)) ?? []
        expect(attempts.map(({ eventId }) => eventId)).toEqual(own)
        for (const [index, { begin }] of attempts.entries())
          expect(begin).toBeGreaterThan(attempts[index - 1]?.end ?? 0)
      }
    } finally {
      await other.close()
      await bench.close()
    }
  }, 600_000)
})
