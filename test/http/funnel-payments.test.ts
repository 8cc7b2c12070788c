import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/lib/clock'
import { toMailView } from '../../src/operators/mail/outbox'
import { type Answer, type Stage, stage } from '../support/cast'
import { madeIn, type PaidFunnel, publishPaidFunnel, type Visitor, visitorAtPayment } from '../support/funnel-payments'
import { dataOf } from '../support/operator'
import { svc } from '../support/simulate'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let funnel: PaidFunnel

beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  funnel = await publishPaidFunnel(s)
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // The calls of an address are counted by the minute.
afterAll(() => s.close())

const visitor = (): Promise<Visitor> => visitorAtPayment(s, funnel)
const begun = async (one: Visitor, ...order: Parameters<Visitor['begin']>) => {
  const answer = await one.begin(...order)
  expect([answer.status, answer.body.data?.payment_id.slice(0, 4)]).toEqual([200, 'fpy_'])
  return answer.body.data
}
const refused = (answer: Answer, status: number, code: string) => {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  return answer.body.error
}

const stateOf = async ({ sessionId, secret }: Visitor) => {
  const headers = { 'x-svc-funnel-session': secret }
  return (await s.call('GET', `/public/funnel-sessions/${sessionId}/state`, { key: null, headers })).body.data
}
const madeBy = (one: Visitor) => madeIn(s, one)

describe('at the test store', () => {
  test('a visitor pays: the purchase, its access, the session and one token are there', async () => {
    const one = await visitor()
    const intent = await begun(one)
    const { client_secret, kind, account_id, amount } = intent
    expect(client_secret).toContain('_secret_')
    expect([kind, account_id, amount]).toEqual(['payment', null, { amountMicros: 9_990_000, currency: 'USD' }])
    expect((await one.attempt(intent.payment_id, 'pays')).body).toEqual({ data: { status: 'succeeded' } })
    expect((await madeBy(one)).purchases).toEqual([])
    const { body } = await one.confirm(intent.payment_id)
    const { token, ...rest } = body.data
    expect(token).toMatch(/^svc_ft_.{43}$/)
    expect(rest).toEqual({ already_issued: false, deep_link_url: null, universal_link_url: null })
    const made = await madeBy(one)
    expect(made.session).toMatchObject({ state: 'PAID', path: ['hello', 'pay', 'done'], leaseHolder: null })
    expect(made.payments).toMatchObject([{ status: 'PAID', unsettled: null, clientSecret: null, provider: 'test' }])
    expect(made.purchases).toMatchObject([{ status: 'ACTIVE', store: 'PAYMENT', environment: 'SANDBOX' }])
    expect(made.tokens).toHaveLength(1)
    const subscriberId = made.purchases[0]?.subscriberId ?? ''
    expect(made.session?.subscriberId).toBe(subscriberId)
    const { subscribers } = s.ctx.tables
    const person = (await s.ctx.db.select().from(subscribers)).find(({ id }) => id === subscriberId)
    expect(person?.deviceKey).toStartWith('payment:cus_')
    expect(Object.keys(person?.toldAccess ?? {})).toEqual(['pro'])
    const events = await s.events(subscriberId)
    expect(events.map(({ type }) => type)).toEqual([
      'purchase.initial',
      'entitlement.granted',
      'funnel.paid',
      'funnel.session.advanced',
      'funnel.session.completed',
    ])
    const told = events.find(({ type }) => type === 'funnel.paid')
    expect(told?.environment).toBe('SANDBOX')
    expect(told?.data).toMatchObject({
      sessionId: one.sessionId,
      price: { amountMicros: 9_990_000, currency: 'USD' },
    })
  })

  test('nothing in the tables shows the mail address or the secret in the clear', async () => {
    const one = await visitor()
    const { client_secret } = await begun(one)
    const text = JSON.stringify((await madeBy(one)).payments)
    expect(text.toLowerCase()).not.toContain('ada@example.com')
    expect(text).not.toContain(client_secret)
  })

  test('one time products have no subscription, and are kept', async () => {
    const one = await visitor()
    const { payment_id, amount } = await begun(one, 'coins')
    expect(amount).toEqual({ amountMicros: 9_990_000, currency: 'USD' })
    await one.attempt(payment_id, 'pays')
    expect((await one.confirm(payment_id)).body.data.already_issued).toBe(false)
    const { purchases } = await madeBy(one)
    expect(purchases).toHaveLength(1)
    expect(purchases[0]?.chainKey).toStartWith('pi_sim')
    expect(purchases[0]?.fold.productType).toBe('CONSUMABLE')
  })

  test.each([
    ['declined', 'requires_payment'],
    ['needs_authentication', 'requires_action'],
    ['closes', 'requires_payment'],
  ])('after "%s" nothing is bought, and the same payment goes on', async (outcome, status) => {
    const one = await visitor()
    const intent = await begun(one)
    expect((await one.attempt(intent.payment_id, outcome)).body.data).toEqual({ status })
    const { details } = refused(await one.confirm(intent.payment_id), 409, 'PAYMENT_NOT_SETTLED_YET')
    expect(details).toEqual({ status })
    const made = await madeBy(one)
    expect(made.payments).toMatchObject([{ status: 'PENDING', unsettled: status }])
    expect([made.purchases, made.tokens, made.paid, made.session?.paidAt]).toEqual([[], [], [], null])
    expect(await begun(one)).toEqual(intent)
    await one.attempt(intent.payment_id, outcome === 'needs_authentication' ? 'authenticated' : 'pays')
    expect((await one.confirm(intent.payment_id)).body.data.already_issued).toBe(false)
    expect((await madeBy(one)).purchases).toHaveLength(1)
  })

  test('nobody authenticates a payment that did not ask for it', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    refused(await one.attempt(payment_id, 'authenticated'), 409, 'CONFLICT')
    refused(await one.confirm(payment_id), 409, 'PAYMENT_NOT_SETTLED_YET')
  })

  test('while a payment is processed no other one begins', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    expect((await one.attempt(payment_id, 'processing')).body.data).toEqual({ status: 'processing' })
    refused(await one.begin(), 409, 'PAYMENT_IN_FLIGHT')
    refused(await one.begin('yearly'), 409, 'PAYMENT_IN_FLIGHT')
    refused(await one.attempt(payment_id, 'pays'), 409, 'CONFLICT')
    expect(refused(await one.confirm(payment_id), 409, 'PAYMENT_NOT_SETTLED_YET').details).toEqual({
      status: 'processing',
    })
    expect((await madeBy(one)).purchases).toEqual([])
  })

  test('another package ends the payment of before', async () => {
    const one = await visitor()
    const first = await begun(one)
    const second = await begun(one, 'yearly')
    expect(second.payment_id).not.toBe(first.payment_id)
    refused(await one.attempt(first.payment_id, 'pays'), 409, 'CONFLICT')
    refused(await one.confirm(first.payment_id), 409, 'PAYMENT_UNVERIFIABLE')
    await one.attempt(second.payment_id, 'pays')
    expect((await one.confirm(second.payment_id)).body.data.already_issued).toBe(false)
    const made = await madeBy(one)
    expect(made.payments.map(({ status }) => status).sort()).toEqual(['FAILED', 'PAID'])
    expect(made.purchases).toHaveLength(1)
  })

  test('after 23 hours the same package is a new payment', async () => {
    const one = await visitor()
    const first = await begun(one)
    expect(Date.parse(first.expires_at)).toBe(s.ctx.clock.now() + 23 * HOUR)
    s.ctx.clock.advance(23 * HOUR + SECOND)
    const second = await begun(one)
    expect(second.payment_id).not.toBe(first.payment_id)
  })
})

describe('a token', () => {
  const paid = async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    await one.attempt(payment_id, 'pays')
    return { one, payment_id, token: (await one.confirm(payment_id)).body.data.token as string }
  }

  test('is given again within 15 minutes, as long as nobody has claimed it', async () => {
    const { one, payment_id, token } = await paid()
    s.ctx.clock.advance(14 * MINUTE)
    const again = (await one.confirm(payment_id)).body.data
    expect(again.already_issued).toBe(false)
    expect(again.token).toBe(token)
    expect((await stateOf(one)).has_claim_token).toBe(true)
    const { tokens } = await madeBy(one)
    expect(tokens).toHaveLength(1)
    expect(JSON.stringify(tokens)).not.toContain(token)
    expect((await s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: 'svc_again' })).status).toBe(200)
    expect((await one.confirm(payment_id)).body).toEqual({ data: { already_issued: true } })
    expect((await stateOf(one)).has_claim_token).toBe(false)
    expect((await madeBy(one)).tokens).toMatchObject([{ sealed: null }])
    expect((await madeBy(one)).paid).toHaveLength(1)
  })

  test('that cannot be opened any more is replaced by a new one', async () => {
    const { one, payment_id, token } = await paid()
    await s.ctx.write((tx) => tx.db.update(tx.tables.funnelTokens).set({ sealed: null }))
    const again = (await one.confirm(payment_id)).body.data
    expect([again.already_issued, again.token === token]).toEqual([false, false])
    const claim = { token, anon_id: 'svc_replaced' }
    refused(await s.post('/v1/subscribers/claim-funnel-token', claim), 404, 'NOT_FOUND')
  })

  test('is not given again after 15 minutes', async () => {
    const { one, payment_id } = await paid()
    s.ctx.clock.advance(15 * MINUTE + SECOND)
    expect((await one.confirm(payment_id)).body).toEqual({ data: { already_issued: true } })
  })

  test('of a paid session is not for sale again', async () => {
    const { one, payment_id } = await paid()
    refused(await one.begin(), 409, 'PAYMENT_ALREADY_RECORDED')
    refused(await one.attempt(payment_id, 'pays'), 409, 'PAYMENT_ALREADY_RECORDED')
  })
})

describe('a promotion code of the test store', () => {
  const promotion = (...args: string[]) =>
    svc(s.ctx, ['simulate', 'promotion', ...args, '--project', s.project.id, '--json'])

  test('takes its part off the first payment, in whatever letters it is typed, until it is ended', async () => {
    expect((await promotion('--code', 'half', '--percent', '50')).json).toEqual({
      code: 'HALF',
      percentOff: 50,
    })
    const one = await visitor()
    const { amount, payment_id } = await begun(one, 'monthly', { promotion_code: ' hAlf' })
    expect(amount).toEqual({ amountMicros: 5_000_000, currency: 'USD' })
    await one.attempt(payment_id, 'pays')
    expect((await one.confirm(payment_id)).status).toBe(200)
    expect((await madeBy(one)).payments).toMatchObject([{ status: 'PAID', amountMicros: 5_000_000 }])
    const coins = await visitor()
    expect((await begun(coins, 'coins', { promotion_code: 'HALF' })).amount.amountMicros).toBe(5_000_000)
    await promotion('--code', 'HALF', '--off')
    const late = await visitor()
    const error = refused(await late.begin('monthly', { promotion_code: 'HALF' }), 400, 'VALIDATION_ERROR')
    expect(error.details).toEqual({ field: 'promotion_code' })
  })

  test('that takes all off a subscription sets up a payment method; a payment of nothing is refused', async () => {
    await promotion('--code', 'ALL', '--percent', '100')
    const one = await visitor()
    const { kind, amount, payment_id } = await begun(one, 'monthly', { promotion_code: 'ALL' })
    expect([kind, amount.amountMicros]).toEqual(['setup', 0])
    await one.attempt(payment_id, 'pays')
    expect((await one.confirm(payment_id)).status).toBe(200)
    const coins = await visitor()
    refused(await coins.begin('coins', { promotion_code: 'ALL' }), 422, 'PAYMENT_PROVIDER_REJECTED')
    await promotion('--code', 'ALL', '--off')
  })

  const faulty: [name: string, args: string[]][] = [
    ['no code', ['--percent', '50']],
    ['a code with a space', ['--code', 'A B', '--percent', '50']],
    ['no percentage', ['--code', 'HALF']],
    ['a percentage over 100', ['--code', 'HALF', '--percent', '101']],
    ['a percentage and an end', ['--code', 'HALF', '--percent', '50', '--off']],
  ]
  for (const [name, args] of faulty)
    test(`is not set with ${name}`, async () => {
      expect((await promotion(...args)).code).not.toBe(0)
    })
})

describe('refused is', () => {
  test('a price that is not the one of today, with the one of today', async () => {
    const one = await visitor()
    const { details } = refused(await one.begin('monthly', { expected_amount_micros: 5 }), 409, 'CONFLICT')
    expect(details).toEqual({ reason: 'price_changed', amount: { amountMicros: 9_990_000, currency: 'USD' } })
    expect((await madeBy(one)).payments).toEqual([])
    expect((await madeBy(one)).session?.leaseHolder).toBeNull()
    await begun(one, 'monthly', { expected_amount_micros: 9_990_000 })
  })

  test('a promotion code that nobody knows', async () => {
    const one = await visitor()
    const error = refused(await one.begin('monthly', { promotion_code: 'FREE' }), 400, 'VALIDATION_ERROR')
    expect(error.details).toEqual({ field: 'promotion_code' })
  })

  test.each([
    ['a package that the funnel does not have', { package_identifier: 'weekly' }, 'package_identifier'],
    ['a mail address without a domain', { email: 'ada@' }, 'email'],
    ['a page that takes no payment', { page_id: 'hello' }, 'page_id'],
  ])('%s', async (_name, more, field) => {
    const one = await visitor()
    expect(refused(await one.begin('monthly', more), 400, 'VALIDATION_ERROR').details).toEqual({ field })
    expect((await madeBy(one)).payments).toEqual([])
  })

  test('a payment of another session, and one that nobody made', async () => {
    const [one, other] = [await visitor(), await visitor()]
    const { payment_id } = await begun(one)
    for (const id of [payment_id, 'fpy_nobody']) {
      refused(await other.confirm(id), 404, 'NOT_FOUND')
      refused(await other.attempt(id, 'pays'), 404, 'NOT_FOUND')
    }
    const { sessionId } = one
    const call = (headers: Record<string, string>) =>
      s.call('POST', `/public/funnel-sessions/${sessionId}/confirm`, { key: null, body: { payment_id }, headers })
    refused(await call({}), 404, 'NOT_FOUND')
    refused(await call({ 'x-svc-funnel-session': other.secret }), 404, 'NOT_FOUND')
  })

  test('a call while another one has the lease, and none of a lease that has run out', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    const { funnelSessions } = s.ctx.tables
    const leaseUntil = s.ctx.clock.now() + MINUTE
    const held = { leaseHolder: 'elsewhere 1 x', leaseUntil }
    await s.ctx.write((tx) => tx.db.update(funnelSessions).set(held)) // As a call of another process would.
    refused(await one.begin(), 409, 'PAYMENT_IN_FLIGHT')
    refused(await one.confirm(payment_id), 409, 'PAYMENT_IN_FLIGHT')
    s.ctx.clock.advance(MINUTE)
    await begun(one)
  })

  test('too many calls of one address', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    const answers: Answer[] = []
    for (let n = 0; n < 31; n += 1) answers.push(await one.confirm(payment_id))
    expect(answers.map(({ status }) => status).slice(0, 30)).toEqual(Array(30).fill(409))
    refused(answers[30] as Answer, 429, 'RATE_LIMITED')
  })
})

test('the price of the product is that of the test store', async () => {
  const { items } = await dataOf(dev.get('/products?limit=200'))
  const { id } = items.find(({ identifier }: { identifier: string }) => identifier === 'pro_yearly')
  await dataOf(dev.patch(`/products/${id}`, { price: { amountMicros: 59_000_000, currency: 'EUR' } }))
  const one = await visitor()
  expect((await begun(one, 'yearly')).amount).toEqual({ amountMicros: 59_000_000, currency: 'EUR' })
})

test('where nothing can be sold, nobody pays', async () => {
  const off = await stage()
  const sold = await publishPaidFunnel(off)
  const one = await visitorAtPayment(off, sold)
  Object.assign(off.ctx.config, { isSimulatorOn: false })
  refused(await one.begin(), 409, 'PAYMENT_NOT_CONNECTED')
  await off.close()
})

test('leases of a process that has ended are free when the next one starts', async () => {
  const one = await visitor()
  const { funnelSessions } = s.ctx.tables
  const leaseHolder = `${(await import('node:os')).hostname()} ${process.pid} before`
  const held = { leaseHolder, leaseUntil: s.ctx.clock.now() + DAY }
  await s.ctx.write((tx) => tx.db.update(funnelSessions).set(held))
  refused(await one.begin(), 409, 'PAYMENT_IN_FLIGHT')
  const { freeLostLeases } = await import('../../src/funnels/payments/lease')
  await freeLostLeases(s.ctx)
  await begun(one)
})

describe('the messages of the test store', () => {
  const simulate = async (...args: string[]) => {
    const { code, err, json } = await svc(s.ctx, ['simulate', ...args, '--project', s.project.id, '--json'])
    expect([code, err]).toEqual([0, []])
    return json
  }

  test('make the purchase when the visitor never confirms, and the confirmation then gives a token', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    await one.attempt(payment_id, 'pays')
    await simulate('deliver')
    const made = await madeBy(one)
    expect(made.session?.state).toBe('PAID')
    expect([made.purchases.length, made.tokens.length, made.paid.length]).toEqual([1, 1, 1])
    expect((await one.confirm(payment_id)).body.data.already_issued).toBe(false)
    await simulate('deliver')
    const after = await madeBy(one)
    expect([after.purchases.length, after.tokens.length, after.paid.length]).toEqual([1, 1, 1])
  })

  test('that come after the confirmation change nothing', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    await one.attempt(payment_id, 'pays')
    await one.confirm(payment_id)
    const before = await madeBy(one)
    expect((await simulate('deliver')).failed).toEqual([])
    expect(await madeBy(one)).toEqual(before)
  })

  test('of a payment that takes days settle it when the clock is advanced, and the buyer gets a mail', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    await one.attempt(payment_id, 'processing')
    const running = (await s.ctx.db.select().from(s.ctx.tables.funnelPayments)).filter(
      ({ unsettled }) => unsettled === 'processing',
    )
    await simulate('advance', '4d')
    expect((await madeBy(one)).session?.paidAt).toBeNull()
    await simulate('advance', '1d')
    const made = await madeBy(one)
    expect(made.session?.state).toBe('PAID')
    expect(made.purchases).toMatchObject([{ status: 'ACTIVE' }])
    const mails = (await s.ctx.db.select().from(s.ctx.tables.mails)).filter(({ kind }) => kind === 'funnel_paid')
    expect(mails).toHaveLength(running.length)
  })

  test.each([
    ['en', 'Your payment to', 'Your payment has come in.'],
    ['de', 'Deine Zahlung an', 'Deine Zahlung ist eingegangen.'],
    ['tr', 'ödemen geldi', 'Ödemen geldi.'],
    ['ja', 'お支払いを確認しました', 'お支払いを確認しました。'],
  ])(
    'of a payment that takes days tell the buyer so (%s), with a link that lasts for days',
    async (locale, subject, said) => {
      const one = await visitor()
      const { funnelSessions: f } = s.ctx.tables
      await s.ctx.write((tx) => tx.db.update(f).set({ locale }).where(eq(f.id, one.sessionId)))
      const email = `late.${locale}@example.com`
      const { payment_id } = await begun(one, 'monthly', { email })
      await one.attempt(payment_id, 'processing')
      await simulate('settle', '--payment', payment_id)
      const [mail] = (await s.ctx.db.select().from(s.ctx.tables.mails)).filter(({ toAddress }) => toAddress === email)
      expect([mail?.kind, mail?.subject]).toEqual(['funnel_paid', expect.stringContaining(subject)])
      const text = (mail && toMailView(s.ctx, mail).text) ?? ''
      expect(text).toContain(said)
      expect(text).toMatch(/\/f\/[^/]+\/manage/)
      expect(text).not.toMatch(/15 ?(min|dak|分)/i)
      s.ctx.clock.advance(3 * DAY)
      const link = /\/public\/magic\/[\w-]+/.exec(text)?.[0] ?? ''
      const page = await s.app.handle(new Request(`http://localhost${link}`, { method: 'POST' }))
      const token = /svc_ft_[\w-]{43}/.exec(await page.text())?.[0]
      const claim = await s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: `svc_late_${locale}` })
      expect([claim.status, claim.body.data?.entitlements]).toEqual([200, ['pro']])
    },
  )

  test('settle a payment at the command line, or say that it has failed', async () => {
    const [paid, failed] = [await visitor(), await visitor()]
    const [first, second] = [await begun(paid), await begun(failed)]
    await paid.attempt(first.payment_id, 'processing')
    await failed.attempt(second.payment_id, 'processing')
    await simulate('settle', '--payment', first.payment_id)
    await simulate('settle', '--payment', second.payment_id, '--fail')
    expect((await madeBy(paid)).session?.state).toBe('PAID')
    expect((await madeBy(failed)).purchases).toEqual([])
    expect(refused(await failed.confirm(second.payment_id), 409, 'PAYMENT_NOT_SETTLED_YET').details).toEqual({
      status: 'requires_payment',
    })
    await failed.attempt(second.payment_id, 'pays')
    expect((await failed.confirm(second.payment_id)).body.data.already_issued).toBe(false)
  })

  test('a refund takes the access and marks the payment', async () => {
    const one = await visitor()
    const { payment_id } = await begun(one)
    await one.attempt(payment_id, 'pays')
    await one.confirm(payment_id)
    const [saved] = (await madeBy(one)).payments
    await simulate('refund', '--device', `payment:${saved?.objects.customerId}`)
    const made = await madeBy(one)
    expect(made.payments).toMatchObject([{ status: 'REFUNDED', reference: saved?.reference }])
    expect(made.purchases).toMatchObject([{ status: 'REFUNDED' }])
    expect((await one.confirm(payment_id)).body).toEqual({ data: { already_issued: true } })
  })

  test('a trial of the test store sets up a payment method first, and nothing is due', async () => {
    await simulate('price', '7d', '--product', 'pro_monthly', '--price', '12.99', '--currency', 'EUR', '--trial')
    const one = await visitor()
    const intent = await begun(one)
    expect([intent.kind, intent.amount]).toEqual(['setup', { amountMicros: 0, currency: 'EUR' }])
    await simulate('deliver')
    expect((await madeBy(one)).purchases).toEqual([])
    refused(await one.confirm(intent.payment_id), 409, 'PAYMENT_NOT_SETTLED_YET')
    await one.attempt(intent.payment_id, 'pays')
    expect((await one.confirm(intent.payment_id)).body.data.already_issued).toBe(false)
    expect((await madeBy(one)).purchases).toMatchObject([{ status: 'TRIAL' }])
    await simulate('advance', '8d')
    expect((await madeBy(one)).purchases).toMatchObject([{ status: 'ACTIVE' }])
  })
})

test('a token that has ended is not one that waits for the app', async () => {
  const one = await visitor()
  const { payment_id } = await begun(one)
  await one.attempt(payment_id, 'pays')
  await one.confirm(payment_id)
  s.ctx.clock.advance(6 * DAY)
  expect((await stateOf(one)).has_claim_token).toBe(true)
  s.ctx.clock.advance(DAY + SECOND)
  expect((await stateOf(one)).has_claim_token).toBe(false)
})
