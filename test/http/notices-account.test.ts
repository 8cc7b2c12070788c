import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { accountSessions } from '../../src/operators/accounts/session-store'
import { hashAddress, suppress } from '../../src/operators/mail/suppression'
import { notify } from '../../src/operators/notices/notify'
import { noticeRetention } from '../../src/operators/notices/retention'
import { type Stage, stage } from '../support/cast'
import { arrive } from '../support/crew'
import { type StaffRole, staff, staffId } from '../support/staff'

let s: Stage
beforeEach(async () => {
  s = await stage()
  staff(s)
})
afterEach(() => s.close())

const call = (role: StaffRole, method: string, path: string, body?: unknown) =>
  s.call(method, `/dashboard${path}`, {
    key: null,
    headers: { cookie: `svc_session=${role}`, origin: 'http://localhost' },
    ...(body === undefined ? {} : { body }),
  })
const get = (path: string, role: StaffRole = 'OWNER') => call(role, 'GET', path)
const post = (path: string, body: unknown = {}, role: StaffRole = 'OWNER') => call(role, 'POST', path, body)
const patch = (body: unknown, role: StaffRole = 'OWNER') => call(role, 'PATCH', '/notifications/preferences', body)

const emailOf = (role: StaffRole) => `${staffId(role)}@example.com`
const tell = (role: StaffRole, title = 'Hello') =>
  s.ctx.write((tx) =>
    notify(tx, {
      kind: 'scheduled_action_failed',
      projectId: s.project.id,
      people: [{ userId: staffId(role), email: emailOf(role) }],
      title,
      body: 'It happened.',
      mail: {},
    }),
  )
const mails = () => s.ctx.db.select().from(s.ctx.tables.mails)
const ON = { email: true, push: true, inapp: true }

const ROUTES: [method: string, path: string, body: object | undefined][] = [
  ['GET', '/notifications', undefined],
  ['GET', '/notifications/unread-count', undefined],
  ['POST', '/notifications/ntc_1/read', {}],
  ['POST', '/notifications/read-all', {}],
  ['GET', '/notifications/preferences', undefined],
  ['PATCH', '/notifications/preferences', {}],
  ['POST', '/notifications/test', {}],
  ['GET', '/push-devices', undefined],
  ['POST', '/push-devices', { token: 't', platform: 'ios' }],
  ['DELETE', '/push-devices/psd_1', undefined],
]

test.each(ROUTES)('%s %s needs somebody who is signed in, on a page of the dashboard', async (method, path, body) => {
  const ask = (headers: Record<string, string>) =>
    s.call(method, `/dashboard${path}`, { key: null, headers, ...(body === undefined ? {} : { body }) })
  expect((await ask({})).status).toBe(401)
  expect((await ask({ cookie: 'svc_session=nobody', origin: 'http://localhost' })).status).toBe(401)
  const foreign = await ask({ cookie: 'svc_session=OWNER', origin: 'https://evil.example' })
  if (method !== 'GET') expect(foreign.status).toBe(403)
  expect(await mails()).toEqual([])
})

describe('notices', () => {
  test('are listed newest first, in pages, and only to their reader', async () => {
    for (const title of ['one', 'two', 'three']) await tell('OWNER', title)
    await tell('ADMIN', 'for the administrator')
    const first = (await get('/notifications?limit=2')).body.data
    expect(first.items.map(({ title }: { title: string }) => title)).toEqual(['three', 'two'])
    const second = (await get(`/notifications?limit=2&cursor=${first.nextCursor}`)).body.data
    expect(second).toMatchObject({ items: [{ title: 'one', readAt: null, projectId: s.project.id }], nextCursor: null })
    expect((await get(`/notifications?cursor=${first.nextCursor}`, 'ADMIN')).status).toBe(400)
    expect((await get('/notifications', 'ADMIN')).body.data.items).toHaveLength(1)
    expect((await get('/notifications', 'STRANGER')).body.data).toEqual({ items: [], nextCursor: null })
  })

  test.each(['?limit=0', '?limit=201', '?limit=x', '?cursor=x', '?other=1'])('refuse %s', async (query) => {
    expect((await get(`/notifications${query}`)).status).toBe(400)
    expect((await get(`/push-devices${query}`)).status).toBe(400)
  })

  test('are read one by one, or all together, by their reader', async () => {
    await tell('OWNER', 'one')
    await tell('OWNER', 'two')
    await tell('ADMIN')
    const { items } = (await get('/notifications')).body.data
    const count = async (role: StaffRole) => (await get('/notifications/unread-count', role)).body.data.count
    expect(await count('OWNER')).toBe(2)
    const read = await post(`/notifications/${items[0].id}/read`)
    expect(read.body.data).toEqual({ ...items[0], readAt: expect.any(String) })
    s.ctx.clock.advance(MINUTE)
    expect((await post(`/notifications/${items[0].id}/read`)).body).toEqual(read.body)
    expect(await count('OWNER')).toBe(1)
    expect((await post('/notifications/read-all')).body).toEqual({ data: { read: 1 } })
    expect((await post('/notifications/read-all')).body).toEqual({ data: { read: 0 } })
    expect([await count('OWNER'), await count('ADMIN')]).toEqual([0, 1])
  })

  test('of somebody else are not found, and stay unread', async () => {
    await tell('OWNER')
    const { id } = (await get('/notifications')).body.data.items[0]
    const other = await post(`/notifications/${id}/read`, {}, 'ADMIN')
    const unknown = await post('/notifications/ntc_nobody/read', {}, 'ADMIN')
    expect(unknown.body.error.message).toBe('There is no notice ntc_nobody')
    expect([other.status, other.body.error.message]).toEqual([404, `There is no notice ${id}`])
    for (const damaged of ['%00', '%ff']) expect((await post(`/notifications/${damaged}/read`)).status).toBe(404)
    expect((await post(`/notifications/${id}/read`, { other: 1 })).status).toBe(400)
    expect((await get('/notifications/unread-count')).body.data.count).toBe(1)
  })

  test('are forgotten after 90 days', async () => {
    await tell('OWNER')
    s.ctx.clock.advance(90 * DAY)
    await noticeRetention.sweep(s.ctx, () => false)
    expect(await s.ctx.db.select().from(s.ctx.tables.notices)).toHaveLength(1)
    s.ctx.clock.advance(1)
    await noticeRetention.sweep(s.ctx, () => false)
    expect(await s.ctx.db.select().from(s.ctx.tables.notices)).toHaveLength(0)
  })
})

describe('preferences', () => {
  test('begin with everything on, and keep what was not named', async () => {
    const kinds = {
      ...{ scheduled_action_failed: ON, integration_disabled: ON, webhook_disabled: ON, export_failed: ON },
      ...{ import_ended: ON, comparison_differs: ON, audit_head: ON, certificate_ends: ON, domain_lost: ON },
      ...{ 'usage.alert': ON, 'assistant.intent': ON },
    }
    expect((await get('/notifications/preferences')).body).toEqual({ data: { channels: ON, kinds } })
    await patch({ channels: { push: false } })
    const changed = await patch({ kinds: { scheduled_action_failed: { email: false } } })
    const data = {
      channels: { ...ON, push: false },
      kinds: { ...kinds, scheduled_action_failed: { ...ON, email: false } },
    }
    expect(changed.body).toEqual({ data })
    expect((await get('/notifications/preferences')).body).toEqual({ data })
    expect((await get('/notifications/preferences', 'ADMIN')).body.data).toEqual({ channels: ON, kinds })
  })

  test.each<[body: object]>([
    [{ channels: { sms: true } }],
    [{ channels: { email: 1 } }],
    [{ channels: { email: null } }],
    [{ channels: null }],
    [{ kinds: { unknown: { email: false } } }],
    [{ kinds: { scheduled_action_failed: false } }],
    [{ kinds: { constructor: { email: false } } }],
    [{ other: true }],
  ])('refuse %j', async (body) => {
    expect((await patch(body)).status).toBe(400)
    expect(await s.ctx.db.select().from(s.ctx.tables.notificationPreferences)).toEqual([])
  })

  test('decide about each channel apart', async () => {
    await patch({ channels: { email: false } })
    expect(await tell('OWNER')).toEqual({ inapp: 1, email: 0 })
    await patch({ channels: { email: true }, kinds: { scheduled_action_failed: { inapp: false } } })
    expect(await tell('OWNER')).toEqual({ inapp: 0, email: 1 })
    await patch({ kinds: { scheduled_action_failed: { email: false } } })
    expect(await tell('OWNER')).toEqual({ inapp: 0, email: 0 })
    expect(await mails()).toHaveLength(1)
  })

  test('show an address that has unsubscribed, and take it back', async () => {
    const addressHash = hashAddress(emailOf('OWNER'))
    await suppress(s.ctx, [{ addressHash, reason: 'UNSUBSCRIBED' }])
    await suppress(s.ctx, [{ addressHash, reason: 'BOUNCED' }])
    const isOn = async () => (await get('/notifications/preferences')).body.data.channels.email
    expect(await isOn()).toBe(false)
    await patch({ channels: { push: true } })
    await patch({ channels: { email: true } }, 'ADMIN')
    expect(await isOn()).toBe(false)
    await patch({ channels: { email: true } })
    expect(await isOn()).toBe(true)
    const rows = await s.ctx.db.select().from(s.ctx.tables.mailSuppressions)
    expect(rows.map(({ reason }) => reason)).toEqual(['BOUNCED'])
  })

  test('of two changes at once both are kept', async () => {
    await Promise.all([patch({ channels: { push: false } }), patch({ channels: { inapp: false } })])
    expect((await get('/notifications/preferences')).body.data.channels).toEqual({
      email: true,
      push: false,
      inapp: false,
    })
  })
})

describe('a test', () => {
  test('writes a notice and a mail to the one who asks', async () => {
    expect((await post('/notifications/test')).body).toEqual({ data: { inapp: true, email: true, push: false } })
    expect((await mails()).map(({ toAddress, kind }) => [toAddress, kind])).toEqual([[emailOf('OWNER'), 'test']])
    expect((await get('/notifications')).body.data.items).toMatchObject([{ kind: 'test', projectId: null }])
    await patch({ channels: { email: false, inapp: false } })
    expect((await post('/notifications/test')).body).toEqual({ data: { inapp: false, email: false, push: false } })
  })

  test('is limited for each person', async () => {
    for (let index = 0; index < 10; index++) expect((await post('/notifications/test')).status).toBe(200)
    const limited = await post('/notifications/test')
    expect([limited.status, limited.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(limited.headers.get('retry-after')).toBe('60')
    expect(await mails()).toHaveLength(10)
    expect((await post('/notifications/test', {}, 'ADMIN')).status).toBe(200)
    s.ctx.clock.advance(MINUTE)
    expect((await post('/notifications/test')).status).toBe(200)
  })
})

describe('push devices', () => {
  const add = (token: string, role: StaffRole = 'OWNER', platform = 'ios') =>
    post('/push-devices', { token, platform }, role)

  test('are registered, listed and forgotten', async () => {
    const added = await add('token-abcd')
    expect(added.status).toBe(201)
    expect(added.body.data).toEqual({
      id: expect.stringMatching(/^psd_/),
      platform: 'ios',
      tokenLast4: 'abcd',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await get('/push-devices')).body.data).toEqual({ items: [added.body.data], nextCursor: null })
    const { id } = added.body.data
    expect((await call('ADMIN', 'DELETE', `/push-devices/${id}`)).status).toBe(404)
    expect((await call('OWNER', 'DELETE', `/push-devices/${id}`)).body).toEqual({ data: { deleted: true } })
    expect((await call('OWNER', 'DELETE', `/push-devices/${id}`)).status).toBe(404)
  })

  test('of the same token are one, of whoever registered it last', async () => {
    const { id } = (await add('same')).body.data
    expect((await add('same', 'OWNER', 'web')).body.data).toMatchObject({ id, platform: 'web' })
    expect((await add('same', 'ADMIN')).body.data.id).toBe(id)
    expect((await get('/push-devices')).body.data.items).toEqual([])
    expect((await get('/push-devices', 'ADMIN')).body.data.items).toHaveLength(1)
  })

  test.each([
    {},
    { token: 't' },
    { platform: 'ios' },
    { token: '', platform: 'ios' },
    { token: 'x'.repeat(4097), platform: 'ios' },
    { token: 't', platform: 'IOS' },
    { token: 7, platform: 'ios' },
    { token: 't', platform: 'ios', userId: 'usr_admin' },
  ])('refuse %j', async (body) => {
    expect((await post('/push-devices', body)).status).toBe(400)
    expect((await get('/push-devices')).body.data.items).toEqual([])
  })

  test('are at most 20, and change at most 10 times a minute', async () => {
    for (let index = 0; index < 21; index++) {
      if (index % 10 === 0) s.ctx.clock.advance(MINUTE)
      expect((await add(`token-${index}`)).status).toBe(201)
    }
    const { items } = (await get('/push-devices')).body.data
    expect(items).toHaveLength(20)
    expect(items.map(({ tokenLast4 }: { tokenLast4: string }) => tokenLast4)).not.toContain('en-0')
    s.ctx.clock.advance(MINUTE)
    for (let index = 0; index < 10; index++) expect((await add('same')).status).toBe(201)
    expect((await add('same')).status).toBe(429)
    expect((await call('OWNER', 'DELETE', `/push-devices/${items[0].id}`)).status).toBe(429)
    expect((await get('/push-devices')).status).toBe(200)
  })
})

test('all of it is forgotten with the account, and nothing of anybody else', async () => {
  s.ctx.state.sessions = accountSessions(s.ctx)
  const [ada, bo] = [await arrive(s, 'ada'), await arrive(s, 'bo')]
  for (const { id, email, browser } of [ada, bo]) {
    const people = [{ userId: id, email }]
    const notice = { kind: 'other', projectId: null, people, title: 'Hello', body: 'It happened.' }
    await s.ctx.write((tx) => notify(tx, notice))
    await browser.patch('/dashboard/notifications/preferences', { channels: { email: false } })
    expect((await browser.post('/dashboard/push-devices', { token: id, platform: 'ios' })).status).toBe(201)
  }
  expect((await ada.browser.delete('/dashboard/me', { confirmEmail: ada.email })).status).toBe(200)
  const { notices, notificationPreferences, pushDevices } = s.ctx.tables
  for (const table of [notices, notificationPreferences, pushDevices])
    expect((await s.ctx.db.select({ userId: table.userId }).from(table)).map(({ userId }) => userId)).toEqual([bo.id])
})

test('an Idempotency-Key makes a test run once', async () => {
  const headers = { cookie: 'svc_session=OWNER', origin: 'http://localhost', 'idempotency-key': 'once' }
  const once = () => s.call('POST', '/dashboard/notifications/test', { key: null, headers, body: {} })
  expect((await once()).status).toBe(200)
  expect((await once()).headers.get('idempotent-replay')).toBe('true')
  expect(await mails()).toHaveLength(1)
})
