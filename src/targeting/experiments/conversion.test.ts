import { expect, test } from 'bun:test'
import { conversionAt, type Pause } from './conversion'
import { readMetrics } from './json-columns'

const event = (occurredAt: number, type = 'purchase', experimentKey: string | null = null) => ({
  ...{ type, experimentKey, occurredAt },
})
const pause = (pausedAt: number, resumedAt: number | null): Pause => ({ pausedAt, resumedAt })

const cases: [name: string, events: ReturnType<typeof event>[], pauses: Pause[], at: number | null][] = [
  ['nothing converts by nothing', [], [], null],
  ['at the instant of the exposure', [event(10)], [], 10],
  ['not before it', [event(9)], [], null],
  ['the first of several, in whatever order', [event(30), event(9), event(20)], [], 20],
  ['another type', [event(20, 'other')], [], null],
  ['a type written otherwise', [event(20, 'Purchase')], [], null],
  ['meant for this experiment', [event(20, 'purchase', 'mine')], [], 20],
  ['meant for another', [event(20, 'purchase', 'theirs'), event(25)], [], 25],
  ['at the beginning of a pause', [event(20)], [pause(20, 22)], null],
  ['at the end of a pause', [event(22)], [pause(20, 22)], 22],
  ['in a pause that lasts', [event(20), event(99)], [pause(15, null)], null],
  ['between two pauses', [event(20)], [pause(12, 20), pause(21, null)], 20],
]
for (const [name, events, pauses, at] of cases)
  test(name, () => {
    const run = { key: 'mine', metrics: ['purchase', 'signup'], pauses }
    expect(conversionAt(run, 10, events)).toBe(at)
    expect(conversionAt(run, 10, events.toReversed())).toBe(at)
  })

test('without metrics nothing converts', () => {
  expect(conversionAt({ key: 'mine', metrics: [], pauses: [] }, 10, [event(20)])).toBeNull()
})

test('metrics that were broken by hand convert nothing', () => {
  for (const stored of [null, 5, {}, '', '{', '"purchase"', '[1]', [1, null]]) expect(readMetrics(stored)).toEqual([])
  for (const stored of [['a', 'b'], '["a","b"]']) expect(readMetrics(stored)).toEqual(['a', 'b'])
})
