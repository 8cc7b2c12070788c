import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { type Answer, type Stage, stage } from '../support/cast'
import { type Staff, staff } from '../support/staff'

/** Public addresses whose host need not be looked up. */
const at = (path: string): string => `https://93.184.216.34/${path}`
const PUBLIC = 'https://svc.example.com'

let s: Stage
let team: Staff
beforeEach(async () => {
  s = await stage({ env: { PUBLIC_BASE_URL: PUBLIC } })
  team = staff(s)
})
afterEach(() => s.close())

const add = (url: string, store = 'IOS_STORE') => team.as('ADMIN').post('/notification-forwards', { store, url })
const list = async () => (await team.as('CUSTOMER_SUPPORT').get('/notification-forwards')).body.data.items
const urls = async () => (await list()).map(({ url }: { url: string }) => url)
const rows = async () => {
  const { notificationForwards, deliveryTargets, auditLog, storeSettings } = s.ctx.tables
  const tables = [notificationForwards, deliveryTargets, auditLog, storeSettings]
  return JSON.stringify(await Promise.all(tables.map((table) => s.ctx.db.select().from(table))))
}
const refusal = ({ status, body }: Answer) => [status, body.error?.code, body.error?.details]

/** Status, code and details of a call that wrote nothing. */
async function refused(call: () => Promise<Answer>): Promise<unknown[]> {
  const before = await rows()
  const answer = await call()
  expect(await rows()).toBe(before)
  return refusal(answer)
}

describe('a forward', () => {
  test('is made, listed and deleted', async () => {
    const { status, body } = await add(at('apple'))
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(String),
      store: 'IOS_STORE',
      url: at('apple'),
      lastStatus: null,
      lastAt: null,
      failures24h: 0,
      createdAt: '2026-11-20T08:00:00.000Z',
      updatedAt: '2026-11-20T08:00:00.000Z',
    })
    expect(body.data.id).toMatch(/^nfw_[0-9a-z]{26}$/)
    expect(await list()).toEqual([body.data])
    const gone = await team.as('ADMIN').delete(`/notification-forwards/${body.data.id}`)
    expect([gone.status, gone.body]).toEqual([200, { data: { deleted: true } }])
    expect(await list()).toEqual([])
    expect(refusal(await team.as('ADMIN').delete(`/notification-forwards/${body.data.id}`))[0]).toBe(404)
  })

  test('writes one audit row when it is made, and one when it is deleted', async () => {
    const { id } = (await add(at('apple'))).body.data
    await team.as('ADMIN').delete(`/notification-forwards/${id}`)
    const audit = await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)
    const image = { store: 'IOS_STORE', url: at('apple') }
    expect(audit.map(({ action, target, before, after }) => ({ action, target, before, after }))).toEqual([
      { action: 'notificationForward.create', target: { type: 'notificationForward', id }, before: null, after: image },
      { action: 'notificationForward.delete', target: { type: 'notificationForward', id }, before: image, after: null },
    ])
  })

  test('is listed newest first, in pages', async () => {
    for (const path of ['a', 'b', 'c']) {
      s.ctx.clock.advance(MINUTE)
      await add(at(path))
    }
    const read = async (query: string) => (await team.as('GROWTH').get(`/notification-forwards${query}`)).body.data
    const first = await read('?limit=2')
    expect(first.items.map(({ url }: { url: string }) => url)).toEqual([at('c'), at('b')])
    const second = await read(`?limit=2&cursor=${first.nextCursor}`)
    expect([second.items.map(({ url }: { url: string }) => url), second.nextCursor]).toEqual([[at('a')], null])
  })

  test('of another project is not found, and not listed', async () => {
    const { id } = (await add(at('apple'))).body.data
    const { sessions } = team
    sessions.roles.set(`usr_admin ${s.other.id}`, 'ADMIN')
    const of = { projectId: s.other.id }
    expect((await team.as('ADMIN').get('/notification-forwards', of)).body.data.items).toEqual([])
    for (const wrong of [id, 'nfw_', 'nfw_%00', `x${id}`])
      expect(await refused(() => team.as('ADMIN').delete(`/notification-forwards/${wrong}`, of))).toEqual([
        404,
        'NOT_FOUND',
        undefined,
      ])
    expect(await urls()).toEqual([at('apple')])
  })

  test('is not deleted by someone who has seen another revision', async () => {
    const { id } = (await add(at('apple'))).body.data
    const headers = { 'if-match': '"2"' }
    const [status, code] = await refused(() => team.as('ADMIN').delete(`/notification-forwards/${id}`, { headers }))
    expect([status, code]).toEqual([409, 'CONFLICT'])
  })
})

describe('a forward is refused', () => {
  const CASES: [name: string, url: string, reason: string][] = [
    ['that is no address', 'nonsense', 'malformed'],
    ['over another protocol', 'ftp://example.com/a', 'scheme'],
    ['with a user name', 'https://me:pw@example.com/a', 'userinfo'],
    ['without encryption', 'http://93.184.216.34/a', 'insecure'],
    ['with a secret in its query', at('a?token=1'), 'credentials_shape'],
    ['to a name that is never public', 'https://printer.local/a', 'host_not_allowed'],
    ['to this machine', 'https://127.0.0.1/a', 'private_address'],
    ['to this machine, in one number', 'https://2130706433/a', 'private_address'],
    ['to a private network in IPv6', 'https://[::ffff:10.0.0.1]/a', 'private_address'],
    ['to a reserved address', 'https://192.0.2.1/a', 'not_routable'],
    ['to a name that nobody knows', 'https://nobody.invalid/a', 'unresolvable'],
  ]
  for (const [name, url, reason] of CASES)
    test(name, async () => {
      expect(await refused(() => add(url))).toEqual([400, 'WEBHOOK_URL_REJECTED', { reason }])
    })

  test('that makes the deployment send notifications to itself', async () => {
    Object.assign(s.ctx.config, { publicBaseUrl: 'https://93.184.216.34' })
    for (const path of [`webhooks/ios/${s.project.id}`, 'webhooks/payment/connect', '/webhooks/x', 'WEBHOOKS/ios/a']) {
      const answer = await add(at(path))
      expect(refusal(answer)).toEqual([400, 'WEBHOOK_URL_REJECTED', { reason: 'host_not_allowed' }])
      expect(answer.body.error.message).toContain('a notification address of this deployment')
    }
    expect(await list()).toEqual([])
    expect((await add(at('elsewhere'))).status).toBe(201)
  })

  test('twice for one store, also when it is spelled otherwise', async () => {
    await add(at(''))
    for (const url of [at(''), 'https://93.184.216.34', 'HTTPS://93.184.216.34:443/'])
      expect((await refused(() => add(url))).slice(0, 2)).toEqual([409, 'CONFLICT'])
    expect(await urls()).toEqual([at('')])
  })

  test('as the sixth of a store; another store has five of its own', async () => {
    await s.ctx.db
      .insert(s.ctx.tables.storeSettings)
      .values({ projectId: s.project.id, section: 'android', config: {}, createdAt: 1, updatedAt: 1 })
    for (let count = 0; count < 5; count++) expect((await add(at(`${count}`))).status).toBe(201)
    expect(await refused(() => add(at('6')))).toEqual([
      409,
      'NOTIFICATION_FORWARD_LIMIT',
      { store: 'IOS_STORE', max: 5 },
    ])
    // The address that is there is named first.
    expect((await refused(() => add(at('0')))).slice(0, 2)).toEqual([409, 'CONFLICT'])
    expect((await add(at('6'), 'ANDROID_STORE')).status).toBe(201)
  })

  test('as the sixth when two are made at the same time', async () => {
    for (let count = 0; count < 4; count++) await add(at(`${count}`))
    const answers = await Promise.all([add(at('a')), add(at('b'))])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(await list()).toHaveLength(5)
  })

  test('twice when the same is made at the same time', async () => {
    const answers = await Promise.all([add(at('a')), add(at('a'))])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(await list()).toHaveLength(1)
  })

  test('for a store that is not set up, because no project file could contain it', async () => {
    expect((await refused(() => add(at('a'), 'PAYMENT'))).slice(0, 2)).toEqual([400, 'STORE_NOT_CONFIGURED'])
    // The address is wrong whatever the store.
    expect((await refused(() => add('nonsense', 'PAYMENT')))[1]).toBe('WEBHOOK_URL_REJECTED')
  })

  const BODIES: [name: string, body: unknown][] = [
    ['nothing', {}],
    ['no address', { store: 'IOS_STORE' }],
    ['no store', { url: at('a') }],
    ['an unknown store', { store: 'MANUAL', url: at('a') }],
    ['a store in lower case', { store: 'ios', url: at('a') }],
    ['an address that is no text', { store: 'IOS_STORE', url: 1 }],
    ['an address that is too long', { store: 'IOS_STORE', url: at('a'.repeat(2048)) }],
    ['an unknown member', { store: 'IOS_STORE', url: at('a'), id: 'nfw_1' }],
  ]
  for (const [name, body] of BODIES)
    test(`with a body of ${name}`, async () => {
      const call = () => team.as('ADMIN').post('/notification-forwards', body)
      expect((await refused(call)).slice(0, 2)).toEqual([400, 'VALIDATION_ERROR'])
    })

  test('from members below the role ADMIN', async () => {
    const { id } = (await add(at('apple'))).body.data
    for (const role of ['CUSTOMER_SUPPORT', 'GROWTH', 'DEVELOPER'] as const) {
      // The role is judged before the body.
      expect((await refused(() => team.as(role).post('/notification-forwards', {}))).slice(0, 2)).toEqual([
        403,
        'ROLE_REQUIRED',
      ])
      expect((await refused(() => team.as(role).delete(`/notification-forwards/${id}`)))[1]).toBe('ROLE_REQUIRED')
    }
  })

  test('in a list with a wrong query', async () => {
    for (const query of ['?limit=0', '?limit=201', '?cursor=x', '?store=IOS_STORE'])
      expect(refusal(await team.as('OWNER').get(`/notification-forwards${query}`))[1]).toBe('VALIDATION_ERROR')
  })
})

describe('the project file', () => {
  const file = async (): Promise<string> => (await team.as('OWNER').get('/project-file')).body.data.yaml
  const plan = async (yaml: string) => (await team.as('OWNER').post('/project-file/plan', { file: yaml })).body.data
  const apply = (yaml: string) => team.as('OWNER').post('/project-file/apply', { file: yaml })
  const listed = (...all: string[]) =>
    `version: 1\nstores:\n  ios: { bundleId: com.example.sleep, notificationForwards: [${all.join(', ')}] }\n`

  test('lists what was made in the dashboard, in its order, and applies to no changes', async () => {
    for (const path of ['b', 'a', 'c']) await add(at(path))
    const yaml = await file()
    expect(yaml).toContain(`notificationForwards: [${at('b')}, ${at('a')}, ${at('c')}]`)
    const before = await rows()
    expect((await plan(yaml)).lines).toEqual(['no changes'])
    expect((await apply(yaml)).status).toBe(200)
    expect(await rows()).toBe(before)
  })

  test('makes and deletes forwards; one that stays keeps its id', async () => {
    await add(at('gone'))
    const { id } = (await add(at('kept'))).body.data
    await apply(listed(at('new'), at('kept')))
    const found = await list()
    expect(new Set(await urls())).toEqual(new Set([at('new'), at('kept')]))
    expect(found.find(({ url }: { url: string }) => url === at('kept')).id).toBe(id)
    expect(await file()).toContain(`notificationForwards: [${at('new')}, ${at('kept')}]`)
    const targets = await s.ctx.db.select().from(s.ctx.tables.deliveryTargets)
    expect(targets.map(({ targetId }) => targetId).toSorted()).toEqual(
      found.map((one: { id: string }) => one.id).toSorted(),
    )
  })

  test('changes their order', async () => {
    await apply(listed(at('a'), at('b')))
    await apply(listed(at('b'), at('a')))
    expect(await file()).toContain(`[${at('b')}, ${at('a')}]`)
  })

  test('without the list deletes them, as absent members have their defaults', async () => {
    await add(at('a'))
    await apply('version: 1\nstores:\n  ios: { bundleId: com.example.sleep }\n')
    expect(await list()).toEqual([])
  })

  test('names the address that it refuses, and writes nothing', async () => {
    Object.assign(s.ctx.config, { publicBaseUrl: 'https://93.184.216.34' })
    const wrong: [url: string, reason: string][] = [
      ['https://127.0.0.1/a', 'private_address'],
      ['http://127.0.0.1/a', 'insecure'],
      [at('a?token=1'), 'credentials_shape'],
      [at('webhooks/ios/x'), 'host_not_allowed'],
      ['https://me@example.com', 'userinfo'],
    ]
    for (const [url, reason] of wrong) {
      const before = await rows()
      const { problems } = await plan(listed(at('fine'), `"${url}"`))
      expect(problems).toEqual([
        expect.objectContaining({
          path: 'stores.ios.notificationForwards[1]',
          code: 'WEBHOOK_URL_REJECTED',
          details: { reason },
        }),
      ])
      await apply(listed(at('fine'), `"${url}"`))
      expect(await rows()).toBe(before)
    }
  })

  test('of a store that is removed takes the forwards with it', async () => {
    await add(at('a'))
    expect((await team.as('OWNER').delete('/credentials/ios')).status).toBe(200)
    expect(await list()).toEqual([])
    expect(await s.ctx.db.select().from(s.ctx.tables.deliveryTargets)).toEqual([])
  })
})

describe('a list that an earlier version has saved in the settings', () => {
  const OLD = ['https://old.example/b', 'https://old.example/a?token=was-taken']
  beforeEach(async () => {
    const { storeSettings: t } = s.ctx.tables
    const config = { bundleId: 'com.example.sleep', notificationForwards: OLD }
    await s.ctx.write((tx) => tx.db.update(t).set({ config }).where(eq(t.projectId, s.project.id)))
    s.ctx.state.projects.forget(s.project.id)
  })

  test('is exported as before, and applies to no changes', async () => {
    const { yaml } = (await team.as('OWNER').get('/project-file')).body.data
    expect(yaml).toContain(`notificationForwards: [${OLD.join(', ')}]`)
    const { lines } = (await team.as('OWNER').post('/project-file/plan', { file: yaml })).body.data
    expect(lines).toEqual(['no changes'])
  })

  test('gets ids that stay', async () => {
    const found = await list()
    expect(new Set(await urls())).toEqual(new Set(OLD))
    expect(await list()).toEqual(found)
    expect(await s.ctx.db.select().from(s.ctx.tables.auditLog).orderBy(s.ctx.tables.auditLog.position)).toEqual([])
    const { yaml } = (await team.as('OWNER').get('/project-file')).body.data
    expect(yaml).toContain(`notificationForwards: [${OLD.join(', ')}]`)
  })

  test('counts for the limit, and stays when one more is made', async () => {
    expect((await add(OLD[0] ?? '')).status).toBe(400) // Nobody knows the name.
    for (const path of ['1', '2', '3']) expect((await add(at(path))).status).toBe(201)
    expect(refusal(await add(at('4')))[1]).toBe('NOTIFICATION_FORWARD_LIMIT')
    expect(new Set(await urls())).toEqual(new Set([...OLD, at('1'), at('2'), at('3')]))
  })

  test('loses one that is deleted, and no other', async () => {
    const [first] = await list()
    await team.as('ADMIN').delete(`/notification-forwards/${first.id}`)
    expect(await urls()).toEqual(OLD.filter((url) => url !== first.url))
  })
})
