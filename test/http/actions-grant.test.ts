import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { sweepPurchases } from '../../src/intake/recording/sweep'
import { verifyAudit } from '../../src/projects/audit/audit'
import { allRows, grant, refusalOf } from '../support/actions'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { access, balances, damage, identify, lastEvent, listenTo, money, rowOf } from '../support/facts'

let s: Stage
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await stage()
  await s.get('/v1/me', 'svc_ada')
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

const isoIn = (ms: number) => new Date(s.ctx.clock.now() + ms).toISOString()
const explain = async (at?: number) => {
  const query = at === undefined ? '' : `?at=${new Date(at).toISOString()}`
  const path = `/v1/subscribers/svc_ada/access/pro/explain${query}`
  return (await s.get(path, undefined, { key: s.project.secretKey })).body.data
}

describe('granted access', () => {
  test('of a product: held at once, told, explained, and worth nothing', async () => {
    const end = isoIn(DAY)
    const purchase = await grant(s, {
      productId: 'pro_yearly',
      expiresAt: s.ctx.clock.now() + DAY,
      reason: 'an apology',
    })
    expect(purchase).toMatchObject({
      store: 'MANUAL',
      environment: 'PRODUCTION',
      chainKey: purchase.id,
      accessIds: null,
    })
    expect(await access(s, 'svc_ada')).toEqual({ pro: end, coach: end })
    expect((await s.get('/v1/me/entitlements', 'svc_ada')).body.data.entitlements.pro).toEqual({
      isActive: true,
      expiresDate: end,
      store: 'MANUAL',
      productIdentifier: 'pro_yearly',
    })
    expect(await newEvents()).toEqual(['purchase.initial', 'entitlement.granted', 'entitlement.granted'])
    expect(await money(s, (await rowOf(s, 'svc_ada')).id)).toEqual([['GRANT', null]])
    // The product grants 500 coins when it is bought, but nobody has paid.
    expect(await balances(s, 'svc_ada')).toEqual({})
    expect(await lastEvent(s, 'svc_ada', 'purchase.initial')).toMatchObject({
      environment: 'PRODUCTION',
      cause: { kind: 'CLI', ref: null, store: 'MANUAL', detail: 'an apology' },
      before: { purchase: null, access: {} },
      after: { purchase: { id: purchase.id, store: 'MANUAL', status: 'ACTIVE', price: null, expiresAt: end } },
      data: { transaction: { kind: 'GRANT', price: null, usdMicros: null, storeTransactionId: purchase.id } },
    })
    expect(await explain()).toMatchObject({
      isActive: true,
      decidedBy: { purchaseId: purchase.id, rule: 'ACTIVE_BEFORE_END', effectiveEnd: end },
      chain: [{ type: 'purchase.initial', cause: { kind: 'CLI' } }, { type: 'entitlement.granted' }],
    })
  })

  test('of single accesses: those and no others, without an end', async () => {
    const { id } = await grant(s, { accessIds: ['coach'] })
    expect(await access(s, 'svc_ada')).toEqual({ coach: null })
    expect(await newEvents()).toEqual(['purchase.initial', 'entitlement.granted'])
    const path = '/v1/subscribers/svc_ada/access/coach/explain'
    expect((await s.get(path, undefined, { key: s.project.secretKey })).body.data).toMatchObject({
      decidedBy: { purchaseId: id, rule: 'LIFETIME', effectiveEnd: null },
      candidates: [{ purchase: { productId: null, productIdentifier: 'unknown', effectiveEnd: null } }],
    })
    s.ctx.clock.advance(9999 * DAY)
    expect(await access(s, 'svc_ada')).toEqual({ coach: null })
  })

  test('of a one-time product is told as bought once', async () => {
    await grant(s, { productId: 'lifetime', expiresAt: s.ctx.clock.now() + DAY })
    expect(await newEvents()).toEqual(['purchase.non_renewing', 'entitlement.granted'])
  })

  test('ends at its end, which the sweep tells with the reason', async () => {
    await grant(s, { accessIds: ['pro'], expiresAt: s.ctx.clock.now() + DAY })
    const end = s.ctx.clock.now() + DAY
    await newEvents()
    s.ctx.clock.set(end - 1)
    expect(await sweepPurchases(s.ctx)).toBe(0)
    s.ctx.clock.set(end)
    expect(await access(s, 'svc_ada')).toEqual({})
    expect(await sweepPurchases(s.ctx)).toBe(1)
    expect(await newEvents()).toEqual(['purchase.expired', 'entitlement.revoked'])
    expect(await lastEvent(s, 'svc_ada', 'purchase.expired')).toMatchObject({
      cause: { kind: 'SWEEP' },
      data: { reason: 'DEVELOPER', transaction: null },
    })
    expect(await explain()).toMatchObject({ isActive: false, candidates: [{ rule: 'PAST_END', grants: false }] })
    expect(await explain(end - 1)).toMatchObject({ isActive: true })
  })

  test('stands beside a purchase: the later end counts, and neither is told twice', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    const bought = (await access(s, 'svc_ada')).pro
    await newEvents()
    await grant(s, { productId: 'pro_monthly', expiresAt: s.ctx.clock.now() + DAY })
    expect(await access(s, 'svc_ada')).toEqual({ pro: bought ?? null })
    expect(await newEvents()).toEqual(['purchase.initial'])
    await grant(s, { productId: 'pro_monthly' })
    expect(await access(s, 'svc_ada')).toEqual({ pro: null })
  })

  test('is in the audit log, with its reason', async () => {
    const { id, subscriberId } = await grant(s, { productId: 'pro_monthly', reason: '  won a prize ' })
    const [row, ...more] = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    expect(more).toEqual([])
    expect(row).toMatchObject({
      actor: { kind: 'CLI' },
      action: 'subscriber.grant',
      target: { type: 'subscriber', id: subscriberId },
      after: { purchaseId: id, reason: 'won a prize', expiresAt: null },
    })
    expect(await verifyAudit(s.ctx, s.project.id)).toMatchObject({ ok: true, count: 1 })
  })

  test('goes to the label before the device key, and over a merge to the survivor', async () => {
    await identify(s, 'svc_ada', 'ada')
    await identify(s, 'svc_bo', 'ada')
    await grant(s, { subscriber: 'ada', accessIds: ['pro'] })
    await grant(s, { subscriber: 'svc_ada', accessIds: ['coach'] })
    expect(await access(s, 'svc_bo')).toEqual({ pro: null, coach: null })
    await s.get('/v1/me', 'svc_cy')
    await grant(s, { subscriber: (await rowOf(s, 'svc_cy')).id, accessIds: ['pro'] })
    expect(await access(s, 'svc_cy')).toEqual({ pro: null })
  })

  test('follows a transfer, and comes back when that is undone', async () => {
    await s.get('/v1/me', 'svc_bo')
    const { id } = await grant(s, { accessIds: ['pro'] })
    const body = { fromAppUserId: 'svc_ada', toAppUserId: 'svc_bo', purchaseIds: [id] }
    const moved = await s.post('/v1/subscribers/transfer', body, { key: s.project.secretKey })
    expect([await access(s, 'svc_ada'), await access(s, 'svc_bo')]).toEqual([{}, { pro: null }])
    const undo = `/v1/subscribers/transfer/${moved.body.data.transferId}/undo`
    expect((await s.post(undo, {}, { key: s.project.secretKey })).status).toBe(200)
    expect([await access(s, 'svc_ada'), await access(s, 'svc_bo')]).toEqual([{ pro: null }, {}])
  })

  test('keeps its product when that is renamed', async () => {
    const { products: p } = s.ctx.tables
    const { productId } = await grant(s, { productId: 'pro_monthly' })
    await s.ctx.write((tx) =>
      tx.db
        .update(p)
        .set({ identifier: 'renamed' })
        .where(eq(p.id, productId ?? '')),
    )
    s.ctx.state.projects.forget(s.project.id)
    const { entitlements } = (await s.get('/v1/me/entitlements', 'svc_ada')).body.data
    expect(entitlements.pro).toMatchObject({ productIdentifier: 'renamed', store: 'MANUAL' })
  })
})

describe('no grant', () => {
  const cases: [name: string, order: Parameters<typeof grant>[1], refusal: [number, string, unknown]][] = [
    ['of an unknown product', { productId: 'x' }, [400, 'UNKNOWN_REFERENCES', { resource: 'product', ids: ['x'] }]],
    [
      'of an unknown access',
      { accessIds: ['pro', 'x'] },
      [400, 'UNKNOWN_REFERENCES', { resource: 'access', ids: ['x'] }],
    ],
    ['of nothing', {}, [400, 'VALIDATION_ERROR', undefined]],
    ['of both', { productId: 'lifetime', accessIds: ['pro'] }, [400, 'VALIDATION_ERROR', undefined]],
    ['of coins', { productId: 'coins_100' }, [400, 'VALIDATION_ERROR', undefined]],
    ['that is over', { accessIds: ['pro'], expiresAt: Date.UTC(2020, 0, 1) }, [400, 'VALIDATION_ERROR', undefined]],
    ['for a reason too long', { accessIds: ['pro'], reason: 'x'.repeat(201) }, [400, 'VALIDATION_ERROR', undefined]],
    ['for a reason of two lines', { accessIds: ['pro'], reason: 'a\nb' }, [400, 'VALIDATION_ERROR', undefined]],
    ['to nobody', { subscriber: 'svc_nobody', accessIds: ['pro'] }, [404, 'NOT_FOUND', undefined]],
  ]
  for (const [name, order, refusal] of cases)
    test(name, async () => {
      const before = await allRows(s)
      expect(await refusalOf(() => grant(s, order))).toEqual(refusal)
      expect(await allRows(s)).toEqual(before)
    })

  test('of another project’s product, or to its subscriber', async () => {
    const foreign = `prd_${2}pro_monthly`.padEnd(30, '0')
    expect(await refusalOf(() => grant(s, { productId: foreign }))).toMatchObject([400, 'UNKNOWN_REFERENCES', {}])
    await s.get('/v1/me', 'svc_other', { key: s.other.publicKey })
    const { subscribers } = s.ctx.tables
    const rows = await s.ctx.db.select().from(subscribers)
    const other = rows.find(({ projectId }) => projectId === s.other.id)?.id ?? ''
    for (const subscriber of ['svc_other', other])
      expect(await refusalOf(() => grant(s, { subscriber, accessIds: ['pro'] }))).toEqual([404, 'NOT_FOUND', undefined])
  })

  test('to somebody who was erased', async () => {
    await damage(s, (await rowOf(s, 'svc_ada')).id, { erasedAt: s.ctx.clock.now() })
    const refused = await refusalOf(() => grant(s, { accessIds: ['pro'] }))
    expect(refused).toEqual([409, 'SUBSCRIBER_UNRESOLVABLE', undefined])
    expect(await s.ctx.db.select().from(s.ctx.tables.purchases)).toEqual([])
  })
})
