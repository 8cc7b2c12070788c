import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { SLICES } from '../../src/slices'
import { erase } from '../support/erased'
import { eventTypes, everything, identify, rowOf } from '../support/facts'
import { type FunnelStage, funnelStage, sell, sessionRow, tokenOf } from '../support/funnel-claims'
import { dataOf } from '../support/operator'

let s: FunnelStage
let count = 0
beforeAll(async () => {
  s = await funnelStage()
})
afterAll(() => s.close())
beforeEach(() => s.ctx.clock.advance(MINUTE)) // The limit of claims is for each minute.

const newDevice = (): string => `svc_phone_${++count}`
const claim = (token: string, device: string, key = s.project.publicKey) =>
  s.post('/v1/subscribers/claim-funnel-token', { token, anon_id: device }, { key })

/** Expects a refusal, and that it has written nothing. */
async function refused(token: string, device: string, status: number, code: string, key?: string) {
  const before = await everything(s)
  const answer = await claim(token, device, key)
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  expect(await everything(s)).toEqual(before)
  return answer.body.error
}

describe('the first claim', () => {
  test('gives the purchase, the answers and the session to the device', async () => {
    const device = newDevice()
    const answers = { goal: 'sleep', days: ['mon', 'tue'], age: 31, secret: 'shh', mail: 'me' }
    const sold = await sell(s, { answers })
    const { status, body } = await claim(sold.token, device)
    const { id } = await rowOf(s, device)
    const pro = { isActive: true, expiresDate: expect.any(String), store: 'PAYMENT', productIdentifier: 'pro_monthly' }
    const access = { pro }
    expect([status, body.data]).toEqual([
      200,
      {
        subscriber_id: id,
        entitlements: ['pro'],
        funnel_answers: answers,
        access,
        subscriberId: id,
        funnelAnswers: answers,
      },
    ])
    expect(await sessionRow(s, sold.sessionId)).toMatchObject({ state: 'COMPLETED', subscriberId: id })
    const { attributes } = (await s.get('/v1/me', device)).body.data.subscriber
    expect(attributes).toEqual({ goal: 'sleep', days: 'mon,tue', age: '31' })
    const [claimed] = (await s.events(id)).filter(({ type }) => type === 'funnel.claimed')
    expect(claimed?.data).toEqual({ sessionId: sold.sessionId, fromSubscriberId: sold.buyerId })
    expect(await eventTypes(s, id)).toContain('entitlement.granted')
  })

  test('answers the same to the same subscriber again, also after a week and under another device', async () => {
    const device = newDevice()
    const { token } = await sell(s)
    const first = (await claim(token, device)).body
    const before = await everything(s)
    expect((await claim(token, device)).body).toEqual(first)
    expect(await everything(s)).toEqual(before)
    await identify(s, device, `user ${device}`)
    const other = newDevice()
    await identify(s, other, `user ${device}`)
    s.ctx.clock.advance(8 * DAY)
    const again = await claim(token, other)
    expect([again.status, again.body.data.subscriber_id]).toEqual([200, (await rowOf(s, other)).id])
  })

  test('with a key of the server is the same', async () => {
    const { token } = await sell(s)
    expect((await claim(token, newDevice(), s.project.secretKey)).status).toBe(200)
  })
})

describe('a claim is refused, and makes no subscriber, when', () => {
  test('nobody has issued the token, or another project has', async () => {
    const { token } = await sell(s)
    await refused(`svc_ft_${'x'.repeat(43)}`, newDevice(), 404, 'NOT_FOUND')
    await refused(token, newDevice(), 404, 'NOT_FOUND', s.other.publicKey)
  })

  test('a new token has replaced it', async () => {
    const { token, sessionId } = await sell(s)
    await tokenOf(s, sessionId)
    await refused(token, newDevice(), 404, 'NOT_FOUND')
  })

  test('it is older than a week', async () => {
    const { token } = await sell(s)
    s.ctx.clock.advance(7 * DAY)
    await refused(token, newDevice(), 410, 'HTTP_ERROR')
  })

  test('another subscriber has claimed it', async () => {
    const { token } = await sell(s)
    await claim(token, newDevice())
    await refused(token, newDevice(), 409, 'CONFLICT')
  })

  test('the payment is not settled', async () => {
    const { token } = await sell(s, { isPaid: false })
    await refused(token, newDevice(), 409, 'PAYMENT_NOT_SETTLED_YET')
  })

  test('the claimer was erased', async () => {
    const device = newDevice()
    const { token } = await sell(s)
    await s.get('/v1/me', device)
    await erase(s, (await rowOf(s, device)).id)
    await refused(token, device, 409, 'SUBSCRIBER_UNRESOLVABLE')
  })

  test('the body is malformed', async () => {
    for (const body of [{}, { token: 'x', anon_id: 'a' }, { token: 'x'.repeat(50), anon_id: 'payment:cus_1' }]) {
      const answer = await s.post('/v1/subscribers/claim-funnel-token', body)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

test('of two claims at once, one device gets the purchase', async () => {
  const { token, purchaseId } = await sell(s)
  const devices = [newDevice(), newDevice(), newDevice()]
  const answers = await Promise.all(devices.map((device) => claim(token, device)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const { purchases } = s.ctx.tables
  const owned = (await s.ctx.db.select().from(purchases)).filter(({ id }) => id === purchaseId)
  const winner = answers.find(({ status }) => status === 200)
  expect(owned.map(({ subscriberId }) => subscriberId)).toEqual([winner?.body.data.subscriber_id])
})

test('a claimer who was merged meanwhile claims for the survivor', async () => {
  const [first, second] = [newDevice(), newDevice()]
  await identify(s, first, `user ${first}`)
  await identify(s, second, `user ${first}`)
  const { token } = await sell(s)
  expect((await claim(token, first)).body.data.subscriber_id).toBe((await rowOf(s, second)).id)
})

test('answers that find no room among the attributes are left out and counted', async () => {
  const device = newDevice()
  const attributes = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, 'v']))
  await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': device } })
  const { token } = await sell(s, { answers: { goal: 'sleep', age: 31 } })
  expect((await claim(token, device)).status).toBe(200)
  const held = (await s.get('/v1/me', device)).body.data.subscriber.attributes
  expect([held.goal, held.age, held.k48]).toEqual(['sleep', undefined, 'v'])
  expect(await s.ctx.metrics.registry.metrics()).toMatch(/svc_funnel_attributes_dropped_total [2-9]/)
})

test('the variant that the visitor was shown is the one of the subscriber, and the own one of a subscriber stays', async () => {
  const [first, second] = [newDevice(), newDevice()]
  const variants = ['a', 'b'].map((id) => ({ id, name: id, weight: 0.5, value: id }))
  const body = { key: 'web_test', name: 'Web', type: 'FLAG', audienceId: null, variants, metrics: ['*'] }
  const { id } = await dataOf(s.dev.post('/experiments', body))
  await dataOf(s.dev.post(`/experiments/${id}/start`, {}))
  const shown = { experimentId: id, variantId: 'b' }
  await claim((await sell(s, { shown })).token, first)
  const heldBy = async (device: string) => {
    const { id: subscriberId } = await rowOf(s, device)
    const rows = await s.ctx.db.select().from(s.ctx.tables.assignments)
    return rows.filter((row) => row.subscriberId === subscriberId)
  }
  expect(await heldBy(first)).toEqual([
    expect.objectContaining({ variantId: 'b', platform: 'web', exposedAt: expect.any(Number), crossedAt: null }),
  ])
  const exposure = { subscriberId: second, variantId: 'a' }
  expect((await s.post(`/v1/experiments/${id}/expose`, exposure)).status).toBeLessThan(300)
  await claim((await sell(s, { shown })).token, second)
  expect(await heldBy(second)).toEqual([expect.objectContaining({ variantId: 'a', crossedAt: expect.any(Number) })])
})

test('when a part of a claim fails, nothing of it is written', async () => {
  const broken = await funnelStage({
    slices: [...SLICES, { name: 'broken', onFunnelClaim: () => Promise.reject(new Error('broken')) }],
  })
  const sold = await sell(broken, { answers: { goal: 'sleep' } })
  const before = [await everything(broken), await sessionRow(broken, sold.sessionId)]
  const answer = await broken.post('/v1/subscribers/claim-funnel-token', { token: sold.token, anon_id: 'svc_a' })
  expect(answer.status).toBe(500)
  expect([await everything(broken), await sessionRow(broken, sold.sessionId)]).toEqual(before)
  const tokens = await broken.ctx.db.select().from(broken.ctx.tables.funnelTokens)
  expect(tokens.map(({ claimedAt }) => claimedAt)).toEqual([null])
  await broken.close()
})

test('the limit of claims holds for an address', async () => {
  const codes: number[] = []
  for (let n = 0; n < 31; n++) codes.push((await claim(`svc_ft_${'x'.repeat(43)}`, 'svc_x')).status)
  expect(codes.slice(29)).toEqual([404, 429])
})
