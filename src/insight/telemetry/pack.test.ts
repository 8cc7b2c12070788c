import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, MINUTE, SECOND } from '../../base/lib/clock'
import { addToPacks, figuresOf, MOST_PACKS, type Pack } from './pack'
import { dayOf, minuteOf, packKey, readPackKey } from './pack-key'
import { readPack, writePack } from './pack-text'
import { eventIdOf, identityOf, isFresh, playTimeOf, SESSION_EVENT_TYPES, type SessionEvent } from './session-event'

const SEED = 20261122
const TODAY = 20_777
const START = TODAY * DAY

const event = (offset: number, change: Partial<SessionEvent> = {}): SessionEvent => ({
  type: 'open',
  occurredAt: START + offset,
  durationMs: 0,
  appVersion: null,
  sdkVersion: null,
  ...change,
})

const version = fc.option(fc.string({ maxLength: 4 }), { nil: null })
const anyEvent: fc.Arbitrary<SessionEvent> = fc.record({
  type: fc.constantFrom(...SESSION_EVENT_TYPES),
  occurredAt: fc.integer({ min: START, max: START + DAY - 1 }),
  durationMs: fc.oneof(fc.constant(0), fc.nat(9), fc.nat(Number.MAX_SAFE_INTEGER)),
  appVersion: version,
  sdkVersion: version,
})

/** What the rows of a day hold after batches, as the service reads and writes them. */
class Day {
  packs: Pack[] = []

  add(events: readonly SessionEvent[]) {
    const minutes = events.map(({ occurredAt }) => minuteOf(occurredAt))
    const from = this.packs.findLastIndex(({ minute }) => minute <= Math.min(...minutes))
    const touched = this.packs.slice(Math.max(from, 0)).filter(({ minute }) => minute <= Math.max(...minutes))
    const added = addToPacks(touched, events, this.packs.length)
    const changed = new Map(added.changed.map((pack) => [pack.minute, pack]))
    const rest = this.packs.filter(({ minute }) => !changed.has(minute))
    this.packs = [...rest, ...changed.values()].sort((a, b) => a.minute - b.minute)
    return added
  }

  get events(): SessionEvent[] {
    return this.packs.flatMap(({ events }) => events)
  }
}

describe('packs', () => {
  test('hold each event once, whatever the batches, and in the part of the day that is theirs', () => {
    const batches = fc.array(fc.array(anyEvent, { minLength: 1, maxLength: 200 }), { maxLength: 8 })
    const property = fc.property(batches, (all) => {
      const day = new Day()
      const known = new Set<string>()
      for (const batch of all) {
        const before = known.size
        for (const one of batch) known.add(identityOf(one))
        const { saved, repeated, refused } = day.add(batch)
        expect([saved.length, repeated, refused]).toEqual([known.size - before, batch.length - known.size + before, 0])
        expect(day.add(batch)).toEqual({ changed: [], saved: [], repeated: batch.length, refused: 0 })
      }
      expect(day.events.map(identityOf).sort()).toEqual([...known].sort())
      for (const [index, pack] of day.packs.entries()) {
        const end = day.packs[index + 1]?.minute ?? 24 * 60
        const minutes = pack.events.map(({ occurredAt }) => minuteOf(occurredAt))
        expect(minutes.every((minute) => minute >= pack.minute && minute < end)).toBe(true)
      }
      expect(all.length === 0 || day.packs[0]?.minute === 0).toBe(true)
    })
    fc.assert(property, { seed: SEED, numRuns: 60 })
  })

  test('stay short while the day has room for more of them', () => {
    const day = new Day()
    for (let start = 0; start < 4000; start += 200)
      day.add(Array.from({ length: 200 }, (_, index) => event((start + index) * 20 * SECOND)))
    expect(day.events).toHaveLength(4000)
    expect(Math.max(...day.packs.map(({ events }) => events.length))).toBeLessThanOrEqual(256)
    expect(day.packs.length).toBeLessThanOrEqual(MOST_PACKS)
  })

  test('of one minute cannot be divided, and are full one day', () => {
    const day = new Day()
    const added = day.add(Array.from({ length: 5000 }, (_, index) => event(index % MINUTE, { durationMs: index })))
    expect([added.saved.length, added.refused, day.packs.length]).toEqual([4096, 904, 1])
    expect(day.add([event(0, { type: 'close' })])).toMatchObject({ saved: [], refused: 1, changed: [] })
    expect(day.add([event(0, { durationMs: 0 })])).toMatchObject({ repeated: 1, refused: 0 })
  })

  test('of a day are never more than their limit, and a full day refuses the rest', () => {
    const day = new Day()
    let refused = 0
    for (let turn = 0; turn < 100; turn++)
      refused += day.add(Array.from({ length: 200 }, (_, index) => event((turn * 200 + index) * 4 * SECOND))).refused
    expect(day.packs.length).toBe(MOST_PACKS)
    expect(day.events.length).toBeGreaterThan(10_000)
    expect(day.events.length + refused).toBe(20_000)
  })

  test('of others are not changed', () => {
    const packs: Pack[] = [
      { minute: 0, events: [event(0)] },
      { minute: 600, events: [event(600 * MINUTE)] },
    ]
    const { changed } = addToPacks(packs, [event(700 * MINUTE)], 2)
    expect(changed).toEqual([{ minute: 600, events: [event(600 * MINUTE), event(700 * MINUTE)] }])
    expect(packs[1]?.events).toHaveLength(1)
  })
})

describe('the text of a pack', () => {
  test('is read as it was written', () => {
    const property = fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      expect(readPack(TODAY, writePack(events))).toEqual(events)
    })
    fc.assert(property, { seed: SEED, numRuns: 300 })
  })

  test('holds neither zeros at the end of an event nor versions that nobody gave', () => {
    expect(writePack([event(5), event(7, { type: 'close', durationMs: 9 })])).toEqual({
      events: '[[0,5],[2,7,9]]',
      versions: '[]',
    })
    const old = { appVersion: '1.0', sdkVersion: null }
    expect(writePack([event(5, old), event(6, old), event(7, { appVersion: '' })])).toEqual({
      events: '[[0,5],[0,6],[0,7,0,1]]',
      versions: '[["1.0",null],["",null]]',
    })
  })
})

describe('keys', () => {
  test('have the order of days, subjects and minutes, and are read back', () => {
    const part = fc.tuple(fc.nat(32_767), fc.nat(2 ** 27 - 1), fc.nat(24 * 60 - 1))
    const property = fc.property(part, part, (a, b) => {
      const [first, second] = [packKey(...a), packKey(...b)]
      expect(readPackKey(first)).toEqual({ day: a[0], subject: a[1], minute: a[2] })
      const order = a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
      expect(Math.sign(first - second)).toBe(Math.sign(order))
      expect(Number.isSafeInteger(first)).toBe(true)
    })
    fc.assert(property, { seed: SEED, numRuns: 1000 })
  })

  test('refuse a number that has no room in them', () => {
    expect(() => packKey(1, 2 ** 27, 0)).toThrow('134,217,727 subscribers')
  })
})

describe('an event', () => {
  const now = START + 12 * 3_600_000
  const ages: [name: string, offset: number, fresh: boolean][] = [
    ['of 48 hours ago', -48 * 3_600_000, true],
    ['a millisecond older', -48 * 3_600_000 - 1, false],
    ['five minutes ahead', 5 * MINUTE, true],
    ['a millisecond further ahead', 5 * MINUTE + 1, false],
    ['of now', 0, true],
  ]
  for (const [name, offset, fresh] of ages)
    test(`${name} is ${fresh ? 'fresh' : 'stale'}`, () => {
      expect(isFresh({ occurredAt: now + offset }, now)).toBe(fresh)
    })

  test('has the id that its project, subscriber, type, time and duration give', () => {
    const one = event(0, { durationMs: 5 })
    const id = eventIdOf('prj_1', 'sub_1', one)
    // printf 'prj_1|sub_1|open|2026-11-20T00:00:00.000Z|5' | sha256sum | cut -c1-32
    expect(id).toBe('25fff19820ff99ee5032dc367a0d0e32')
    expect(eventIdOf('prj_1', 'sub_1', { ...one, appVersion: '2', sdkVersion: '3' })).toBe(id)
    const others = [
      eventIdOf('prj_2', 'sub_1', one),
      eventIdOf('prj_1', 'sub_2', one),
      eventIdOf('prj_1', 'sub_1', event(1, { durationMs: 5 })),
      eventIdOf('prj_1', 'sub_1', event(0)),
      eventIdOf('prj_1', 'sub_1', { ...one, type: 'close' }),
    ]
    expect(new Set([id, ...others]).size).toBe(6)
  })

  test('counts at most a day of play time', () => {
    expect([0, 5, DAY, DAY + 1].map((durationMs) => playTimeOf({ durationMs }))).toEqual([0, 5, DAY, DAY])
    expect(dayOf(START - 1)).toBe(TODAY - 1)
  })

  test('is counted by its kind and its duration', () => {
    const events = [event(0), event(1, { durationMs: 7 }), event(2, { type: 'close', durationMs: 30 })]
    expect(figuresOf(events)).toEqual({ opens: 2, timed: 2, playMs: 37 })
  })
})
