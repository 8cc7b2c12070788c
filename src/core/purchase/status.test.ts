import { expect, test } from 'bun:test'
import { canRenew, givesAccess, isOver, isPaidFor, isTakenBack, isTroubled, STATUSES } from './status'

const facts = { givesAccess, isPaidFor, isTroubled, canRenew, isTakenBack, isOver }
const told: [status: (typeof STATUSES)[number], facts: (keyof typeof facts)[]][] = [
  ['TRIAL', ['givesAccess', 'canRenew']],
  ['ACTIVE', ['givesAccess', 'isPaidFor', 'canRenew']],
  ['GRACE_PERIOD', ['givesAccess', 'isPaidFor', 'isTroubled']],
  ['BILLING_RETRY', ['isTroubled']],
  ['PAUSED', []],
  ['EXPIRED', ['isOver']],
  ['REFUNDED', ['isTakenBack', 'isOver']],
  ['REVOKED', ['isTakenBack', 'isOver']],
]

for (const [status, holds] of told)
  test(`${status}: ${holds.join(', ') || 'none of them'}`, () => {
    expect(Object.entries(facts).flatMap(([name, fact]) => (fact(status) ? [name] : []))).toEqual(holds)
  })

test('each status is in the table above, and no status is none of them', () => {
  expect(told.map(([status]) => status)).toEqual([...STATUSES])
  expect(Object.values(facts).some((fact) => fact(null))).toBe(false)
})
