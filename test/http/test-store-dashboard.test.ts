import { afterEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY } from '../../src/base/lib/clock'
import { makeSetupLink } from '../../src/operators/sign-in/setup'
import { verifyAudit } from '../../src/projects/audit/audit'
import { createProject } from '../../src/projects/project/service'
import { deliverWaiting } from '../../src/test-store/driver/deliver'
import { readLives } from '../../src/test-store/stores/world'
import { findTexts } from '../support/byte-search'
import { COINS, type Stage, stage } from '../support/cast'
import { erase } from '../support/erased'
import { dataOf } from '../support/operator'
import { accessId } from '../support/relink'
import { svc } from '../support/simulate'
import { staff } from '../support/staff'
import { PASSWORD, Visitor } from '../support/visitor'

let s: Stage
afterEach(() => s.close())

const ORDER = { device: 'nia', product: 'pro_monthly' }

describe('a purchase at the test store from the dashboard', () => {
  test('gives a subscriber, an access and events, in the sandbox only, and one row in the audit log', async () => {
    s = await stage()
    const team = staff(s)
    const answer = await team.as('DEVELOPER').post('/test-store/purchases', ORDER)
    expect(answer.status).toBe(201)
    const { subscriberId, access, store } = answer.body.data
    expect([store, access]).toEqual(['ios', ['pro']])
    const { data } = (await team.as('DEVELOPER').get(`/subscribers/${subscriberId}`)).body
    expect(JSON.stringify(data)).toContain(subscriberId)
    const bought = (await team.as('DEVELOPER').get('/transactions?environment=SANDBOX')).body.data.items
    expect(bought.map((one: { subscriberId: string }) => one.subscriberId)).toContain(subscriberId)
    const real = (await team.as('DEVELOPER').get('/transactions?environment=PRODUCTION')).body.data.items
    expect(real).toEqual([])
    const rows = (await team.as('ADMIN').get('/audit-log?action=test_store.purchase')).body.data.items
    expect(rows).toMatchObject([
      {
        actor: { kind: 'USER' },
        target: { type: 'testStore', id: 'ios/test-store' },
        after: { store: 'ios', product: 'pro_monthly' },
      },
    ])
  })

  test('of several products gives each of them, in one purchase with a row that names all', async () => {
    s = await stage()
    const dev = staff(s).as('DEVELOPER')
    const coach = { identifier: 'coach_monthly', type: 'SUBSCRIPTION', displayName: 'Coach', period: 'P1M' }
    await dataOf(dev.post('/products', { ...coach, accessIds: [await accessId(s, 'coach')] }))
    for (const store of [undefined, 'android', 'payment'] as const) {
      const order = { ...ORDER, device: `of_${store}`, with: ['coach_monthly'], ...(store && { store }) }
      const bought = await dataOf(dev.post('/test-store/purchases', order))
      expect([bought.store, bought.access.sort()]).toEqual([store ?? 'android', ['coach', 'pro']])
      const { purchases } = s.ctx.tables
      const rows = await s.ctx.db.select().from(purchases).where(eq(purchases.subscriberId, bought.subscriberId))
      expect([rows.length, new Set(rows.map(({ chainKey }) => chainKey)).size]).toEqual([2, 1])
    }
    const rows = await dataOf(staff(s).as('ADMIN').get('/audit-log?action=test_store.purchase'))
    expect(rows.items[0].after).toEqual({ store: 'payment', product: 'pro_monthly', with: ['coach_monthly'] })
    const cart = { ...ORDER, device: 'cart', product: 'lifetime', with: ['coins_100'], store: 'android' }
    expect((await staff(s).as('ADMIN').post('/test-store/purchases', cart)).status).toBe(201)
  })

  test('of several products is refused where a store does not sell them together, or one may not be given', async () => {
    s = await stage()
    const dev = staff(s).as('DEVELOPER')
    const answerTo = async (body: object) => {
      const { status, body: answer } = await dev.post('/test-store/purchases', { ...ORDER, ...body })
      return [status, answer.error?.code]
    }
    expect(await answerTo({ with: ['no_such'] })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await answerTo({ with: ['lifetime'] })).toEqual([409, 'CONFLICT'])
    expect(await answerTo({ with: ['pro_monthly'] })).toEqual([409, 'CONFLICT'])
    expect(await answerTo({ product: 'lifetime', with: ['coins_100'] })).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(await answerTo({ with: ['pro_yearly'], store: 'ios' })).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(await answerTo({ with: Array.from({ length: 20 }, (_, index) => `p${index}`) })).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect(await readLives(s.ctx, s.project.id)).toEqual([])
  })

  test('is found under the subscriber in the audit log, if the device is known', async () => {
    s = await stage()
    const team = staff(s)
    const { subscriberId } = (await team.as('DEVELOPER').post('/test-store/purchases', ORDER)).body.data
    await team.as('DEVELOPER').post('/test-store/purchases', { ...ORDER, product: 'lifetime' })
    const rows = (await team.as('ADMIN').get(`/audit-log?target=${subscriberId}`)).body.data.items
    expect(rows).toMatchObject([
      {
        action: 'test_store.purchase',
        target: { type: 'subscriber', id: subscriberId },
        after: { store: 'ios', product: 'lifetime' },
      },
    ])
  })

  test('leaves nothing of an erased person in the audit log, and cannot be repeated with their device', async () => {
    s = await stage()
    const team = staff(s)
    const order = { ...ORDER, device: 'svc_zanzibar_phone' }
    const first = (await team.as('DEVELOPER').post('/test-store/purchases', order)).body.data
    const second = (await team.as('DEVELOPER').post('/test-store/purchases', { ...order, store: 'android' })).body.data
    const third = (await team.as('DEVELOPER').post('/test-store/purchases', { ...order, store: 'payment' })).body.data
    await erase(s, first.subscriberId)
    const rows = (await team.as('ADMIN').get('/audit-log?action=test_store.purchase')).body.data.items
    expect(rows).toMatchObject([
      { target: { type: 'subscriber', id: first.subscriberId }, before: null, after: null },
      { target: { type: 'subscriber', id: first.subscriberId }, before: null, after: null },
      { target: { type: 'testStore', id: 'ios/test-store' }, after: { store: 'ios', product: 'pro_monthly' } },
    ])
    const ids = [first, second, third].map(({ transactionId }) => transactionId)
    for (const text of ['zanzibar', ...ids]) expect(JSON.stringify(rows)).not.toContain(text)
    const again = await team.as('DEVELOPER').post('/test-store/purchases', order)
    expect([again.status, again.body.error.code]).toEqual([409, 'SUBSCRIBER_UNRESOLVABLE'])
    expect(await findTexts(s.ctx, ['zanzibar'])).toEqual([])
    expect((await verifyAudit(s.ctx, s.project.id)).ok).toBe(true)
  })

  test('that is made while the person is erased leaves nothing of them either', async () => {
    s = await stage()
    const team = staff(s)
    for (let round = 0; round < 6; round++) {
      const order = { ...ORDER, device: `svc_zanzibar_${round}` }
      const { subscriberId } = (await team.as('DEVELOPER').post('/test-store/purchases', order)).body.data
      const [again] = await Promise.all([
        team.as('DEVELOPER').post('/test-store/purchases', { ...order, product: 'lifetime' }),
        erase(s, subscriberId),
      ])
      expect([201, 409]).toContain(again.status)
      const rows = (await team.as('ADMIN').get(`/audit-log?target=${subscriberId}`)).body.data.items
      for (const row of rows) expect(row).toMatchObject({ before: null, after: null })
      expect(await findTexts(s.ctx, [order.device])).toEqual([])
    }
  })

  test('is in the audit log even when its delivery fails, and the server delivers it later', async () => {
    s = await stage()
    const team = staff(s)
    await s.ctx.storage.runScript(['ALTER TABLE purchases RENAME TO purchases_away'])
    const failed = await team.as('DEVELOPER').post('/test-store/purchases', ORDER)
    await s.ctx.storage.runScript(['ALTER TABLE purchases_away RENAME TO purchases'])
    expect(failed.status).toBeGreaterThanOrEqual(500)
    expect((await team.as('ADMIN').get('/audit-log?action=test_store.purchase')).body.data.items).toHaveLength(1)
    await deliverWaiting(s.ctx)
    expect((await team.as('DEVELOPER').get('/transactions?environment=SANDBOX')).body.data.items).toHaveLength(1)
  })

  test('takes no renewal of another purchase that came due, and the command line takes it afterwards', async () => {
    s = await stage()
    const dev = staff(s).as('DEVELOPER')
    expect((await dev.post('/test-store/purchases', { ...ORDER, device: 'ola' })).status).toBe(201)
    s.ctx.clock.advance(40 * DAY)
    const answer = await dev.post('/test-store/purchases', ORDER)
    expect([answer.status, answer.body.data.access]).toEqual([201, ['pro']])
    const kinds = async () => {
      const { items } = (await dev.get('/transactions?environment=SANDBOX')).body.data
      return items.map(({ kind }: { kind: string }) => kind).sort()
    }
    expect(await kinds()).toEqual(['INITIAL', 'INITIAL'])
    expect((await svc(s.ctx, ['simulate', 'advance', '1h', '--project', s.project.id])).code).toBe(0)
    expect(await kinds()).toEqual(['INITIAL', 'INITIAL', 'RENEWAL'])
  })

  test('does not deliver what another device waits for, and is not refused for it', async () => {
    s = await stage()
    const team = staff(s)
    const dev = team.as('DEVELOPER')
    await s.ctx.storage.runScript(['ALTER TABLE purchases RENAME TO purchases_away'])
    await dev.post('/test-store/purchases', { ...ORDER, device: 'ola', product: 'lifetime' })
    await s.ctx.storage.runScript(['ALTER TABLE purchases_away RENAME TO purchases'])
    // The receipt that waits will be refused for good.
    const { items } = (await dev.get('/products')).body.data
    const { id } = items.find(({ identifier }: { identifier: string }) => identifier === 'lifetime')
    expect((await team.as('OWNER').delete(`/products/${id}`)).status).toBeLessThan(300)
    const answer = await dev.post('/test-store/purchases', ORDER)
    expect([answer.status, answer.body.data?.access]).toEqual([201, ['pro']])
    const bought = (await dev.get('/transactions?environment=SANDBOX')).body.data.items
    expect(bought).toMatchObject([{ subscriberId: answer.body.data.subscriberId }])
  })

  test('does not happen when it cannot be recorded in the audit log', async () => {
    s = await stage()
    await s.ctx.storage.runScript(['ALTER TABLE audit_log RENAME TO audit_log_away'])
    const failed = await staff(s).as('DEVELOPER').post('/test-store/purchases', ORDER)
    await s.ctx.storage.runScript(['ALTER TABLE audit_log_away RENAME TO audit_log'])
    expect(failed.status).toBeGreaterThanOrEqual(500)
    // No route lists what the test store has sold.
    expect(await readLives(s.ctx, s.project.id)).toEqual([])
  })

  test('is at the Android store where the project has no iOS app', async () => {
    s = await stage()
    const visitor = new Visitor(s)
    const token = (await makeSetupLink(s.ctx))?.split('/').at(-1)
    const ada = { email: 'ada@example.com', password: PASSWORD }
    await visitor.post('/api/auth/sign-up', { ...ada, name: 'Ada', setupToken: token })
    await visitor.signIn(ada.email)
    const made = (await visitor.post('/dashboard/projects', { name: 'New app' })).body.data.project
    const below = `/dashboard/projects/${made.id}`
    const access = await visitor.post(`${below}/access`, { identifier: 'pro', displayName: 'Pro' })
    expect([access.status, access.body]).toMatchObject([201, {}])
    const product = { identifier: 'pro_monthly', displayName: 'Pro monthly', type: 'SUBSCRIPTION', period: 'P1M' }
    const added = await visitor.post(`${below}/products`, { ...product, accessIds: [access.body.data.id] })
    expect([added.status, added.body]).toMatchObject([201, {}])
    const answer = await visitor.post(`${below}/test-store/purchases`, ORDER)
    expect([answer.status, answer.body.data.store, answer.body.data.access]).toEqual([201, 'android', ['pro']])
    const { first } = (await visitor.get(`${below}/overview`)).body.data
    expect(first.purchase).not.toBeNull()
  })

  const refused: [why: string, body: object, status: number, code: string][] = [
    ['a product that the project does not have', { ...ORDER, product: 'no_such' }, 400, 'VALIDATION_ERROR'],
    ['a device key that is reserved', { ...ORDER, device: 'ios:1' }, 400, 'VALIDATION_ERROR'],
    ['an empty device key', { ...ORDER, device: '' }, 400, 'VALIDATION_ERROR'],
    ['a store that there is not', { ...ORDER, store: 'amazon' }, 400, 'VALIDATION_ERROR'],
    [
      'an environment, because there is only the sandbox',
      { ...ORDER, environment: 'PRODUCTION' },
      400,
      'VALIDATION_ERROR',
    ],
    ['no device', { product: 'pro_monthly' }, 400, 'VALIDATION_ERROR'],
  ]
  test('is refused, and nothing is bought', async () => {
    s = await stage()
    const dev = staff(s).as('DEVELOPER')
    for (const [why, body, status, code] of refused) {
      const answer = await dev.post('/test-store/purchases', body)
      expect([why, answer.status, answer.body.error.code]).toEqual([why, status, code])
    }
    expect((await dev.get('/transactions?environment=SANDBOX')).body.data.items).toEqual([])
    expect((await staff(s).as('ADMIN').get('/audit-log?action=test_store.purchase')).body.data.items).toEqual([])
  })

  test('is refused without credits:write, if the product grants virtual currency', async () => {
    s = await stage()
    const team = staff(s)
    const dev = team.as('DEVELOPER')
    const other = { identifier: COINS.productId, displayName: 'Other', type: 'CONSUMABLE', accessIds: [] }
    expect((await team.as('OWNER').post('/products', other)).status).toBe(201)
    const granting = [
      { product: 'coins_100', store: 'ios' },
      { product: 'coins_100', store: 'android' },
      { product: 'coins_100', store: 'payment' },
      { product: 'pro_yearly', store: 'ios' },
      // The name of one product, and the id of another at this store: the intake records the other one.
      { product: COINS.productId, store: 'ios' },
    ]
    for (const order of granting) {
      const answer = await dev.post('/test-store/purchases', { ...ORDER, ...order })
      expect([order, answer.status, answer.body.error?.code]).toEqual([order, 403, 'CAPABILITY_REQUIRED'])
      expect(answer.body.error.details).toEqual({ role: 'DEVELOPER', capability: 'credits:write' })
    }
    expect((await dev.get('/transactions?environment=SANDBOX')).body.data.items).toEqual([])
    const allowed = await team.as('ADMIN').post('/test-store/purchases', { ...ORDER, product: 'coins_100' })
    expect(allowed.status).toBe(201)
    const ledger = (await dev.get(`/subscribers/${allowed.body.data.subscriberId}/ledger`)).body.data.items
    expect(ledger).toMatchObject([{ amount: 100 }])
  })

  test('is refused below DEVELOPER', async () => {
    s = await stage()
    for (const role of ['CUSTOMER_SUPPORT', 'GROWTH'] as const) {
      const answer = await staff(s).as(role).post('/test-store/purchases', ORDER)
      expect([answer.status, answer.body.error.code]).toEqual([403, 'ROLE_REQUIRED'])
    }
  })

  test('is refused where the test stores are off, and the dashboard is told so', async () => {
    s = await stage({ env: { SVC_SIMULATOR: 'off' } })
    const dev = staff(s).as('DEVELOPER')
    expect((await dev.get('/test-store')).body).toEqual({ data: { isSelling: false } })
    const answer = await dev.post('/test-store/purchases', ORDER)
    expect([answer.status, answer.body.error.code]).toEqual([503, 'FEATURE_NOT_CONFIGURED'])
    expect(answer.body.error.details).toEqual({ feature: 'test_store' })
  })
})

describe('who signs up first', () => {
  test('owns the projects that have no member, and no other', async () => {
    s = await stage()
    const made = await createProject(s.ctx, { name: 'By command', slug: 'by-command' })
    const first = new Visitor(s)
    const token = (await makeSetupLink(s.ctx))?.split('/').at(-1)
    const ada = { email: 'ada@example.com', password: PASSWORD }
    await first.post('/api/auth/sign-up', { ...ada, name: 'Ada', setupToken: token })
    await first.signIn(ada.email)
    const { items } = (await first.get('/dashboard/projects')).body.data
    expect(items.map(({ id, role }: { id: string; role: string }) => [id, role])).toContainEqual([
      made.project.id,
      'OWNER',
    ])
    const rows = (await first.get(`/dashboard/projects/${made.project.id}/audit-log`)).body.data.items
    expect(rows[0]).toMatchObject({ action: 'member.add', actor: { kind: 'SERVER' }, after: { role: 'OWNER' } })
    const later = await createProject(s.ctx, { name: 'Later', slug: 'later' })
    expect((await first.get(`/dashboard/projects/${later.project.id}`)).status).toBe(404)
  })
})
