import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { type Answer, LIFETIME, MONTHLY, type Stage, stage, YEARLY } from '../support/cast'
import { damage, expectRefused, identify, refund, renew, rowOf } from '../support/facts'
import { notify, purchaseOf } from '../support/notify'
import { addLater, LATER, linkNow } from '../support/relink'
import { staff } from '../support/staff'
import { on } from '../support/story'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const explain = (reference: string, query = '', access = 'pro', options: object = { key: s.project.secretKey }) =>
  s.call('GET', `/v1/subscribers/${encodeURIComponent(reference)}/access/${access}/explain${query}`, options)
const at = (day: string) => `?at=${day}T08:00:00.000Z`

const rules = ({ body }: Answer): [boolean, string[]] => [
  body.data.isActive,
  body.data.candidates.map(({ rule }: { rule: string }) => rule),
]

describe('an explanation', () => {
  test('names the purchase that decides, with its rule and the events that led there', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY), { headers: { 'x-request-id': 'request-1' } })
    const { id } = await rowOf(s, 'svc_ada')
    const { status, body } = await explain('svc_ada')
    const [initial, granted] = await s.events(id)
    expect([status, body.data]).toEqual([
      200,
      {
        subscriberId: id,
        access: 'pro',
        at: '2026-11-20T08:00:00.000Z',
        isActive: true,
        decidedBy: {
          purchaseId: body.data.candidates[0].purchase.id,
          rule: 'ACTIVE_BEFORE_END',
          effectiveEnd: '2026-12-20T08:00:00.000Z',
        },
        candidates: [
          {
            purchase: expect.objectContaining({ subscriberId: id, status: 'ACTIVE', productIdentifier: 'pro_monthly' }),
            grants: true,
            rule: 'ACTIVE_BEFORE_END',
          },
        ],
        chain: [initial, granted].map((event) => ({
          at: '2026-11-20T08:00:00.000Z',
          eventId: (event as unknown as { id: string }).id,
          seq: event?.seq,
          type: event?.type,
          cause: { kind: 'RECEIPT', ref: 'request-1' },
          isActiveAfter: true,
        })),
      },
    ])
  })

  test('of what was never bought has no candidate', async () => {
    await s.get('/v1/me', 'svc_ada')
    const { body } = await explain('svc_ada')
    expect(body.data).toMatchObject({ isActive: false, decidedBy: null, candidates: [], chain: [] })
  })

  test('of the other access of a product, and of none of it', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    expect(rules(await explain('svc_ada', '', 'coach'))).toEqual([false, []])
    await s.receipt('svc_ada', s.buy(YEARLY))
    expect(rules(await explain('svc_ada', '', 'coach'))).toEqual([true, ['ACTIVE_BEFORE_END']])
    expect(rules(await explain('svc_ada'))).toEqual([true, ['ACTIVE_BEFORE_END', 'ACTIVE_BEFORE_END']])
  })

  test('names a purchase whose product the catalogue lacks, and what to do, until it has one', async () => {
    const payload = s.buy(LATER)
    await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], payload)
    const { subscriberId, id } = await purchaseOf(s, payload)
    for (const access of ['pro', 'coach']) {
      const { data } = (await explain(subscriberId, '', access)).body
      expect([data.isActive, data.decidedBy, data.candidates]).toEqual([
        false,
        null,
        [
          {
            purchase: expect.objectContaining({
              id,
              productId: null,
              storeProductId: LATER.productId,
              status: 'ACTIVE',
            }),
            grants: false,
            rule: 'NO_PRODUCT',
            hint: `No product has the store id ${LATER.productId} (IOS_STORE), so the purchase gives no access. Add the id to a product, or create a product with it; the purchase then gets it. "svc purchases waiting" lists all such ids.`,
          },
        ],
      ])
    }
    await addLater(s, staff(s).as('DEVELOPER'))
    const [waiting] = (await explain(subscriberId)).body.data.candidates
    expect([waiting.rule, waiting.hint]).toEqual(['NO_PRODUCT', expect.stringContaining('The product later has')])
    await linkNow(s)
    expect(rules(await explain(subscriberId))).toEqual([true, ['ACTIVE_BEFORE_END']])
    expect(rules(await explain(subscriberId, '', 'coach'))).toEqual([false, []])
  })

  test('of somebody who holds the access names the purchase without a product too, but only while it is theirs', async () => {
    const payload = s.buy(LATER)
    await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], payload)
    const { subscriberId, id } = await purchaseOf(s, payload)
    await s.receipt('svc_bo', s.buy(MONTHLY))
    await identify(s, 'svc_bo', 'bo')
    const move = { fromAppUserId: subscriberId, toAppUserId: 'bo', purchaseIds: [id] }
    expect((await s.post('/v1/subscribers/transfer', move, { key: s.project.secretKey })).status).toBe(200)
    expect(rules(await explain('bo'))).toEqual([true, ['ACTIVE_BEFORE_END', 'NO_PRODUCT']])
    expect(rules(await explain(subscriberId))).toEqual([false, []])
  })

  test('follows a purchase through time, as far as it is known now', async () => {
    const first = s.buy(MONTHLY)
    await s.receipt('svc_ada', first)
    on(s, '2026-12-20')
    const second = renew(s, first, MONTHLY)
    await s.receipt('svc_ada', second)
    on(s, '2026-12-25')
    await s.receipt('svc_ada', refund(s, second))
    expect(rules(await explain('svc_ada'))).toEqual([false, ['REFUNDED']])
    expect(rules(await explain('svc_ada', at('2026-12-24')))).toEqual([true, ['ACTIVE_BEFORE_END']])
    expect(rules(await explain('svc_ada', at('2026-12-19')))).toEqual([true, ['ACTIVE_BEFORE_END']])
    const then = await explain('svc_ada', at('2026-12-19'))
    expect(then.body.data.decidedBy.effectiveEnd).toBe('2026-12-20T08:00:00.000Z')
    expect(then.body.data.chain).toHaveLength(2)
    expect((await explain('svc_ada')).body.data.chain.at(-1)).toMatchObject({ isActiveAfter: false })
  })

  test('knows what was not bought yet, and shows it as it is now', async () => {
    await s.get('/v1/me', 'svc_ada')
    on(s, '2026-11-25')
    await s.receipt('svc_ada', s.buy(LIFETIME))
    const before = await explain('svc_ada', at('2026-11-24'))
    expect([rules(before), before.body.data.decidedBy]).toEqual([[false, ['NOT_YET_BOUGHT']], null])
    expect(before.body.data.candidates[0].purchase.status).toBe('ACTIVE')
    expect(rules(await explain('svc_ada'))).toEqual([true, ['LIFETIME']])
  })

  test('tells what comes when nothing more happens', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    expect(rules(await explain('svc_ada', at('2027-01-01')))).toEqual([false, ['PAST_END']])
  })

  test('remembers who owned what: before and after a transfer, and its undo', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_bo', 'bo')
    const secret = { key: s.project.secretKey }
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    on(s, '2026-11-22')
    const move = { fromAppUserId: 'ada', toAppUserId: 'bo', purchaseIds: [purchase?.id] }
    const { body } = await s.post('/v1/subscribers/transfer', move, secret)
    expect([rules(await explain('ada')), rules(await explain('bo'))]).toEqual([
      [false, ['NOT_OWNED']],
      [true, ['ACTIVE_BEFORE_END']],
    ])
    const day = at('2026-11-21')
    expect([rules(await explain('ada', day)), rules(await explain('bo', day))]).toEqual([
      [true, ['ACTIVE_BEFORE_END']],
      [false, ['NOT_OWNED']],
    ])
    on(s, '2026-11-24')
    await s.post(`/v1/subscribers/transfer/${body.data.transferId}/undo`, {}, secret)
    expect([rules(await explain('ada')), rules(await explain('ada', at('2026-11-23')))]).toEqual([
      [true, ['ACTIVE_BEFORE_END']],
      [false, ['NOT_OWNED']],
    ])
    const { chain } = (await explain('ada')).body.data
    expect(
      chain.map(({ type, isActiveAfter }: { type: string; isActiveAfter: boolean }) => [type, isActiveAfter]),
    ).toEqual([
      ['purchase.initial', true],
      ['entitlement.granted', true],
      ['entitlement.revoked', false],
      ['subscriber.transferred', false],
      ['entitlement.granted', true],
      ['subscriber.transferred', true],
    ])
  })

  test('takes any reference and any offset of time', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await identify(s, 'svc_ada', 'user 1')
    s.ctx.clock.advance(DAY)
    const answers = [await explain('user 1'), await explain((await rowOf(s, 'svc_ada')).id)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    for (const time of ['2026-11-20T10:00:00%2B02:00', '2026-11-20T10:00:00+02:00'])
      expect((await explain('svc_ada', `?at=${time}`)).body.data.at).toBe('2026-11-20T08:00:00.000Z')
  })

  test('of an erased subscriber is empty', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: 1 })
    expect((await explain('svc_ada')).body.data).toMatchObject({ isActive: false, candidates: [], chain: [] })
  })
})

describe('an explanation is refused', () => {
  test('without a key, and with a public one', async () => {
    await s.get('/v1/me', 'svc_ada')
    await expectRefused(s, () => explain('svc_ada', '', 'pro', { key: null }), 401, 'BEARER_REQUIRED')
    const { body } = await expectRefused(s, () => explain('svc_ada', '', 'pro', {}), 403, 'FORBIDDEN')
    expect(body.error.message).toBe('Secret API key required')
  })

  test('of an unknown subscriber, another project’s, or an access that the project has not', async () => {
    const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
    await expectRefused(s, () => explain('nobody'), 404, 'NOT_FOUND')
    await expectRefused(s, () => explain(id, '', 'pro', { key: s.other.secretKey }), 404, 'NOT_FOUND')
    await expectRefused(s, () => explain('svc_ada', '', 'gold'), 404, 'NOT_FOUND')
    await expectRefused(s, () => explain('svc_ada', '', 'constructor'), 404, 'NOT_FOUND')
  })

  test('for a time that is none, or before the subscriber was created', async () => {
    await s.get('/v1/me', 'svc_ada')
    for (const time of ['yesterday', '2026-11-20', '1795161600000', '2026-11-20T07:59:59.999Z'])
      await expectRefused(s, () => explain('svc_ada', `?at=${time}`), 400, 'VALIDATION_ERROR')
    expect((await explain('svc_ada', at('2026-11-20'))).status).toBe(200)
  })
})
