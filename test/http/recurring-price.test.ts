import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { toIso } from '../../src/base/lib/time'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { renew } from '../support/facts'
import { notify } from '../support/notify'
import { dataOf } from '../support/operator'
import { loadCsv } from '../support/rates'
import { type StaffCalls, staff } from '../support/staff'
import { on } from '../support/story'

// Recurring revenue of the App Store is the price of a period, which the store can tell beside the charge.

let s: Stage
let member: StaffCalls
beforeEach(async () => {
  s = await stage() // It is 2026-11-20.
  member = staff(s).as('CUSTOMER_SUPPORT')
})
afterEach(() => s.close())

/** The movement so far, without what did not move. */
async function moved(): Promise<Record<string, number>> {
  s.ctx.clock.advance(1)
  const to = toIso(s.ctx.clock.now())
  const query = `from=2026-11-01T00:00:00Z&to=${to}&grain=total&environment=SANDBOX`
  const { totals } = await dataOf(member.get(`/metrics/mrr-movement?${query}`))
  const { mrr } = (await dataOf(member.get(`/metrics/mrr?${query}`))).totals
  expect(totals.end).toBe(mrr)
  return Object.fromEntries(Object.entries<number>(totals).filter(([, micros]) => micros !== 0))
}

/** The store reports the next period: its product and price, and whether the customer agreed to it. */
async function tell(
  bought: TransactionPayload,
  { product = MONTHLY.productId, price = 12_990, consent }: { product?: string; price?: number; consent?: 0 | 1 } = {},
): Promise<void> {
  const renewal = {
    ...{ autoRenewStatus: 1, productId: bought.productId, autoRenewProductId: product },
    ...{ renewalPrice: price, currency: bought.currency ?? 'USD' },
    ...(consent !== undefined && { priceIncreaseStatus: consent }),
  }
  const { status } = await notify(s, ['PRICE_INCREASE', consent === 0 ? 'PENDING' : 'ACCEPTED'], bought, { renewal })
  expect(status).toBe(200)
}

const submit = async (bought: TransactionPayload) => expect((await s.receipt('svc_ada', bought)).status).toBe(200)

describe('the price that the store tells for the next period', () => {
  test('of the same product counts from then on, and the difference is an expansion', async () => {
    const bought = s.buy(MONTHLY)
    await submit(bought)
    on(s, '2026-11-25')
    await tell(bought)
    const raised = { new: 9_990_000, expansion: 3_000_000, end: 12_990_000 }
    expect(await moved()).toEqual(raised)
    on(s, '2026-12-01')
    await tell(bought) // The same again.
    on(s, '2026-12-20')
    await submit(renew(s, bought, { ...MONTHLY, price: 12_990 }))
    expect(await moved()).toEqual(raised)
  })

  test('counts once the customer agrees', async () => {
    const bought = s.buy(MONTHLY)
    await submit(bought)
    await tell(bought, { consent: 0 })
    expect(await moved()).toEqual({ new: 9_990_000, end: 9_990_000 })
    on(s, '2026-11-25')
    await tell(bought, { consent: 1 })
    expect(await moved()).toEqual({ new: 9_990_000, expansion: 3_000_000, end: 12_990_000 })
  })

  test('of another product counts with its period', async () => {
    const bought = s.buy(MONTHLY)
    await submit(bought)
    on(s, '2026-11-25')
    await tell(bought, { product: YEARLY.productId, price: 79_990 })
    expect(await moved()).toEqual({ new: 9_990_000, end: 9_990_000 })
  })

  test('of a trial counts once it is paid', async () => {
    const trial = s.buy(MONTHLY, { withTrial: true })
    await submit(trial)
    await tell(trial, { price: 9_990 })
    expect(await moved()).toEqual({})
    on(s, '2026-11-27')
    await submit(renew(s, trial, MONTHLY))
    expect(await moved()).toEqual({ new: 9_990_000, end: 9_990_000 })
  })
})

test('an upgrade within the month is an expansion by the difference of the prices', async () => {
  const month = s.buy({ ...YEARLY, price: 59_990 })
  await submit(month)
  on(s, '2026-11-25')
  await submit(s.buy(MONTHLY, { previous: month }))
  const [before, after] = [Math.round(59_990_000 / 12), 9_990_000]
  expect(await moved()).toEqual({ new: before, expansion: after - before, end: after })
})

test('a price keeps the rate of the day since which it is the same, and a new one has that of its day', async () => {
  const product = { ...MONTHLY, currency: 'EUR', price: 10_000 }
  await loadCsv(s.ctx, '2026-11-20,EUR,1.1')
  const bought = s.buy(product)
  await submit(bought)
  on(s, '2026-12-20')
  await loadCsv(s.ctx, '2026-12-20,EUR,1.3')
  const second = renew(s, bought, product)
  await submit(second)
  expect(await moved()).toEqual({ new: 11_000_000, end: 11_000_000 })
  await tell(second, { price: 11_000 })
  expect(await moved()).toEqual({ new: 11_000_000, expansion: 3_300_000, end: 14_300_000 })
})
