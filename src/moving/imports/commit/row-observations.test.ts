import { expect, test } from 'bun:test'
import { importRow } from '../../../../test/support/imports'
import type { ImportRow } from '../row'
import { eventTime } from './row-observations'

const AT = Date.UTC(2026, 10, 15, 12)
const DAY = 86_400_000

const cases: [name: string, row: Partial<ImportRow>, at: number][] = [
  ['the last change', { updatedAt: AT - DAY, purchaseDate: AT - 3 * DAY, refundedAt: AT - 1 }, AT - DAY],
  ['a change after the import is not believed', { updatedAt: AT + 1, purchaseDate: AT - 3 * DAY }, AT - 3 * DAY],
  ['the latest date', { purchaseDate: AT - 3 * DAY, billingIssueAt: AT - DAY, cancelledAt: AT - 2 * DAY }, AT - DAY],
  ['a date after the import does not count', { purchaseDate: AT - 3 * DAY, cancelledAt: AT + DAY }, AT - 3 * DAY],
  [
    'an end is no event, planned or past',
    { purchaseDate: AT - 3 * DAY, expiresDate: AT - DAY, gracePeriodExpiresDate: AT - 1 },
    AT - 3 * DAY,
  ],
  ['the import, when the row has no date of its own', { expiresDate: AT + DAY }, AT],
]

for (const [name, row, at] of cases) test(`event time: ${name}`, () => expect(eventTime(importRow(row), AT)).toBe(at))
