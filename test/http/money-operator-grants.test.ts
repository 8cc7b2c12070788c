import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY } from '../../src/base/lib/clock'
import { allRows } from '../support/actions'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { access, balances, identify, lastEvent, listenTo, rowOf } from '../support/facts'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await stage()
  team = staff(s)
  await s.get('/v1/me', 'svc_ada')
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
const isoIn = (ms: number) => new Date(s.ctx.clock.now() + ms).toISOString()
const grant = (body: object, subscriber = 'svc_ada') =>
  team.as('CUSTOMER_SUPPORT').post(`/subscribers/${encodeURIComponent(subscriber)}/grants`, body)

/** Status, code and details of a refusal that wrote nothing. */
async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = await allRows(s)
  const { status, body } = await call()
  expect(await allRows(s)).toEqual(before)
  return [status, body.error.code, ...(body.error.details === undefined ? [] : [body.error.details])]
}

describe('a grant', () => {
  test('gives access at once, and names who gave it', async () => {
    const expiresAt = isoIn(DAY)
    const { id } = await rowOf(s, 'svc_ada')
    const { status, headers, body } = await grant({ productId: 'pro_yearly', expiresAt, reason: 'an apology' }, id)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ subscriberId: id, store: 'MANUAL', status: 'ACTIVE', price: null, expiresAt })
    expect(body.data).not.toHaveProperty('dryRun')
    expect(await access(s, 'svc_ada')).toEqual({ pro: expiresAt, coach: expiresAt })
    expect(await lastEvent(s, 'svc_ada', 'purchase.initial')).toMatchObject({
      cause: { kind: 'DASHBOARD', ref: headers.get('x-request-id'), store: 'MANUAL', detail: 'an apology' },
    })
    const rows = await auditRows()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      actor: { kind: 'USER', id: 'usr_customer_support', email: 'usr_customer_support@example.com' },
      action: 'subscriber.grant',
      target: { type: 'subscriber', id },
      after: { purchaseId: body.data.id, reason: 'an apology' },
    })
  })

  test('finds its subscriber by id, label and device key', async () => {
    await identify(s, 'svc_ada', 'ada/ä 1')
    const { id } = await rowOf(s, 'svc_ada')
    for (const reference of [id, 'ada/ä 1', 'svc_ada'])
      expect((await grant({ accessIds: ['pro'] }, reference)).body.data.subscriberId).toBe(id)
  })

  test('with a key again is the same grant', async () => {
    const path = '/subscribers/svc_ada/grants'
    const headers = { 'idempotency-key': 'once' }
    const [first, again] = [
      await team.as('ADMIN').post(path, { accessIds: ['pro'] }, { headers }),
      await team.as('ADMIN').post(path, { accessIds: ['pro'] }, { headers }),
    ]
    expect([again.status, again.body, again.headers.get('idempotent-replay')]).toEqual([201, first.body, 'true'])
    expect(await auditRows()).toHaveLength(1)
    const other = await team.as('ADMIN').post(path, { accessIds: ['coach'] }, { headers })
    expect([other.status, other.body.error.code]).toEqual([422, 'HTTP_ERROR'])
    const someoneElse = await team.as('OWNER').post(path, { accessIds: ['pro'] }, { headers })
    expect(someoneElse.body.data.id).not.toBe(first.body.data.id)
  })
})

describe('a dry run of a grant', () => {
  test('shows access, balances and events, and writes nothing', async () => {
    await s.receipt('svc_ada', s.buy(MONTHLY))
    await newEvents()
    const held = await access(s, 'svc_ada')
    const before = await allRows(s)
    const { status, body } = await grant({ accessIds: ['coach'], dryRun: true })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      dryRun: true,
      result: { store: 'MANUAL', status: 'ACTIVE' },
      access: {
        before: { pro: { expiresDate: held.pro } },
        after: { pro: { expiresDate: held.pro }, coach: { store: 'MANUAL', expiresDate: null } },
      },
      balances: { before: await balances(s, 'svc_ada'), after: await balances(s, 'svc_ada') },
      eventTypes: ['purchase.initial', 'entitlement.granted'],
    })
    expect(body.data.access.before).not.toHaveProperty('coach')
    expect(await allRows(s)).toEqual(before)
    expect(await newEvents()).toEqual([])
    expect(await access(s, 'svc_ada')).toEqual(held)
  })

  test('is refused for what the grant is refused for', async () => {
    const details = { resource: 'access', ids: ['vip'] }
    const unknown = [400, 'UNKNOWN_REFERENCES', details]
    expect(await refused(() => grant({ accessIds: ['pro', 'vip'], dryRun: true }))).toEqual(unknown)
    expect(await refused(() => grant({ accessIds: ['pro'], dryRun: true }, 'nobody'))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('no grant', () => {
  test('of what the project does not have', async () => {
    expect(await refused(() => grant({ productId: 'gold' }))).toEqual([
      400,
      'UNKNOWN_REFERENCES',
      { resource: 'product', ids: ['gold'] },
    ])
    expect(await refused(() => grant({ accessIds: ['vip', 'pro', 'gold'] }))).toEqual([
      400,
      'UNKNOWN_REFERENCES',
      { resource: 'access', ids: ['vip', 'gold'] },
    ])
  })

  test.each<[name: string, body: unknown]>([
    ['nothing', {}],
    ['both', { productId: 'pro_monthly', accessIds: ['pro'] }],
    ['no access at all', { accessIds: [] }],
    ['a product without access', { productId: 'coins_100' }],
    ['an end that has passed', { accessIds: ['pro'], expiresAt: '2020-01-01T00:00:00Z' }],
    ['an end that is no instant', { accessIds: ['pro'], expiresAt: 'next summer' }],
    ['a number as its end', { accessIds: ['pro'], expiresAt: 1_900_000_000_000 }],
    ['a reason of two lines', { accessIds: ['pro'], reason: 'a\nb' }],
    ['a reason that is too long', { accessIds: ['pro'], reason: 'a'.repeat(201) }],
    ['a member that does not exist', { accessIds: ['pro'], note: 'x' }],
    ['a text as dryRun', { accessIds: ['pro'], dryRun: 'true' }],
    ['an access id with NUL', { accessIds: ['a\0'] }],
  ])('with %s', async (_name, body) => {
    expect((await refused(() => grant(body as object))).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('to a subscriber of another project, or to nobody', async () => {
    await s.get('/v1/me', 'svc_bo', { key: s.other.publicKey })
    const [bo] = (await s.ctx.db.select().from(s.ctx.tables.subscribers)).filter(
      ({ deviceKey }) => deviceKey === 'svc_bo',
    )
    for (const subscriber of ['svc_bo', bo?.id ?? '', 'sub_0', '%00', `svc_ada${'x'.repeat(300)}`])
      expect((await refused(() => grant({ accessIds: ['pro'] }, subscriber)))[0]).toBeOneOf([400, 404])
    expect(await refused(() => grant({ accessIds: ['pro'] }, bo?.id))).toEqual([404, 'NOT_FOUND'])
  })

  test('to an erased subscriber', async () => {
    const { id } = await rowOf(s, 'svc_ada')
    const { subscribers } = s.ctx.tables
    await s.ctx.write((tx) => tx.db.update(subscribers).set({ erasedAt: s.ctx.clock.now() }))
    expect(await refused(() => grant({ accessIds: ['pro'] }, id))).toEqual([409, 'SUBSCRIBER_UNRESOLVABLE'])
  })

  test('by GROWTH, whose capabilities do not include it', async () => {
    const details = { role: 'GROWTH', capability: 'subscribers:write' }
    const call = () => team.as('GROWTH').post('/subscribers/svc_ada/grants', { accessIds: ['pro'] })
    expect(await refused(call)).toEqual([403, 'CAPABILITY_REQUIRED', details])
  })
})
