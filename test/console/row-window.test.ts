import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextMost, type Span, spanAt, stepTowards } from '../../src/console/lib/row-window'
import { checkLaw, SEEDED } from '../support/laws'

const COUNT = 10_000

const spans = fc
  .tuple(fc.nat(COUNT), fc.nat(400))
  .map(([from, length]): Span => ({ from, to: Math.min(COUNT, from + length) }))

/** Rows on the screen, those near it, and where the window was before. */
const steps = fc
  .record({ now: spans, seen: spans, above: fc.nat(60), below: fc.nat(60), most: fc.integer({ min: 1, max: 48 }) })
  .filter(({ seen }) => seen.to > seen.from)
  .map(({ now, seen, above, below, most }) => ({
    now,
    seen,
    near: { from: Math.max(0, seen.from - above), to: Math.min(COUNT, seen.to + below) },
    most,
  }))

const has = ({ from, to }: Span, row: number) => from <= row && row < to
const rowsOf = ({ from, to }: Span) => Array.from({ length: to - from }, (_, index) => from + index)
const newRows = (before: Span, after: Span) => rowsOf(after).filter((row) => !has(before, row))

test(`a step never leaves what is near, and no more rows are new than may be ${SEEDED}`, () =>
  checkLaw(steps, (step) => {
    const after = stepTowards(step)
    expect(after.from).toBeLessThanOrEqual(after.to)
    expect(after.from).toBeGreaterThanOrEqual(step.near.from)
    expect(after.to).toBeLessThanOrEqual(step.near.to)
    expect(newRows(step.now, after).length).toBeLessThanOrEqual(step.most)
  }))

test(`a row on the screen stays, and comes before one that is only near ${SEEDED}`, () =>
  checkLaw(steps, (step) => {
    const after = stepTowards(step)
    const isWhole = rowsOf(step.seen).every((row) => has(after, row))
    const overlaps = rowsOf(step.now).some((row) => has(step.near, row))
    if (overlaps) for (const row of rowsOf(step.seen)) if (has(step.now, row)) expect(has(after, row)).toBe(true)
    if (isWhole || !overlaps) return
    expect(newRows(step.now, after).length).toBe(step.most)
  }))

test(`enough steps show all that is near ${SEEDED}`, () =>
  checkLaw(steps, (step) => {
    let now = step.now
    for (let count = 0; count <= 600; count++) now = stepTowards({ ...step, now })
    expect(now).toEqual(step.near)
  }))

test('the rows on the screen are those that the window cuts, within the list', () => {
  const list = { height: 320, row: 32, count: 100 }
  expect(spanAt({ ...list, top: 0 })).toEqual({ from: 0, to: 10 })
  expect(spanAt({ ...list, top: 16 })).toEqual({ from: 0, to: 11 })
  expect(spanAt({ ...list, top: 320 }, 5)).toEqual({ from: 5, to: 25 })
  expect(spanAt({ ...list, top: -160 })).toEqual({ from: 0, to: 5 })
  expect(spanAt({ ...list, top: -900 })).toEqual({ from: 0, to: 0 })
  expect(spanAt({ ...list, top: 99_999 })).toEqual({ from: 100, to: 100 })
})

test('a late frame halves the new rows of the next one, and frames in time add one each', () => {
  expect([nextMost(20, 40), nextMost(3, 40), nextMost(2, 40)]).toEqual([10, 2, 2])
  expect([nextMost(20, 16.7), nextMost(48, 16.7)]).toEqual([21, 48])
})
