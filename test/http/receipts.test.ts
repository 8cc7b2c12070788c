import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { type Answer, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import {
  access,
  changeSettings,
  eventTypes,
  everything,
  expectRefused,
  identify,
  money,
  refund,
  rowOf,
} from '../support/facts'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const MONTH_ENDS = '2026-12-20T08:00:00.000Z'

const purchases = () => s.ctx.db.select().from(s.ctx.tables.purchases)
const post = (body: Record<string, unknown>, options = {}): Promise<Answer> => s.post('/v1/receipts/ios', body, options)
const bodyOf = (device = 'svc_ada') => ({
  receipt: s.sign(s.buy(MONTHLY)),
  appUserId: device,
  productId: MONTHLY.productId,
})

test('a signed transaction becomes an entitlement', async () => {
  const bought = await s.receipt('svc_ada', s.buy(MONTHLY))
  const { id } = await rowOf(s, 'svc_ada')
  expect([bought.status, bought.body]).toEqual([
    200,
    {
      data: {
        subscriber: { id, appUserId: 'svc_ada', attributes: {} },
        access: {
          pro: { isActive: true, store: 'IOS_STORE', productIdentifier: 'pro_monthly', expiresDate: MONTH_ENDS },
        },
        virtualCurrencyBalances: {},
      },
    },
  ])
  const read = await s.get('/v1/me/entitlements', 'svc_ada')
  expect(read.body.data.entitlements).toEqual(bought.body.data.access)
  expect(await eventTypes(s, id)).toEqual(['purchase.initial', 'entitlement.granted'])
})

test('a price off by a factor of 1000', async () => {
  const payload = s.buy(MONTHLY)
  expect(payload).toMatchObject({ price: 9990, currency: 'USD' }) // What the store signs: 9.99 USD in thousandths.
  const { body } = await s.receipt('svc_ada', payload)
  const [line, ...others] = await s.ctx.db.select().from(s.ctx.tables.transactions)
  expect(others).toEqual([])
  expect(line).toMatchObject({ kind: 'INITIAL', amountMicros: 9_990_000, currency: 'USD', usdMicros: 9_990_000 })
  const [event] = await s.events(body.data.subscriber.id)
  const price = { amountMicros: 9_990_000, currency: 'USD' }
  expect(event?.data.transaction).toEqual({
    id: line?.id,
    kind: 'INITIAL',
    price,
    usdMicros: 9_990_000,
    storeTransactionId: payload.transactionId,
    renewalNumber: 0,
  })
  expect(event?.after).toMatchObject({ purchase: { price } })
})

test('another currency is kept as it is, and not called dollars', async () => {
  await s.receipt('svc_ada', s.buy({ ...MONTHLY, price: 349_990, currency: 'TRY' }))
  const [line] = await s.ctx.db.select().from(s.ctx.tables.transactions)
  expect(line).toMatchObject({ amountMicros: 349_990_000, currency: 'TRY', usdMicros: null })
})

test('the event of a first purchase carries the purchase, access and cause, before and after', async () => {
  const payload = s.buy(MONTHLY)
  const answer = await s.receipt('svc_ada', payload)
  const { id } = answer.body.data.subscriber
  const [bought, granted] = await s.events(id)
  const [purchase] = await purchases()
  expect(bought).toMatchObject({
    type: 'purchase.initial',
    environment: 'SANDBOX',
    occurredAt: payload.signedDate,
    cause: { kind: 'RECEIPT', ref: answer.headers.get('x-request-id'), store: 'IOS_STORE', detail: null },
    before: { purchase: null, access: {}, balances: {} },
    after: { access: answer.body.data.access, balances: {} },
    data: { offerId: null },
  })
  expect(bought?.after).toHaveProperty('purchase', {
    id: purchase?.id,
    subscriberId: id,
    store: 'IOS_STORE',
    environment: 'SANDBOX',
    productId: purchase?.productId,
    productIdentifier: 'pro_monthly',
    storeProductId: MONTHLY.productId,
    chainKey: payload.transactionId,
    lineKey: '',
    originalTransactionId: payload.transactionId,
    storeTransactionId: payload.transactionId,
    status: 'ACTIVE',
    isTrial: false,
    isIntroOffer: false,
    offerId: null,
    ownershipType: 'PURCHASED',
    quantity: 1,
    purchaseDate: '2026-11-20T08:00:00.000Z',
    originalPurchaseDate: '2026-11-20T08:00:00.000Z',
    expiresAt: MONTH_ENDS,
    gracePeriodExpiresAt: null,
    effectiveEnd: MONTH_ENDS,
    autoRenews: true,
    pendingProductId: null,
    autoResumeAt: null,
    cancelledAt: null,
    refundedAt: null,
    price: { amountMicros: 9_990_000, currency: 'USD' },
    priceAfter: null,
    storeEventAt: '2026-11-20T08:00:00.000Z',
  })
  expect(granted?.data).toEqual({ access: 'pro', purchaseId: purchase?.id })
  expect(granted?.after).not.toHaveProperty('purchase')
})

describe('the person in the answer', () => {
  test('a receipt answer with a null appUserId', async () => {
    const payload = s.buy(MONTHLY)
    const names: unknown[] = []
    const gatherName = async (answer: Answer) => names.push(answer.body.data.subscriber.appUserId)
    await gatherName(await s.receipt('svc_1', payload))
    await gatherName(await s.receipt('svc_1', payload)) // The same for the replay.
    await identify(s, 'svc_1', 'ada')
    await gatherName(await s.receipt('svc_1', payload))
    await identify(s, 'svc_2', 'ada')
    await gatherName(await s.receipt('svc_1', payload)) // The same after a merge.
    await gatherName(await s.receipt('svc_3', s.buy(YEARLY), { headers: { 'idempotency-key': 'k' } }))
    await gatherName(await s.receipt('svc_4', { ...s.buy(MONTHLY), revocationDate: s.ctx.clock.now() }))
    expect(names).toEqual(['svc_1', 'svc_1', 'ada', 'ada', 'svc_3', 'svc_4'])
  })

  test('without a label is the device that posted, also where its row was merged into another', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_1', payload)
    await s.get('/v1/me', 'svc_2')
    const [first, second] = [await rowOf(s, 'svc_1'), await rowOf(s, 'svc_2')]
    const { subscribers: t } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(t).set({ mergedInto: first.id }).where(eq(t.id, second.id)))
    const { body } = await s.receipt('svc_2', payload)
    expect(body.data.subscriber).toMatchObject({ id: first.id, appUserId: 'svc_2' })
  })

  test('has the attributes, and the platform of the call that made it', async () => {
    const { body } = await s.receipt('svc_1', s.buy(MONTHLY), { headers: { 'x-svc-platform': 'ios' } })
    expect(body.data.subscriber.attributes).toEqual({ platform: 'ios' })
  })
})

describe('the body', () => {
  test('is refused with 400 and nothing written when a member is missing or out of form', async () => {
    const good = bodyOf()
    const refused: [name: string, change: Record<string, unknown>][] = [
      ['no receipt', { receipt: undefined }],
      ['an empty receipt', { receipt: '' }],
      ['a receipt that is no text', { receipt: 7 }],
      ['a receipt of more than 64 KiB', { receipt: 'x'.repeat(65_537) }],
      ['no device', { appUserId: undefined }],
      ['an empty device', { appUserId: '' }],
      ['a device of 129 characters', { appUserId: 'x'.repeat(129) }],
      ['a device with a control character', { appUserId: 'svc\u0007' }],
      ...['ios:', 'android:', 'payment:', 'import:'].map((prefix): [string, Record<string, unknown>] => [
        `a device that begins with ${prefix}`,
        { appUserId: `${prefix}1` },
      ]),
      ['no product', { productId: undefined }],
      ['an empty product', { productId: '' }],
      ['a product of 256 characters', { productId: 'x'.repeat(256) }],
      ['a token that is no UUID', { appAccountToken: 'ada' }],
      ['a context that is a text', { presentedContext: 'home' }],
      ['a context that is a list', { presentedContext: ['home'] }],
    ]
    for (const [name, change] of refused) {
      const { status, body } = await post({ ...good, ...change })
      expect([name, status, body.error.code]).toEqual([name, 400, 'VALIDATION_ERROR'])
    }
    expect(await everything(s)).toEqual([])
  })

  test('may have members that nobody knows', async () => {
    expect((await post({ ...bodyOf(), isRestore: true, subscriberId: 'svc_other' })).status).toBe(200)
    expect((await s.ctx.db.select().from(s.ctx.tables.subscribers)).map(({ deviceKey }) => deviceKey)).toEqual([
      'svc_ada',
    ])
  })

  test('may say where it was sold: kept as sent with the purchase, and no identity', async () => {
    const presentedContext = {
      placementId: 'onboarding',
      variantId: 'b',
      nested: { list: [1, null, '\u{1f600}'] },
      appUserId: 'svc_other',
      subscriberId: 'svc_other',
      appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
    }
    await post({ ...bodyOf(), presentedContext })
    const [purchase] = await purchases()
    expect(purchase).toMatchObject({ presentedContext, accountToken: null })
    const { id } = await rowOf(s, 'svc_ada')
    expect(purchase?.subscriberId).toBe(id)
    expect(await s.ctx.db.select().from(s.ctx.tables.subscribers)).toHaveLength(1)
  })

  test('may say so in at most 4 KiB', async () => {
    const context = (bytes: number) => ({ placementId: 'x'.repeat(bytes - '{"placementId":""}'.length) })
    await expectRefused(s, () => post({ ...bodyOf(), presentedContext: context(4097) }), 400, 'VALIDATION_ERROR')
    const wide = { placementId: '\u00fc'.repeat(2040) } // 4080 bytes of text.
    await expectRefused(s, () => post({ ...bodyOf(), presentedContext: wide }), 400, 'VALIDATION_ERROR')
    expect((await post({ ...bodyOf(), presentedContext: context(4096) })).status).toBe(200)
  })

  test('without a context leaves the one that is known', async () => {
    const payload = s.buy(MONTHLY)
    const body = { receipt: s.sign(payload), appUserId: 'svc_ada', productId: payload.productId }
    await post({ ...body, presentedContext: { placementId: 'first' } })
    await post({ ...body, receipt: s.sign({ ...payload, signedDate: payload.signedDate + 1 }) })
    expect((await purchases())[0]?.presentedContext).toEqual({ placementId: 'first' })
  })

  test('shown again with a context is joined to it, when none is known', async () => {
    const payload = s.buy(MONTHLY)
    const body = { receipt: s.sign(payload), appUserId: 'svc_ada', productId: payload.productId }
    await post(body)
    const [first, second] = [{ placementId: 'first' }, { placementId: 'second' }]
    for (const presentedContext of [first, second]) await post({ ...body, presentedContext })
    expect(await purchases()).toMatchObject([{ presentedContext: first }])
    expect(await eventTypes(s, (await rowOf(s, 'svc_ada')).id)).toEqual(['purchase.initial', 'entitlement.granted'])
  })

  test('may carry an account token, which is never saved: only the store signs one', async () => {
    const appAccountToken = '7E3FB20B-4CDB-47CC-936D-99D65F608138'
    for (const key of [s.project.publicKey, s.project.secretKey])
      expect((await post({ ...bodyOf(), appAccountToken }, { key })).status).toBe(200)
    expect((await purchases()).map(({ accountToken }) => accountToken)).toEqual([null, null])
    await s.receipt('svc_ada', s.buy(MONTHLY, { appAccountToken }))
    expect((await purchases()).flatMap(({ accountToken }) => accountToken ?? [])).toEqual([
      appAccountToken.toLowerCase(),
    ])
  })
})

describe('the same receipt again', () => {
  test('is 200 with no new event, grant or revenue, at once or a year later', async () => {
    const payload = s.buy(YEARLY)
    const first = await s.receipt('svc_ada', payload)
    const before = await everything(s)
    expect((await s.receipt('svc_ada', payload)).body).toEqual(first.body)
    expect((await s.receipt('svc_ada', payload, { productId: 'pro_yearly' })).body).toEqual(first.body)
    s.ctx.clock.set(Date.UTC(2028, 0, 1))
    const late = await s.receipt('svc_ada', payload)
    expect([late.status, late.body.data.access]).toEqual([200, {}])
    expect(await everything(s)).toEqual(before)
  })

  test('signed anew changes nothing but what the store said last', async () => {
    const payload = s.buy(YEARLY)
    const first = await s.receipt('svc_ada', payload)
    const { id } = first.body.data.subscriber
    const before = { types: await eventTypes(s, id), money: await money(s, id) }
    s.ctx.clock.advance(MINUTE)
    const again = await s.receipt('svc_ada', { ...payload, signedDate: s.ctx.clock.now() })
    expect(again.body).toEqual(first.body)
    expect({ types: await eventTypes(s, id), money: await money(s, id) }).toEqual(before)
    expect(await s.ctx.db.select().from(s.ctx.tables.ledger)).toHaveLength(1)
  })

  test('under one Idempotency-Key is told as a replay, with access as it is now', async () => {
    const payload = s.buy(MONTHLY)
    const options = { headers: { 'idempotency-key': 'receipt-1' } }
    const first = await s.receipt('svc_ada', payload, options)
    expect(first.headers.get('idempotent-replay')).toBeNull()
    const body = { receipt: s.sign(payload), appUserId: 'svc_ada', productId: payload.productId }
    const raw = JSON.stringify(body)
    await s.call('POST', '/v1/receipts/ios', { raw, headers: { 'idempotency-key': 'receipt-2' } })
    await s.receipt('svc_ada', refund(s, payload))
    const replay = await s.call('POST', '/v1/receipts/ios', { raw, headers: { 'idempotency-key': 'receipt-2' } })
    expect(replay.headers.get('idempotent-replay')).toBe('true')
    expect([replay.status, replay.body.data.access]).toEqual([200, {}])
    expect(replay.body.data.subscriber).toEqual(first.body.data.subscriber)
  })

  test("in another project is that project's own purchase", async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_ada', payload)
    const before = await access(s, 'svc_ada')
    const other = await s.receipt('svc_bo', payload, { key: s.other.publicKey })
    expect(other.body.data.access).toHaveProperty('pro')
    expect(await access(s, 'svc_ada')).toEqual(before)
    expect((await purchases()).map(({ projectId }) => projectId).sort()).toEqual([s.project.id, s.other.id])
  })
})

describe('120 receipts a minute', () => {
  test('of one device are taken, the next is 429 and writes nothing; other devices do not notice', async () => {
    const receipt = s.sign(s.buy(MONTHLY))
    const call = (appUserId: string) => post({ receipt, appUserId, productId: 'pro_monthly' })
    await call('svc_ada')
    const answers = await Promise.all(Array.from({ length: 119 }, () => call('svc_ada')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { body, headers } = await expectRefused(s, () => call('svc_ada'), 429, 'RATE_LIMITED')
    expect(body.error.details).toEqual({ retryAfterSeconds: 60 })
    expect(headers.get('retry-after')).toBe('60')
    expect(headers.get('ratelimit-policy')).toContain('"receipts";q=120;w=60')
    expect((await call('svc_bo')).status).toBe(200)
    const foreign = await s.signIn(s.other, s.buy(MONTHLY))
    const other = { receipt: foreign, appUserId: 'svc_ada', productId: 'pro_monthly' }
    expect((await post(other, { key: s.other.publicKey })).status).toBe(200)
    s.ctx.clock.advance(MINUTE)
    expect((await call('svc_ada')).status).toBe(200)
  })
})

describe('sandbox purchases', () => {
  const outcome = async (device: string) => {
    const { status, body } = await s.receipt(device, s.buy(MONTHLY))
    return [status, Object.keys(body.data.access)]
  }

  test('unlock for anybody, for those on the list, or for nobody, by the project setting', async () => {
    expect(await outcome('svc_1')).toEqual([200, ['pro']])
    await changeSettings(s, { sandboxAccess: 'nobody' })
    expect(await access(s, 'svc_1')).toEqual({})
    expect(await outcome('svc_2')).toEqual([200, []])
    await identify(s, 'svc_4', 'tester')
    await changeSettings(s, { sandboxAccess: 'allowList', sandboxTesters: ['svc_3', 'tester'] })
    expect(await outcome('svc_3')).toEqual([200, ['pro']])
    expect(await outcome('svc_4')).toEqual([200, ['pro']])
    expect(await outcome('svc_5')).toEqual([200, []])
    expect(await access(s, 'svc_1')).toEqual({})
  })

  test('that unlock nothing are recorded all the same, without a grant told', async () => {
    await changeSettings(s, { sandboxAccess: 'nobody' })
    const { body } = await s.receipt('svc_1', s.buy(MONTHLY))
    expect(await eventTypes(s, body.data.subscriber.id)).toEqual(['purchase.initial'])
    expect(await money(s, body.data.subscriber.id)).toEqual([['INITIAL', 9_990_000]])
    expect((await purchases())[0]).toMatchObject({ environment: 'SANDBOX', status: 'ACTIVE' })
  })
})
