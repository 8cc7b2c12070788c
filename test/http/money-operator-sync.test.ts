import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { syncJob } from '../../src/intake/reconcile/sync'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { cancelAtPeriodEnd } from '../../src/test-store/stores/payment-turns'
import { stage } from '../support/cast'
import { access, listenTo, rowOf } from '../support/facts'
import { type PaymentStage, paymentStage, WEB_MONTHLY } from '../support/payment-sale'
import { type Staff, staff } from '../support/staff'

let s: PaymentStage
let team: Staff
let subscription: string
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await paymentStage()
  team = staff(s)
  subscription = subscribe(s.world, { priceId: WEB_MONTHLY }).id
  await s.deliverAll()
  newEvents = listenTo(s, 'svc_ada')
  await newEvents()
})
afterEach(() => s.close())

const sync = (body: object = {}) => team.as('DEVELOPER').post('/transactions/sync', body)
const jobs = () => s.ctx.db.select().from(s.ctx.tables.jobs)
const auditRows = () => s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
const work = () => new Worker(s.ctx, createRegistry([syncJob])).runDue()

/** A cancellation that the provider could not deliver. */
function cancelUnheard(): void {
  s.ctx.clock.advance(HOUR)
  cancelAtPeriodEnd(s.world, subscription)
}

describe('a sync', () => {
  test('of a subscriber records what the store says now', async () => {
    cancelUnheard()
    const { id } = await rowOf(s, 'svc_ada')
    const { status, body } = await sync({ subscriberId: id })
    expect([status, body]).toEqual([200, { data: { queued: true, stores: ['PAYMENT'] } }])
    expect(await newEvents()).toEqual([])
    await work()
    expect(await newEvents()).toEqual(['purchase.cancelled'])
    expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
    const rows = await auditRows()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      actor: { kind: 'USER', id: 'usr_developer' },
      action: 'transactions.sync',
      after: { subscriberId: id },
    })
  })

  test('of the project asks about what is due', async () => {
    cancelUnheard()
    s.ctx.clock.advance(2 * DAY)
    await sync()
    await work()
    expect(await newEvents()).toEqual(['purchase.cancelled'])
  })

  test('is queued once while it waits', async () => {
    await Promise.all([sync(), sync(), sync({ subscriberId: 'svc_ada' }), sync({ subscriberId: 'svc_ada' })])
    expect(await jobs()).toHaveLength(2)
    expect(await auditRows()).toHaveLength(2)
  })

  test('is tried again when the store does not answer', async () => {
    cancelUnheard()
    s.server.faults = { ...NO_FAULTS, status: 500 }
    await sync({ subscriberId: 'svc_ada' })
    await work()
    expect(await newEvents()).toEqual([])
    expect(await jobs()).toMatchObject([{ state: 'WAITING', attempts: 1 }])
    s.server.faults = NO_FAULTS
    s.ctx.clock.advance(HOUR)
    await work()
    expect(await newEvents()).toEqual(['purchase.cancelled'])
    expect(await jobs()).toEqual([])
  })
})

describe('no sync', () => {
  test('of nobody, or of a subscriber of another project', async () => {
    const { body } = await s.get('/v1/me', 'svc_bo', { key: s.other.publicKey })
    for (const subscriberId of ['nobody', 'svc_bo', body.data.subscriber.id, 'sub_0']) {
      const answer = await sync({ subscriberId })
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect([await jobs(), await auditRows()]).toEqual([[], []])
  })

  test.each<[body: object]>([
    [{ subscriberId: '' }],
    [{ subscriberId: 5 }],
    [{ all: true }],
    [{ subscriberId: 'a\0' }],
  ])('with %p', async (body) => {
    const answer = await sync(body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await jobs()).toEqual([])
  })

  test('where no store that sold anything is connected, and the refusal names it', async () => {
    const own = await stage()
    const members = staff(own).as('DEVELOPER')
    const post = (body: object) => members.post('/transactions/sync', body)
    await own.get('/v1/me', 'svc_new')
    await own.ctx.write((tx) => tx.db.delete(tx.tables.storeSettings))
    const { status, body } = await post({})
    expect([status, body.error.code]).toEqual([400, 'STORE_NOT_CONFIGURED'])
    expect(body.error.message).toContain('Google Play')
    const nothing = await post({ subscriberId: 'svc_new' })
    expect([nothing.status, nothing.body.data]).toEqual([200, { queued: false, stores: [] }])
    expect(await own.ctx.db.select().from(own.ctx.tables.jobs)).toEqual([])
    await own.close()
  })

  test.each(['GROWTH', 'CUSTOMER_SUPPORT'] as const)('by %s', async (role) => {
    const { status, body } = await team.as(role).post('/transactions/sync')
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'ROLE_REQUIRED',
      { role, requiredRole: 'DEVELOPER' },
    ])
    expect(await jobs()).toEqual([])
  })
})
