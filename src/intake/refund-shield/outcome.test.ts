import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Decision, findDecided, isUpdate, type OpenRequest, type RefundOutcome } from './outcome'

const SEED = 20261120
const asked = (askedAt: number): OpenRequest => ({ askedAt, outcome: null, outcomeAt: null })
const at = (decidedAt: number, outcome: RefundOutcome = 'REFUND_DECLINED'): Decision => ({ outcome, decidedAt })
const known = (outcome: RefundOutcome, outcomeAt: number): OpenRequest => ({ askedAt: 0, outcome, outcomeAt })

const cases: [name: string, askedAt: number[], decidedAt: number, found: number | null][] = [
  ['nobody asked', [], 5, null],
  ['it was decided before anybody asked', [6], 5, null],
  ['one asked', [1], 5, 1],
  ['one asked at that very moment', [5], 5, 5],
  ['the customer asked again after a refusal', [1, 4], 5, 4],
  ['the refusal of the first comes after the second was asked', [1, 7], 5, 1],
  ['the second is known before the first', [7, 1], 8, 7],
]
for (const [name, requests, decidedAt, found] of cases)
  test(`${name}: ${found ?? 'no'} request is decided`, () => {
    expect(findDecided(requests.map(asked), at(decidedAt))?.askedAt ?? null).toBe(found)
  })

test('a newer word counts, an older one and a repetition do not', () => {
  expect(isUpdate(asked(0), at(5))).toBe(true)
  expect(isUpdate(known('REFUND_APPROVED', 5), at(6, 'REFUND_REVERSED'))).toBe(true)
  expect(isUpdate(known('REFUND_REVERSED', 6), at(5, 'REFUND_APPROVED'))).toBe(false)
  expect(isUpdate(known('REFUND_DECLINED', 5), at(5))).toBe(false)
})

test('the order in which decisions come does not matter', () => {
  const outcomes = fc.constantFrom<RefundOutcome>('REFUND_APPROVED', 'REFUND_DECLINED', 'REFUND_REVERSED')
  const decision = fc.record({ outcome: outcomes, decidedAt: fc.nat(1000) })
  const told = fc.uniqueArray(decision, { selector: ({ decidedAt }) => decidedAt, minLength: 1, maxLength: 6 })
  const after = (decisions: readonly Decision[]) => {
    let held = asked(0)
    for (const one of decisions) if (isUpdate(held, one)) held = known(one.outcome, one.decidedAt)
    return held
  }
  const property = fc.property(told, (decisions) => {
    expect(after(decisions)).toEqual(after([...decisions, ...decisions].toReversed()))
  })
  fc.assert(property, { seed: SEED, numRuns: 300 })
})
