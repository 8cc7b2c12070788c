import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { access, eventTypes, money, rowOf } from '../support/facts'
import { type CliStage, cliStage, svc } from '../support/simulate'

let s: CliStage
beforeEach(async () => {
  s = await cliStage()
})
afterEach(() => s.close())

const PRICE = 9_990_000

/** The kinds of the money lines, and their sum. */
async function book(device: string): Promise<[kinds: string[], net: number]> {
  const lines = await money(s, (await rowOf(s, device)).id)
  return [lines.map(([kind]) => kind), lines.reduce((sum, [, amount]) => sum + (amount ?? 0), 0)]
}

/** Days from now until each access ends, as HTTP returns it. */
async function days(device: string): Promise<Record<string, number | null>> {
  const held = Object.entries(await access(s, device))
  const now = s.ctx.clock.now()
  const daysUntil = (end: string) => Math.round((Date.parse(end) - now) / DAY)
  return Object.fromEntries(held.map(([name, end]) => [name, end === null ? null : daysUntil(end)]))
}

const events = async (device: string) => eventTypes(s, (await rowOf(s, device)).id)

for (const store of ['ios', 'android', 'payment'] as const)
  describe(`a life at the ${store} store, by the command line alone`, () => {
    const take = (turn: string, ...more: string[]) => s.simulate(turn, '--device', 'ada', ...more)

    test('from purchase to expiry', async () => {
      await take('purchase', '--product', 'pro_monthly', '--store', store)
      expect(Object.keys(await days('ada'))).toEqual(['pro'])
      await take('renew')
      expect((await days('ada')).pro).toBeGreaterThan(27)
      await take('billing-issue')
      expect((await days('ada')).pro).toBe(store === 'ios' ? 16 : 7)
      await take('recover')
      expect((await days('ada')).pro).toBeGreaterThan(27)
      await take('cancel')
      expect((await days('ada')).pro).toBeGreaterThan(27)
      const { steps } = await s.simulate('advance', '32d')
      expect(steps).toMatchObject([{ turn: 'expire', device: 'ada' }])
      expect(await days('ada')).toEqual({})
      expect(await book('ada')).toEqual([['INITIAL', 'RENEWAL', 'RENEWAL'], 3 * PRICE])
      expect(await events('ada')).toEqual([
        ...['purchase.initial', 'entitlement.granted', 'purchase.renewed'],
        ...['purchase.billing_issue', 'purchase.grace_period', 'purchase.recovered', 'purchase.cancelled'],
        ...['purchase.expired', 'entitlement.revoked'],
      ])
    })

    test('a trial that converts by itself, and renews for half a year', async () => {
      await take('purchase', '--product', 'pro_monthly', '--store', store, '--trial', '--price', '4.99')
      expect((await days('ada')).pro).toBe(7)
      expect(await book('ada')).toEqual([['TRIAL'], 0])
      const { steps } = await s.simulate('advance', '160d')
      expect(steps.map(({ turn }: { turn: string }) => turn)).toEqual(Array(6).fill('renew'))
      expect((await days('ada')).pro).toBeGreaterThan(0)
      expect(await book('ada')).toEqual([['TRIAL', 'TRIAL_CONVERSION', ...Array(5).fill('RENEWAL')], 6 * 4_990_000])
    })

    test('a refund takes money and access back', async () => {
      await take('purchase', '--product', 'pro_monthly', '--store', store)
      await take('refund')
      expect(await days('ada')).toEqual({})
      expect(await book('ada')).toEqual([['INITIAL', 'REFUND'], 0])
      const [code, sentence] = await s.refused('refund', '--device', 'ada')
      expect([code, sentence]).toEqual([1, expect.stringContaining('given back')])
      expect(await book('ada')).toEqual([['INITIAL', 'REFUND'], 0])
    })

    test('an upgrade to the year, and consumables beside it', async () => {
      await take('purchase', '--product', 'pro_monthly', '--store', store)
      await take('upgrade', '--to', 'pro_yearly', '--price', '79.99')
      expect(Object.keys(await days('ada')).sort()).toEqual(['coach', 'pro'])
      await take('purchase', '--product', 'coins_100', '--store', store, '--price', '0.99')
      // Google's API has no price for one-time purchases, and the payment provider credits the rest of the month.
      const net = { ios: 90_970_000, android: 89_980_000, payment: 80_980_000 }[store]
      // There the year begins within the paid month, so what it costs is no period of its own.
      const change = store === 'payment' ? 'ADJUSTMENT' : 'PRODUCT_CHANGE'
      expect(await book('ada')).toEqual([['INITIAL', change, 'CREDIT_PURCHASE'], net])
      const balances = (await s.get('/v1/virtual-currencies/me', 'ada')).body.data.balances
      expect(balances.coins).toBeGreaterThan(0)
    })

    // The provider asks for no consent, gives no free extension, and keeps unpaid subscriptions.
    if (store === 'payment') return

    test('nobody pays: grace, retries, the end', async () => {
      await take('purchase', '--product', 'pro_monthly', '--store', store)
      await take('billing-issue')
      await take('grace-expire')
      expect(await days('ada')).toEqual({})
      const { steps } = await s.simulate('advance', '80d')
      expect(steps).toMatchObject([{ turn: 'expire' }])
      expect(await book('ada')).toEqual([['INITIAL'], PRICE])
      expect(await events('ada')).toEqual([
        ...['purchase.initial', 'entitlement.granted', 'purchase.billing_issue', 'purchase.grace_period'],
        ...['purchase.billing_issue', 'entitlement.revoked', 'purchase.expired'],
      ])
    })

    test('a price increase that nobody agrees to ends it; one that is agreed to is charged', async () => {
      for (const device of ['ada', 'bo'])
        await s.simulate('purchase', '--device', device, '--product', 'pro_monthly', '--store', store)
      for (const device of ['ada', 'bo']) await s.simulate('price-increase', '--device', device, '--price', '12.99')
      await s.simulate('accept-price', '--device', 'bo')
      await s.simulate('advance', '32d')
      expect([await days('ada'), await book('ada')]).toEqual([{}, [['INITIAL'], PRICE]])
      expect(await book('bo')).toEqual([['INITIAL', 'RENEWAL'], PRICE + 12_990_000])
    })

    test('time given for free is not charged', async () => {
      await take('purchase', '--product', 'pro_monthly', '--store', store)
      const before = (await days('ada')).pro ?? 0
      await take('extend', '14')
      expect((await days('ada')).pro).toBe(before + 14)
      expect(await book('ada')).toEqual([['INITIAL'], PRICE])
      expect(await events('ada')).toContain('purchase.extended')
    })
  })

test('iOS: a refund is reversed, and a part of a charge that is given back ends access', async () => {
  await s.simulate('purchase', '--device', 'cy', '--product', 'pro_monthly')
  await s.simulate('refund', '--device', 'cy')
  await s.simulate('reverse-refund', '--device', 'cy')
  expect(await book('cy')).toEqual([['INITIAL', 'REFUND', 'REFUND_REVERSAL'], PRICE])
  expect(Object.keys(await days('cy'))).toEqual(['pro'])
  await s.simulate('renew', '--device', 'cy')
  await s.simulate('refund', '--device', 'cy', '--partial', '4.995')
  expect(await days('cy')).toEqual({})
  expect(await book('cy')).toEqual([
    ['INITIAL', 'REFUND', 'REFUND_REVERSAL', 'RENEWAL', 'REFUND'],
    2 * PRICE - 4_995_000,
  ])
})

test('iOS: what has lapsed is bought again in the same chain, and a downgrade waits for the next period', async () => {
  const first = await s.simulate('purchase', '--device', 'di', '--product', 'pro_yearly', '--price', '79.99')
  await s.simulate('downgrade', '--device', 'di', '--to', 'pro_monthly')
  expect(Object.keys(await days('di')).sort()).toEqual(['coach', 'pro'])
  await s.simulate('renew', '--device', 'di')
  expect(Object.keys(await days('di'))).toEqual(['pro'])
  await s.simulate('expire', '--device', 'di')
  expect(await days('di')).toEqual({})
  const again = await s.simulate('purchase', '--device', 'di', '--product', 'pro_monthly')
  expect(again.originalTransactionId).toBe(first.originalTransactionId)
  expect((await book('di'))[0]).toEqual(['INITIAL', 'RENEWAL', 'REACTIVATION'])
})

test('iOS: what a family lost is revoked', async () => {
  await s.simulate('purchase', '--device', 'ed', '--product', 'pro_monthly')
  await s.simulate('revoke', '--device', 'ed')
  expect(await days('ed')).toEqual({})
  expect(await events('ed')).toContain('purchase.revoked')
})

test('payment: nobody pays, the provider tries for three weeks and ends it', async () => {
  await s.simulate('purchase', '--device', 'ida', '--product', 'pro_monthly', '--store', 'payment')
  await s.simulate('billing-issue', '--device', 'ida')
  expect(await days('ida')).toEqual({ pro: 7 })
  const { steps } = await s.simulate('advance', '30d')
  expect(steps).toMatchObject([{ turn: 'expire', device: 'ida' }])
  expect([await days('ida'), await book('ida')]).toEqual([{}, [['INITIAL'], PRICE]])
  await s.simulate('purchase', '--device', 'kim', '--product', 'pro_monthly', '--store', 'payment')
  await s.simulate('billing-issue', '--device', 'kim')
  await s.simulate('grace-expire', '--device', 'kim') // The settings of the account leave the subscription unpaid.
  expect(await days('kim')).toEqual({})
  await s.simulate('recover', '--device', 'kim')
  expect(Object.keys(await days('kim'))).toEqual(['pro'])
})

test('payment: money goes back in parts, access stays; the bank sends it again', async () => {
  await s.simulate('purchase', '--device', 'jo', '--product', 'pro_monthly', '--store', 'payment')
  await s.simulate('refund', '--device', 'jo', '--partial', '4.00')
  expect(Object.keys(await days('jo'))).toEqual(['pro'])
  expect(await book('jo')).toEqual([['INITIAL', 'REFUND'], PRICE - 4_000_000])
  await s.simulate('pause', '--device', 'jo')
  expect(Object.keys(await days('jo'))).toEqual(['pro']) // The provider retains it, and the project left it so.
  await s.simulate('resume', '--device', 'jo')
  expect(Object.keys(await days('jo'))).toEqual(['pro'])
})

test('Android: a part of an order is given back without a message, and access stays', async () => {
  await s.simulate('purchase', '--device', 'gil', '--product', 'pro_monthly', '--store', 'android')
  expect((await s.simulate('refund', '--device', 'gil', '--partial', '4.00')).told).toEqual([])
  expect([Object.keys(await days('gil')), await book('gil')]).toEqual([
    ['pro'],
    [['INITIAL', 'REFUND'], PRICE - 4_000_000],
  ])
  expect((await s.refused('refund', '--device', 'gil', '--partial', '5.99'))[1]).toContain('Less than 5.99 is left')
  await s.simulate('refund', '--device', 'gil')
  expect([await days('gil'), await book('gil')]).toEqual([{}, [['INITIAL', 'REFUND', 'REFUND'], 0]])
  expect((await s.refused('refund', '--device', 'gil', '--partial', '1.00'))[1]).toContain('given back already')
})

test('Android: the rest of a period is given back, which ends it now, and nothing more than that', async () => {
  await s.simulate('purchase', '--device', 'hal', '--product', 'pro_monthly', '--store', 'android')
  await s.simulate('advance', '10d')
  const { told } = await s.simulate('refund', '--device', 'hal', '--prorated')
  expect([told, await days('hal')]).toEqual([['SUBSCRIPTION_REVOKED'], {}])
  const [kinds, kept] = await book('hal')
  expect(kinds).toEqual(['INITIAL', 'REFUND'])
  expect(kept).toBeGreaterThan(PRICE * 0.3)
  expect(kept).toBeLessThan(PRICE * 0.37)
  expect(await events('hal')).toContain('purchase.revoked')
  expect((await s.refused('refund', '--device', 'hal', '--prorated'))[1]).toContain('ended')
})

test('Android: a prorated change of plan costs the rest of the period now, and the whole price from its end on', async () => {
  await s.simulate('purchase', '--device', 'kay', '--product', 'pro_monthly', '--store', 'android')
  await s.simulate('advance', '10d')
  const to = ['--device', 'kay', '--to', 'pro_yearly', '--prorated']
  await s.simulate('upgrade', ...to, '--price', '199.99')
  const [kinds, paid] = await book('kay')
  expect(kinds).toEqual(['INITIAL', 'ADJUSTMENT'])
  // About twenty days of the month are left: what they cost in a year, without what they cost in a month.
  expect(paid - PRICE).toBeGreaterThan(3_800_000)
  expect(paid - PRICE).toBeLessThan(4_800_000)
  expect(await days('kay')).toEqual({ coach: 20, pro: 20 })
  const told = await events('kay')
  expect(told).toEqual(expect.arrayContaining(['purchase.product_changed', 'purchase.charged']))
  expect(told).not.toContain('purchase.renewed')
  await s.simulate('advance', '25d')
  expect(await book('kay')).toEqual([['INITIAL', 'ADJUSTMENT', 'RENEWAL'], paid + 199_990_000])
  const cheaper = await s.refused('upgrade', '--device', 'kay', '--to', 'pro_monthly', '--prorated')
  expect(cheaper[1]).toContain('costs more for the same time')
})

test('Android: a pause begins at once and ends by itself with a charge', async () => {
  await s.simulate('purchase', '--device', 'fay', '--product', 'pro_monthly', '--store', 'android')
  await s.simulate('pause', '--device', 'fay')
  expect(await days('fay')).toEqual({})
  const { steps } = await s.simulate('advance', '32d')
  expect(steps).toMatchObject([{ turn: 'resume' }])
  expect(Object.keys(await days('fay'))).toEqual(['pro'])
  expect(await book('fay')).toEqual([['INITIAL', 'RENEWAL'], 2 * PRICE])
  expect(await events('fay')).toEqual([
    ...['purchase.initial', 'entitlement.granted', 'purchase.paused', 'entitlement.revoked'],
    ...['purchase.resumed', 'entitlement.granted'],
  ])
})

test('simulated purchases are of the sandbox, and need no Android credentials', async () => {
  await s.simulate('purchase', '--device', 'gus', '--product', 'pro_monthly')
  await s.simulate('purchase', '--device', 'gus', '--product', 'lifetime', '--store', 'android')
  const { purchases } = s.ctx.tables
  const rows = await s.ctx.db.select().from(purchases)
  expect(rows.map(({ environment }) => environment)).toEqual(['SANDBOX', 'SANDBOX'])
  expect(await days('gus')).toEqual({ pro: null })
})

test('an advance runs what is due on the way, and reports nothing where nothing is due', async () => {
  await s.simulate('purchase', '--device', 'hal', '--product', 'pro_yearly')
  const { steps, delivered } = await s.simulate('advance', '100d')
  expect([steps, delivered]).toEqual([[], []])
  await s.simulate('cancel', '--device', 'hal')
  expect((await days('hal')).pro).toBeLessThan(267)
  const { steps: last } = await s.simulate('advance', '266d')
  expect(last).toMatchObject([{ turn: 'expire' }])
})

test('status shows the clock, what was bought and what comes next', async () => {
  await s.simulate('purchase', '--device', 'ian', '--product', 'pro_monthly')
  await s.simulate('advance', '3d')
  const status = await s.simulate('status')
  expect(status).toMatchObject({
    advancedMs: 3 * DAY,
    purchases: [{ store: 'ios', device: 'ian', product: 'pro_monthly', next: { turn: 'renew' } }],
    waiting: [],
  })
})

test('a refund by the seller goes through the test store, which notifies of it, and is counted once', async () => {
  for (const store of ['android', 'payment']) {
    await s.simulate('purchase', '--device', store, '--product', 'pro_monthly', '--store', store)
    await s.simulate('renew', '--device', store)
    const { purchases: p } = s.ctx.tables
    const { id } = await rowOf(s, store)
    const [purchase] = (await s.ctx.db.select().from(p)).filter((row) => row.subscriberId === id)
    const ran = await svc(s.ctx, ['refund', purchase?.id ?? '', '--yes', '--project', s.project.id])
    expect([store, ran.code, ran.err]).toEqual([store, 0, []])
    expect(await days(store)).toEqual({})
    const { failed } = await s.simulate('deliver')
    expect(failed).toEqual([])
    expect(await book(store)).toEqual([['INITIAL', 'RENEWAL', 'REFUND'], PRICE])
    expect((await events(store)).filter((type) => type === 'purchase.refunded')).toHaveLength(1)
    expect(await s.refused('refund', '--device', store)).toEqual([1, expect.stringContaining('already')])
  }
})
