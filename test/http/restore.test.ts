import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { AppError, type ErrorCode } from '../../src/base/errors'
import { errorHandler } from '../../src/base/http/error'
import { rememberRequest } from '../../src/base/http/request'
import { SECOND } from '../../src/base/lib/clock'
import { IOS_ONLY } from '../../src/intake/restore/restore'
import { restoreRoutes } from '../../src/intake/restore/routes'
import { type Answer, COINS, LIFETIME, MONTHLY, type Stage, stage } from '../support/cast'
import {
  access,
  addedSince,
  damage,
  eventTypes,
  everything,
  expectRefused,
  identify,
  lastEvent,
  refund,
  rowOf,
} from '../support/facts'
import { holdTimers } from '../support/pauses'
import { isReplay } from '../support/probe'

let s: Stage
beforeEach(async () => {
  s = await stage()
})
afterEach(() => s.close())

const restore = (reference: string, body: unknown, options: object = {}): Promise<Answer> =>
  s.post(`/v1/subscribers/${encodeURIComponent(reference)}/restore`, body, options)

type Payload = ReturnType<Stage['buy']>
const receiptOf = (payload: Payload, productId = payload.productId) => ({
  store: 'IOS_STORE',
  receipt: s.sign(payload),
  productId,
})
const DAMAGED = { store: 'IOS_STORE', receipt: 'x', productId: 'pro_monthly' }
const ANDROID = { store: 'ANDROID_STORE', receipt: 'token', productId: 'gems' }
const PRO = { pro: '2026-12-20T08:00:00.000Z' }

const codes = ({ body }: Answer): (string | null)[] => body.data.results.map(({ code }: { code: string }) => code)

describe('a restore', () => {
  test('records what verifies, in order, and says what of each', async () => {
    const monthly = s.buy(MONTHLY)
    await s.get('/v1/me', 'svc_ada')
    const receipts = [receiptOf(monthly, 'pro_monthly'), ANDROID, DAMAGED, receiptOf(s.buy(COINS), 'nothing')]
    const { status, body } = await restore('svc_ada', { receipts })
    expect([status, body]).toEqual([
      200,
      {
        data: {
          access: {
            pro: { isActive: true, expiresDate: PRO.pro, store: 'IOS_STORE', productIdentifier: 'pro_monthly' },
          },
          restored: [{ productId: 'pro_monthly', store: 'IOS_STORE' }],
          results: [
            { index: 0, productId: 'pro_monthly', store: 'IOS_STORE', status: 'RESTORED', code: null },
            { index: 1, productId: 'gems', store: 'ANDROID_STORE', status: 'FAILED', code: 'STORE_NOT_CONFIGURED' },
            { index: 2, productId: 'pro_monthly', store: 'IOS_STORE', status: 'FAILED', code: 'RECEIPT_INVALID' },
            { index: 3, productId: 'nothing', store: 'IOS_STORE', status: 'FAILED', code: 'RECEIPT_PRODUCT_UNKNOWN' },
          ],
        },
      },
    ])
    expect(await lastEvent(s, 'svc_ada', 'purchase.initial')).toMatchObject({ cause: { kind: 'RESTORE' } })
  })

  test('makes an unknown device when one receipt verifies', async () => {
    expect((await restore('svc_new', { receipts: [DAMAGED, receiptOf(s.buy(MONTHLY))] })).status).toBe(200)
    expect(await access(s, 'svc_new')).toEqual(PRO)
  })

  test('again changes nothing', async () => {
    const receipts = [receiptOf(s.buy(MONTHLY))]
    await restore('svc_ada', { receipts })
    const before = await everything(s)
    expect((await restore('svc_ada', { receipts })).status).toBe(200)
    expect(await everything(s)).toEqual(before)
  })

  test('takes over what an anonymous owner had, as the cause RESTORE', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_old', payload)
    await restore('svc_new', { receipts: [receiptOf(payload)] })
    expect([await access(s, 'svc_old'), await access(s, 'svc_new')]).toEqual([{}, PRO])
    const [row] = await s.ctx.db.select().from(s.ctx.tables.transfers)
    expect(row?.cause).toBe('RESTORE')
    await eventTypes(s, (await rowOf(s, 'svc_new')).id)
  })

  test('without receipts gives what is held now', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    for (const body of [{}, { receipts: [] }]) {
      const answer = await restore('svc_ada', body)
      expect([answer.status, Object.keys(answer.body.data.access), answer.body.data.results]).toEqual([
        200,
        ['pro'],
        [],
      ])
    }
  })

  test('by a secret key takes any reference', async () => {
    await identify(s, 'svc_ada', 'user 1')
    const options = { key: s.project.secretKey }
    expect((await restore('user 1', { receipts: [receiptOf(s.buy(MONTHLY))] }, options)).status).toBe(200)
    const { id } = await rowOf(s, 'svc_ada')
    expect((await restore(id, { receipts: [receiptOf(s.buy(LIFETIME))] }, options)).status).toBe(200)
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
  })

  test('of some that are in use is 200', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_bo', payload)
    await identify(s, 'svc_bo', 'bo')
    const receipts = [receiptOf(payload), receiptOf(s.buy(LIFETIME))]
    const answer = await restore('svc_ada', { receipts })
    expect([answer.status, codes(answer)]).toEqual([200, ['RECEIPT_IN_USE', null]])
    expect(await access(s, 'svc_bo')).toEqual(PRO)
  })

  test('of one in use and one damaged makes the device, as one did verify', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_bo', payload)
    await identify(s, 'svc_bo', 'bo')
    const answer = await restore('svc_new', { receipts: [receiptOf(payload), DAMAGED] })
    expect([answer.status, codes(answer)]).toEqual([200, ['RECEIPT_IN_USE', 'RECEIPT_INVALID']])
    expect((await rowOf(s, 'svc_new')).mergedInto).toBeNull()
  })

  test('answered again for its Idempotency-Key shows things as they are now, and records nothing', async () => {
    const payload = s.buy(MONTHLY)
    const options = { headers: { 'idempotency-key': 'once' } }
    const body = { receipts: [receiptOf(payload), DAMAGED] }
    await restore('svc_ada', body, options)
    await s.receipt('svc_ada', refund(s, payload))
    const refunded = await restore('svc_ada', body, options)
    expect([isReplay(refunded), refunded.body.data.access, codes(refunded)]).toEqual([
      true,
      {},
      [null, 'RECEIPT_INVALID'],
    ])
    const row = await rowOf(s, 'svc_ada')
    await identify(s, 'svc_bo', 'bo')
    const [purchase] = await s.ctx.db.select().from(s.ctx.tables.purchases)
    const move = { fromAppUserId: row.id, toAppUserId: 'bo', purchaseIds: [purchase?.id] }
    expect((await s.post('/v1/subscribers/transfer', move, { key: s.project.secretKey })).status).toBe(200)
    const before = await everything(s)
    expect(codes(await restore('svc_ada', body, options))).toEqual(['RECEIPT_IN_USE', 'RECEIPT_INVALID'])
    expect(await everything(s)).toEqual(before)
  })
})

describe('a restore is refused', () => {
  test('without a key', () =>
    expectRefused(s, () => restore('svc_ada', {}, { key: null }), 401, 'BEARER_REQUIRED').then(() => {}))

  test('for an unknown subscriber without receipts, and for an id that does not exist', async () => {
    await expectRefused(s, () => restore('svc_new', {}), 404, 'NOT_FOUND')
    await expectRefused(s, () => restore('svc_new', { receipts: [] }), 404, 'NOT_FOUND')
    const options = { key: s.project.secretKey }
    const body = { receipts: [receiptOf(s.buy(MONTHLY))] }
    await expectRefused(s, () => restore(`sub_${'0'.repeat(26)}`, body, options), 404, 'NOT_FOUND')
  })

  test('of another project', async () => {
    const { id } = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber
    await expectRefused(s, () => restore(id, {}, { key: s.other.secretKey }), 404, 'NOT_FOUND')
    await expectRefused(s, () => restore('svc_ada', {}, { key: s.other.publicKey }), 404, 'NOT_FOUND')
  })

  test('when every receipt is in use', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_bo', payload)
    await identify(s, 'svc_bo', 'bo')
    const body = { receipts: [receiptOf(payload), receiptOf(payload)] }
    await expectRefused(s, () => restore('svc_new', body), 409, 'RECEIPT_IN_USE')
  })

  test('when the subscriber is erased', async () => {
    await s.get('/v1/me', 'svc_ada')
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: 1 })
    const body = { receipts: [receiptOf(s.buy(MONTHLY))] }
    await expectRefused(s, () => restore('svc_ada', body), 409, 'SUBSCRIBER_UNRESOLVABLE')
    expect((await restore('svc_ada', {})).body.data.access).toEqual({})
  })

  const bodies: [name: string, body: unknown][] = [
    ['receipts that are no list', { receipts: {} }],
    ['a receipt without a product', { receipts: [{ store: 'IOS_STORE', receipt: 'x' }] }],
    ['an empty receipt', { receipts: [{ ...DAMAGED, receipt: '' }] }],
    ['another store', { receipts: [{ ...DAMAGED, store: 'PAYMENT' }] }],
    ['51 receipts', { receipts: Array.from({ length: 51 }, () => DAMAGED) }],
  ]
  for (const [name, body] of bodies)
    test(`with ${name}`, () => expectRefused(s, () => restore('svc_ada', body), 400, 'VALIDATION_ERROR').then(() => {}))

  test('for the name of a synthetic subscriber', async () => {
    const body = { receipts: [receiptOf(s.buy(MONTHLY))] }
    await expectRefused(s, () => restore('ios:1', body), 400, 'VALIDATION_ERROR')
    await expectRefused(s, () => restore('ios:1', body, { key: s.project.secretKey }), 400, 'VALIDATION_ERROR')
  })
})

describe('a reinstall', () => {
  test('of which no receipt verifies reads why, and exists afterwards without a purchase', async () => {
    const before = await everything(s)
    const receipts = [DAMAGED, ANDROID, receiptOf(s.buy(COINS), 'nothing')]
    const answer = await restore('svc_new', { receipts })
    expect([answer.status, answer.body.data.access, answer.body.data.restored]).toEqual([200, {}, []])
    expect(codes(answer)).toEqual(['RECEIPT_INVALID', 'STORE_NOT_CONFIGURED', 'RECEIPT_PRODUCT_UNKNOWN'])
    expect(await addedSince(s, before)).toEqual(['subscribers'])
    expect(await s.events((await rowOf(s, 'svc_new')).id)).toEqual([])
    expect((await restore('svc_new', {})).body.data.access).toEqual({})
  })

  test('by a secret key under a name that is new is a device of that key', async () => {
    const answer = await restore('svc_new', { receipts: [DAMAGED] }, { key: s.project.secretKey })
    expect([answer.status, codes(answer)]).toEqual([200, ['RECEIPT_INVALID']])
    expect(await rowOf(s, 'svc_new')).toMatchObject({ appUserId: null })
  })

  test('answered again for its Idempotency-Key reads the same', async () => {
    const options = { headers: { 'idempotency-key': 'once' } }
    const first = await restore('svc_new', { receipts: [DAMAGED, ANDROID] }, options)
    const again = await restore('svc_new', { receipts: [DAMAGED, ANDROID] }, options)
    expect([isReplay(again), again.status, again.body]).toEqual([true, 200, first.body])
  })

  test('whose receipts all belong to others is 409, and exists, so that support can transfer to it', async () => {
    const payload = s.buy(MONTHLY)
    await s.receipt('svc_bo', payload)
    await identify(s, 'svc_bo', 'bo')
    const answer = await restore('svc_new', { receipts: [receiptOf(payload), receiptOf(payload)] })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'RECEIPT_IN_USE'])
    const { id } = await rowOf(s, 'svc_new')
    const move = { fromAppUserId: 'bo', toAppUserId: id }
    expect((await s.post('/v1/subscribers/transfer', move, { key: s.project.secretKey })).status).toBe(200)
    expect(await access(s, 'svc_new')).toEqual(PRO)
  })
})

describe('a store that is not set up', () => {
  const NOTHING = { receipts: [ANDROID, ANDROID] }

  test('for every receipt is 400 and leaves no device behind', () =>
    expectRefused(s, () => restore('svc_new', NOTHING), 400, 'STORE_NOT_CONFIGURED').then(() => {}))

  test('for every receipt is 400 to a known device too, again for the same Idempotency-Key', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const options = { headers: { 'idempotency-key': 'once' } }
    for (let times = 0; times < 2; times++)
      await expectRefused(s, () => restore('svc_ada', NOTHING, options), 400, 'STORE_NOT_CONFIGURED')
  })

  test('for both stores is 400', async () => {
    await s.ctx.write((tx) => tx.db.delete(s.ctx.tables.storeSettings))
    s.ctx.state.projects.forget(s.project.id)
    const body = { receipts: [ANDROID, { ...ANDROID, store: 'IOS_STORE' }] }
    await expectRefused(s, () => restore('svc_new', body), 400, 'STORE_NOT_CONFIGURED')
  })

  test('for some of the receipts fails those', async () => {
    const answer = await restore('svc_new', { receipts: [ANDROID, receiptOf(s.buy(MONTHLY))] })
    expect([answer.status, codes(answer)]).toEqual([200, ['STORE_NOT_CONFIGURED', null]])
  })
})

/** The route with an Android store that refuses one receipt after another in the given ways. */
async function withAndroid(refusals: (ErrorCode | Promise<ErrorCode>)[], receipts: unknown[]): Promise<Answer> {
  const submit = async (): Promise<void> => {
    const code = await refusals.shift()
    if (code) throw new AppError(code)
  }
  const android = { submit, isHeld: async () => true }
  const onFailure = errorHandler(s.ctx)
  const app = new Elysia()
    .onError({ as: 'global' }, ({ code, error, request, set }) => onFailure({ code, error, request, set }))
    .use(new Elysia({ prefix: '/v1' }).use(restoreRoutes(s.ctx, { ...IOS_ONLY, android })))
  const headers = { authorization: `Bearer ${s.project.publicKey}`, 'content-type': 'application/json' }
  const url = 'http://localhost/v1/subscribers/svc_ada/restore'
  const request = new Request(url, { method: 'POST', headers, body: JSON.stringify({ receipts }) })
  const nothing = { startedAt: 0, route: null, sockets: null, limits: [], projectId: null, presented: null }
  const undone = { save: null, release: null, undo: null }
  rememberRequest(request, {
    ...nothing,
    ...undone,
    headers: {},
    id: 'req_1',
    path: '/v1/subscribers/svc_ada/restore',
    rawBody: new Uint8Array(),
  })
  const response = await app.handle(request)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('an Android store', () => {
  test('that is away fails the whole answer, and what verified stays recorded', async () => {
    const answer = await withAndroid(['STORE_UNAVAILABLE'], [ANDROID, receiptOf(s.buy(MONTHLY))])
    expect([answer.status, answer.body.error.code]).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(await access(s, 'svc_ada')).toEqual(PRO)
  })

  test('that hangs is 503 within 8 s, and what verified stays recorded', async () => {
    const { promise, resolve } = Promise.withResolvers<ErrorCode>()
    const timers = holdTimers(7.5 * SECOND)
    const asked = withAndroid([promise], [receiptOf(s.buy(MONTHLY)), ANDROID])
    while ((await access(s, 'svc_ada')).pro === undefined) await Bun.sleep(1)
    timers.release()
    const answer = await asked
    expect([answer.status, answer.body.error.code]).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(await access(s, 'svc_ada')).toEqual(PRO)
    resolve('STORE_UNAVAILABLE')
  })

  test('that refuses one receipt fails that one', async () => {
    await s.get('/v1/me', 'svc_ada')
    const answer = await withAndroid(['purchase_not_paid'], [ANDROID, ANDROID])
    expect([answer.status, codes(answer)]).toEqual([200, ['purchase_not_paid', null]])
  })
})
