import { expect, test } from 'bun:test'
import type { EventRow } from '../../people/events/feed'
import { factsOfEvent } from './event-facts'

const price = (amountMicros: number, currency = 'EUR') => ({ amountMicros, currency })
const rowWith = (type: string, data: Record<string, unknown>): EventRow =>
  ({
    ...{ position: 1, id: 'evt_1', projectId: 'prj_1', subscriberId: 'sub_1', seq: 1, environment: 'PRODUCTION' },
    ...{ occurredAt: 0, recordedAt: 0, cause: { kind: 'RECEIPT', ref: null }, before: {}, after: {} },
    ...({ type, data } as Pick<EventRow, 'type' | 'data'>),
  }) as EventRow // The parts that no fact is taken from are left out.

const cases: [name: string, type: string, data: Record<string, unknown>, usdMicros: number | null][] = [
  [
    'a charge in another currency has the dollars of its line',
    'purchase.renewed',
    { transaction: { price: price(9_990_000), usdMicros: 10_859_130 } },
    10_859_130,
  ],
  [
    'a charge without a rate has none',
    'purchase.renewed',
    { transaction: { price: price(9_990_000), usdMicros: null } },
    null,
  ],
  [
    'a refund has the dollars of its line, as a positive amount',
    'purchase.refunded',
    { refund: price(9_990_000), transaction: { price: price(-9_990_000), usdMicros: -10_859_130 } },
    10_859_130,
  ],
  [
    'a refund of another amount than its line has none',
    'purchase.refunded',
    { refund: price(5_000_000), transaction: { price: price(-9_990_000), usdMicros: -10_859_130 } },
    null,
  ],
  [
    'a refund in another currency than its line has none',
    'purchase.refunded',
    { refund: price(9_990_000), transaction: { price: price(-9_990_000, 'TRY'), usdMicros: -290_000 } },
    null,
  ],
  ['a refund without a line has none', 'purchase.refunded', { refund: price(9_990_000) }, null],
  ['a refund in dollars needs no line', 'purchase.refunded', { refund: price(9_990_000, 'USD') }, 9_990_000],
]
for (const [name, type, data, usdMicros] of cases)
  test(name, () => {
    expect(factsOfEvent(rowWith(type, data)).money?.usdMicros ?? null).toBe(usdMicros)
  })
