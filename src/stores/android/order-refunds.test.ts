import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readRefunds } from './order-history'
import { refundsByProduct } from './order-refunds'

const AT = Date.parse('2026-11-20T08:00:00.000Z')
const usd = (amountMicros: number) => ({ amountMicros, currency: 'USD' })
const money = (units: string) => ({ currencyCode: 'USD', units })
const event = (changes = {}) => ({
  ...{ state: 'PROCESSED_SUCCESSFULLY', createTime: '2026-11-20T08:00:00Z', processTime: '2026-11-20T08:00:05Z' },
  ...{ refundDetails: { total: money('2') }, ...changes },
})
const history = (orderHistory: object) => readRefunds({ orderHistory })

describe('the history of an order', () => {
  test('has the whole refund with its reason, and the parts that were processed', () => {
    const refundEvent = { eventTime: '2026-11-20T08:00:00Z', refundReason: 'CHARGEBACK' }
    expect(history({ refundEvent, partialRefundEvents: [event()] })).toEqual({
      whole: { at: AT, isChargeback: true },
      parts: [{ at: AT + 5000, name: `${AT + 5000}`, amount: usd(2_000_000) }],
    })
    expect(readRefunds({})).toEqual({ whole: null, parts: [] })
  })

  test.each([
    ['is pending', { state: 'PENDING' }],
    ['has a state that Google added later', { state: 'OTHER' }],
    ['has no amount', { refundDetails: {} }],
    ['has no instant', { createTime: null }],
  ])('a part that %s is left out', (_name, changes) => {
    expect(history({ partialRefundEvents: [event(changes)] }).parts).toEqual([])
  })

  test('two parts of one instant have two names', () => {
    const names = history({ partialRefundEvents: [event(), event()] }).parts.map(({ name }) => name)
    expect(new Set(names).size).toBe(2)
  })
})

const refunded = (costs: Record<string, number | null>, amounts: number[], lost: string[] = [], whole = false) => {
  const totals = new Map(Object.entries(costs).map(([id, cost]) => [id, cost === null ? null : usd(cost)]))
  const parts = amounts.map((amount, index) => ({ name: `${index}`, at: AT + index, amount: usd(amount) }))
  const refunds = { whole: whole ? { at: AT + 99, isChargeback: false } : null, parts }
  const found = refundsByProduct({ orderId: 'GPA.1', totals, refunds, lost: new Set(lost) })
  return Object.fromEntries([...found].map(([id, own]) => [id, own.map(({ amount }) => amount?.amountMicros ?? null)]))
}

describe('a partial refund', () => {
  test.each<[string, Parameters<typeof refunded>, ReturnType<typeof refunded>]>([
    ['of the only product is its own', [{ a: 10 }, [3]], { a: [3] }],
    ['is divided by what the products cost', [{ a: 10, b: 20 }, [10]], { a: [3], b: [7] }],
    ['of the exact cost of a lost product is its own', [{ a: 10, b: 20 }, [10], ['a']], { a: [10], b: [] }],
    ['of another amount is divided though a product was lost', [{ a: 10, b: 20 }, [9], ['a']], { a: [3], b: [6] }],
    ['of the cost of two lost products is divided', [{ a: 10, b: 10 }, [10], ['a', 'b']], { a: [5], b: [5] }],
    ['is no money of a product that cost nothing', [{ a: 0, b: 20 }, [5]], { a: [], b: [5] }],
    ['is not divided without the cost of each', [{ a: null, b: 20 }, [5]], { a: [], b: [] }],
    ['comes before that of the whole order', [{ a: 10, b: 20 }, [3], [], true], { a: [1, null], b: [2, null] }],
  ])('%s', (_name, given, expected) => expect(refunded(...given)).toEqual(expected))

  test('is divided without a rest, and never above the cost of a product', () => {
    const costs = fc.array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(costs, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const sum = all.reduce((total, cost) => total + cost, 0)
        const amount = Math.floor(sum * share)
        const shares = refunded(Object.fromEntries(all.map((cost, index) => [`p${index}`, cost])), [amount])
        const given = all.map((_, index) => shares[`p${index}`]?.[0] ?? 0)
        expect(given.reduce((total, one) => total + one, 0)).toBe(amount)
        expect(given.every((one, index) => one <= (all[index] ?? 0))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
