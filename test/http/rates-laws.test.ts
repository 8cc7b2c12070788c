import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { type Stage, stage } from '../support/cast'
import { refund, renew } from '../support/facts'
import { inCurrency, loadCsv, runJobs } from '../support/rates'

/** What can happen on a day: purchases, renewals and refunds, and rates that are loaded, also of earlier days. */
type Turn =
  | { does: 'buy'; currency: string; price: number }
  | { does: 'renew' | 'refund'; which: number }
  | { does: 'load'; currency: string; back: number; rate: number }
  | { does: 'convert' }

const CURRENCIES = ['USD', 'AAA', 'BBB', 'CCC']
const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({
    does: fc.constant('buy' as const),
    currency: fc.constantFrom(...CURRENCIES),
    price: fc.integer({ min: 1, max: 99_999 }),
  }),
  fc.record({ does: fc.constantFrom('renew' as const, 'refund' as const), which: fc.nat(20) }),
  fc.record({
    does: fc.constant('load' as const),
    currency: fc.constantFrom('AAA', 'BBB'),
    back: fc.integer({ min: 0, max: 20 }),
    rate: fc.integer({ min: 3000, max: 20_000 }),
  }),
  fc.constant({ does: 'convert' as const }),
)

/** A rate as the history has it: ten-thousandths of a dollar for one unit. */
interface Known {
  currency: string
  day: number
  rate: number
}

/** Written from the definition, with nothing of the product: the nearest earlier rate, half away from zero. */
function expected(known: readonly Known[], currency: string, at: number, micros: number): number | null {
  if (currency === 'USD') return micros
  const day = Math.floor(at / 86_400_000)
  const own = known.filter((one) => one.currency === currency && one.day <= day)
  const latest = Math.max(...own.map((one) => one.day))
  const rate = own.findLast((one) => one.day === latest)?.rate
  if (rate === undefined) return null
  const product = BigInt(micros) * BigInt(rate)
  const [sign, size] = product < 0n ? [-1n, -product] : [1n, product]
  return Number(sign * (size / 10_000n + (size % 10_000n >= 5000n ? 1n : 0n)))
}

async function live(s: Stage, turns: readonly Turn[]): Promise<Known[]> {
  const bought: { payload: TransactionPayload; currency: string; device: string; price: number }[] = []
  const known: Known[] = []
  for (const [index, one] of turns.entries()) {
    s.ctx.clock.advance(2 * DAY)
    if (one.does === 'convert') await convert(s)
    else if (one.does === 'load') {
      const day = Math.floor(s.ctx.clock.now() / DAY) - one.back
      known.push({ currency: one.currency, day, rate: one.rate })
      const date = new Date(day * DAY).toISOString().slice(0, 10)
      await loadCsv(s.ctx, `${date},${one.currency},${(one.rate / 10_000).toFixed(4)}`)
    } else if (one.does === 'buy') {
      const { currency, price } = one
      const device = `svc_${index}`
      const payload = s.buy(inCurrency(currency, price))
      bought.push({ payload, currency, device, price })
      expect((await s.receipt(device, payload)).status).toBe(200)
    } else {
      const held = bought[one.which % Math.max(1, bought.length)]
      if (!held) continue
      const { payload, currency, device, price } = held
      const next = one.does === 'refund' ? refund(s, payload) : renew(s, payload, inCurrency(currency, price))
      if (one.does === 'renew') held.payload = next
      expect((await s.receipt(device, next)).status).toBe(200)
    }
  }
  return known
}

async function convert(s: Stage): Promise<void> {
  s.ctx.clock.advance(MINUTE)
  await runJobs(s.ctx)
}

test('law: in whatever order purchases, refunds and rates come, in the end each line has the amount that its definition says', async () => {
  let lines = 0
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 4, maxLength: 24 }), async (turns) => {
      const s = await stage()
      try {
        const known = await live(s, turns)
        await convert(s)
        const rows = await s.ctx.db.select().from(s.ctx.tables.transactions)
        for (const { storeTransactionId, kind, amountMicros, currency, usdMicros, occurredAt } of rows) {
          const charge = rows.find((row) => row.storeTransactionId === storeTransactionId && row.kind !== 'REFUND')
          const at = charge?.occurredAt ?? occurredAt
          expect([kind, usdMicros]).toEqual([kind, expected(known, currency ?? '', at, amountMicros ?? Number.NaN)])
          lines++
        }
      } finally {
        await s.close()
      }
    }),
    { numRuns: 15 },
  )
  expect(lines).toBeGreaterThan(30)
})
