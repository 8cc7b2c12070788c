import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { addPrice } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { sdk, sdkRefusal, setSdkDoor } from '../support/former-sdk'
import { decodeProducts } from '../support/former-sdk-decoders'
import { type PaymentStage, paymentStage, stopSelling } from '../support/payment'

let s: PaymentStage
beforeEach(async () => {
  s = await paymentStage()
  await setSdkDoor(s, { enabled: true })
})
afterEach(() => s.close())

const ALL = ['pro_monthly', 'pro_yearly', 'coins_100', 'lifetime']
const ask = (ids: readonly string[] = ALL, key?: string) => {
  const query = ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')
  return sdk(s, 'web').get(`/rcbilling/v1/subscribers/ada/products?${query}`, key === undefined ? {} : { key })
}
const asked = () => s.server.requests.map(({ path }) => path).filter((path) => path.startsWith('/v1/prices/'))

interface Amount {
  amount_micros?: number
  currency?: string
}

interface ShownProduct {
  identifier: string
  purchase_options: {
    base_option: {
      price_id: string
      base?: { period_duration: string; price: Amount }
      base_price?: Amount
      trial?: { period_duration: string } | null
    }
  }
}

/** The price of each product, or of none. */
async function prices(ids?: readonly string[], key?: string): Promise<Record<string, unknown[]>> {
  const { body } = await ask(ids, key)
  expect(decodeProducts(body)).toEqual([])
  return Object.fromEntries(
    body.product_details.map((one: ShownProduct) => {
      const { price_id, base, base_price, trial } = one.purchase_options.base_option
      const { amount_micros, currency } = base?.price ?? base_price ?? {}
      return [one.identifier, [amount_micros, currency, price_id, base?.period_duration, trial?.period_duration]]
    }),
  )
}

async function change(identifier: string, members: Record<string, unknown>): Promise<void> {
  const { products } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(products).set(members).where(eq(products.identifier, identifier)))
  s.ctx.state.projects.forget(s.project.id)
}

describe('products on the web', () => {
  test('have the prices of the payment provider, which is asked once in five minutes', async () => {
    const expected = {
      pro_monthly: [9_990_000, 'USD', 'price_monthly', 'P1M', undefined],
      pro_yearly: [79_990_000, 'USD', 'price_yearly', 'P1Y', undefined],
      coins_100: [990_000, 'USD', 'price_coins', undefined, undefined],
      lifetime: [199_990_000, 'USD', 'price_lifetime', undefined, undefined],
    }
    expect(await prices()).toEqual(expected)
    expect(await prices()).toEqual(expected)
    expect(asked()).toHaveLength(4)
    s.ctx.clock.advance(6 * MINUTE)
    await prices(['lifetime'])
    expect(asked()).toHaveLength(5)
  })

  test('have the currency, the period and the trial of the price', async () => {
    addPrice(s.world, { id: 'price_eur', amount: 4900, interval: 'month', currency: 'eur' })
    const price = s.world.prices.get('price_eur')
    if (!price?.recurring) throw new Error('no price')
    Object.assign(price.recurring, { interval_count: 3, trial_period_days: 14 })
    await change('pro_monthly', { paymentId: 'price_eur' })
    expect(await prices(['pro_monthly'])).toEqual({ pro_monthly: [49_000_000, 'EUR', 'price_eur', 'P3M', 'P14D'] })
  })

  test('that the provider does not have get the price of the catalogue, or are left out', async () => {
    await change('pro_monthly', { paymentId: 'price_gone', price: { amountMicros: 5_000_000, currency: 'EUR' } })
    await change('pro_yearly', { paymentId: 'price_lost' })
    await change('lifetime', { paymentId: null, price: { amountMicros: 7_000_000, currency: 'EUR' } })
    expect(await prices()).toEqual({
      pro_monthly: [5_000_000, 'EUR', 'pro_monthly_price', 'P1M', undefined],
      lifetime: [7_000_000, 'EUR', 'lifetime_price', undefined, undefined],
      coins_100: [990_000, 'USD', 'price_coins', undefined, undefined],
    })
    await prices()
    expect(asked().sort()).toEqual(['/v1/prices/price_coins', '/v1/prices/price_gone', '/v1/prices/price_lost'])
  })

  test('of a project without an account have the prices of the catalogue', async () => {
    await stopSelling(s, s.project)
    await change('lifetime', { price: { amountMicros: 7_000_000, currency: 'EUR' } })
    expect(Object.keys(await prices())).toEqual(['lifetime'])
    expect(asked()).toEqual([])
  })

  test('of the test store never ask the provider', async () => {
    await setSdkDoor(s, { testStore: true })
    const key = `test_${s.project.publicKey}`
    expect((await prices(['pro_monthly'], key)).pro_monthly?.slice(0, 3)).toEqual([
      ...[9_990_000, 'USD', 'pro_monthly_price'],
    ])
    expect(asked()).toEqual([])
  })

  test('are read once by many who ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(asked()).toHaveLength(4)
  })

  test('without an id, with unknown ids and with very many are an answer', async () => {
    expect((await ask([])).body).toEqual({ product_details: [] })
    expect(await prices(['unknown', '', 'a/b', '😀', 'pro_monthly', 'pro_monthly'])).toHaveProperty('pro_monthly')
    expect((await ask(Array.from({ length: 400 }, (_, n) => `p${n}`))).body).toEqual({ product_details: [] })
  })
})

describe('a provider that is away', () => {
  test('is 503, to be repeated, where a price was never read', async () => {
    for (const faults of [{ status: 500 }, { status: 429 }, { isMalformed: true }]) {
      s.server.faults = { ...NO_FAULTS, ...faults }
      const answer = await ask(['pro_monthly'])
      expect([sdkRefusal(answer), answer.headers.get('retry-after')]).toEqual([[503, 7101], '60'])
      s.ctx.clock.advance(31 * SECOND)
    }
    s.server.faults = NO_FAULTS
    expect(await prices(['pro_monthly'])).toHaveProperty('pro_monthly')
  })

  test('is not asked again at once', async () => {
    s.server.faults = { ...NO_FAULTS, status: 500 }
    for (let times = 0; times < 3; times++) await ask(['pro_monthly'])
    expect(asked()).toHaveLength(1)
  })

  test('does not hide a price that was read before', async () => {
    const before = await prices()
    s.ctx.clock.advance(60 * MINUTE)
    s.server.faults = { ...NO_FAULTS, status: 500 }
    expect(await prices()).toEqual(before)
    await s.server.close()
    s.ctx.clock.advance(60 * MINUTE)
    expect(await prices()).toEqual(before)
  })

  test('changes nothing for offerings and for the person', async () => {
    await s.server.close()
    expect((await sdk(s, 'web').get('/v1/subscribers/ada/offerings')).status).toBe(200)
    expect((await sdk(s, 'web').person('ada')).status).toBe(201)
  })
})
