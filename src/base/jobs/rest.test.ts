import { expect, test } from 'bun:test'
import { demandOf } from './rest'

const NONE = { ranMs: 1000, waitedMs: 500 }
const after = (ranMs: number, waitedMs: number) => ({ ranMs: 1000 + ranMs, waitedMs: 500 + waitedMs })

const cases: [fact: string, ranMs: number, waitedMs: number, demand: number][] = [
  ['a thread that sleeps has nothing to do', 0, 0, 0],
  ['half of the time', 50, 0, 0.5],
  ['a thread that would always run, and gets a tenth of a processor', 10, 90, 1],
  ['one that sleeps most of the time, and waits whenever it wakes', 1, 20, 1 / 80],
  ['one that wakes often beside other programs', 10, 70, 10 / 30],
  ['clocks that differ a little give no more than all of the time', 10, 95, 1],
]
for (const [fact, ranMs, waitedMs, demand] of cases)
  test(fact, () => expect(demandOf(NONE, after(ranMs, waitedMs), 100)).toBeCloseTo(demand))

test('where threads are not measured, nothing is known', () => {
  expect([demandOf(null, after(10, 0), 100), demandOf(NONE, null, 100)]).toEqual([0, 0])
})
