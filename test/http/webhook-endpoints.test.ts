import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Answer, type Stage, stage } from '../support/cast'
import { auditRows, changes, dataOf, ifMatch, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let support: StaffCalls
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  support = staff(s).as('CUSTOMER_SUPPORT')
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE))
afterAll(() => s.close())

const PATH = '/webhook-endpoints'
const URL_OK = 'https://8.8.8.8/hooks'
let count = 0
const body = (more: Record<string, unknown> = {}) => ({
  ...{ name: `hook ${++count}`, url: URL_OK, eventTypes: ['purchase.*', 'entitlement.granted'] },
  ...more,
})
const made = (more: Record<string, unknown> = {}) => dataOf(dev.post(PATH, body(more)))
const listed = async () => (await dataOf(support.get(`${PATH}?limit=200`))).items
const remove = (id: string) => dataOf(dev.delete(`${PATH}/${id}`))

/** A project has at most ten, so each test leaves none. */
beforeEach(async () => {
  for (const { id } of await listed()) await remove(id)
})

describe('an endpoint', () => {
  test('is made, read, changed and deleted, each with one audit row', async () => {
    const wanted = body()
    const { secret, ...created } = await changes(s, () => dev.post(PATH, wanted), ['webhookEndpoint.create'], 201)
    expect(created).toEqual({
      ...wanted,
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      environments: ['PRODUCTION', 'SANDBOX'],
      ordered: false,
      format: 'standard',
      isEnabled: true,
      disabledReason: null,
      secretLast4: secret.slice(-4),
      previousValidUntil: null,
      successRate24h: null,
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: created.createdAt,
    })
    expect(await dataOf(support.get(`${PATH}/${created.id}`))).toEqual(created)
    expect(await listed()).toEqual([created])
    const change = { ordered: true, environments: ['SANDBOX'], eventTypes: ['*'], isEnabled: false }
    const changed = await changes(s, () => dev.patch(`${PATH}/${created.id}`, change), ['webhookEndpoint.update'])
    expect(changed).toEqual({ ...created, ...change, revision: 2, updatedAt: expect.any(String) })
    expect(await changes(s, () => dev.patch(`${PATH}/${created.id}`, change), [])).toEqual(changed)
    await changes(s, () => dev.delete(`${PATH}/${created.id}`), ['webhookEndpoint.delete'])
    for (const call of [
      () => dev.delete(`${PATH}/${created.id}`),
      () => dev.patch(`${PATH}/${created.id}`, change),
      () => dev.get(`${PATH}/${created.id}`),
      () => dev.post(`${PATH}/${created.id}/rotate-secret`),
      () => dev.post(`${PATH}/${created.id}/test`),
    ])
      await refused(s, call, 404, 'NOT_FOUND')
  })

  test('has a signing secret of 32 random bytes of its own', async () => {
    const secrets = [(await made()).secret, (await made()).secret]
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    }
    expect(secrets[0]).not.toBe(secrets[1])
  })

  test('does not exist unsigned: without a master key none can be made', async () => {
    const bare = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const call = staff(bare).as('DEVELOPER')
    const details = await refused(bare, () => call.post(PATH, body()), 503, 'FEATURE_NOT_CONFIGURED')
    expect(details).toEqual({ feature: 'credential_encryption' })
    expect((await dataOf(call.get(PATH))).items).toEqual([])
    await bare.close()
  })

  test('is not overwritten by somebody who has not seen the last change', async () => {
    const { id, updatedAt } = await made()
    const newer = { revision: 1, updatedBy: 'usr_developer@example.com', updatedAt }
    expect(await refused(s, () => dev.patch(`${PATH}/${id}`, { ordered: true }, ifMatch(2)), 409, 'CONFLICT')).toEqual(
      newer,
    )
    await refused(s, () => dev.delete(`${PATH}/${id}`, ifMatch(2)), 409, 'CONFLICT')
    await refused(s, () => dev.post(`${PATH}/${id}/rotate-secret`, {}, ifMatch(2)), 409, 'CONFLICT')
    const both = await Promise.all([
      dev.patch(`${PATH}/${id}`, { ordered: true }, ifMatch(1)),
      dev.patch(`${PATH}/${id}`, { format: 'revenuecat' }, ifMatch(1)),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('of another project, or with a damaged id, is not found and not listed', async () => {
    const team = staff(s)
    team.sessions.roles.set(`usr_developer ${s.other.id}`, 'DEVELOPER')
    const call = team.as('DEVELOPER')
    const { id } = await dataOf(call.post(PATH, body(), { projectId: s.other.id }))
    for (const other of [id, 'damaged', '%20', 'x'.repeat(300)]) {
      await refused(s, () => call.get(`${PATH}/${other}`), 404, 'NOT_FOUND')
      await refused(s, () => call.patch(`${PATH}/${other}`, { ordered: true }), 404, 'NOT_FOUND')
      await refused(s, () => call.delete(`${PATH}/${other}`), 404, 'NOT_FOUND')
      await refused(s, () => call.post(`${PATH}/${other}/rotate-secret`), 404, 'NOT_FOUND')
      await refused(s, () => call.post(`${PATH}/${other}/test`), 404, 'NOT_FOUND')
    }
    expect(await listed()).toEqual([])
    await dataOf(call.delete(`${PATH}/${id}`, { projectId: s.other.id }))
  })

  test('is found by the search', async () => {
    const { id } = await made({ name: 'Warehouse' })
    const { items } = await dataOf(support.get('/search?q=ware'))
    expect(items).toContainEqual({ kind: 'endpoint', id, title: 'Warehouse', subtitle: null })
  })
})

describe('the limit of ten', () => {
  test('refuses the eleventh, also when many come at once, and counts each project by itself', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => dev.post(PATH, body())))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(201), 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error).toMatchObject({
      code: 'WEBHOOK_ENDPOINT_LIMIT',
      details: { limit: 10 },
    })
    expect(await listed()).toHaveLength(10)
    await refused(s, () => dev.post(PATH, body()), 409, 'WEBHOOK_ENDPOINT_LIMIT')
    const team = staff(s)
    team.sessions.roles.set(`usr_developer ${s.other.id}`, 'DEVELOPER')
    const other = await dataOf(team.as('DEVELOPER').post(PATH, body(), { projectId: s.other.id }))
    await dataOf(team.as('DEVELOPER').delete(`${PATH}/${other.id}`, { projectId: s.other.id }))
    const [{ id }] = await listed()
    await remove(id)
    await made()
  })
})

describe('what is refused', () => {
  const REASONS: [url: string, reason: string][] = [
    ['hooks', 'malformed'],
    ['https://', 'malformed'],
    ['ftp://example.com/x', 'scheme'],
    ['javascript://example.com/%0aalert(1)', 'scheme'],
    ['https://ada:pw@example.com/x', 'userinfo'],
    ['http://8.8.8.8/x', 'insecure'],
    ['http://127.0.0.1/x', 'insecure'],
    ['https://8.8.8.8/x?token=abc', 'credentials_shape'],
    ['https://8.8.8.8/x?k=sk_live_1', 'credentials_shape'],
    ['https://localhost/x', 'host_not_allowed'],
    ['https://printer.local/x', 'host_not_allowed'],
    ['https://db.internal/x', 'host_not_allowed'],
    ['https://intranet/x', 'host_not_allowed'],
    ['https://127.0.0.1/x', 'private_address'],
    ['https://2130706433/x', 'private_address'],
    ['https://0x7f.1/x', 'private_address'],
    ['https://10.0.0.1/x', 'private_address'],
    ['https://169.254.169.254/latest/meta-data', 'private_address'],
    ['https://100.64.0.1/x', 'private_address'],
    ['https://[::1]/x', 'private_address'],
    ['https://[::ffff:10.0.0.1]/x', 'private_address'],
    ['https://[64:ff9b::a00:1]/x', 'private_address'],
    ['https://[fd00::1]/x', 'private_address'],
    ['https://0.0.0.0/x', 'not_routable'],
    ['https://224.0.0.1/x', 'not_routable'],
    ['https://192.0.2.1/x', 'not_routable'],
    ['https://no-such-host.invalid/x', 'unresolvable'],
  ]
  test.each(REASONS)('the address %s: %s', async (url, reason) => {
    expect(await refused(s, () => dev.post(PATH, body({ url })), 400, 'WEBHOOK_URL_REJECTED')).toEqual({ reason })
  })

  test('a change to a refused address, which leaves the endpoint as it was', async () => {
    const { secret: _secret, ...before } = await made()
    const change = { url: 'https://10.1.1.1/x', ordered: true }
    const details = await refused(s, () => dev.patch(`${PATH}/${before.id}`, change), 400, 'WEBHOOK_URL_REJECTED')
    expect(details).toEqual({ reason: 'private_address' })
    expect(await dataOf(support.get(`${PATH}/${before.id}`))).toEqual(before)
  })

  test('a name that is taken, when it is made and when it is changed; another project may have it', async () => {
    const [first, second] = [await made(), await made()]
    const taken = { resource: 'webhookEndpoint', identifier: first.name }
    expect(await refused(s, () => dev.post(PATH, body({ name: first.name })), 409, 'IDENTIFIER_TAKEN')).toEqual(taken)
    expect(
      await refused(s, () => dev.patch(`${PATH}/${second.id}`, { name: first.name }), 409, 'IDENTIFIER_TAKEN'),
    ).toEqual(taken)
    await changes(s, () => dev.patch(`${PATH}/${second.id}`, { name: second.name }), [])
    const same = { name: 'The same' }
    const both = await Promise.all([dev.post(PATH, body(same)), dev.post(PATH, body(same))])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('event types that do not exist, each with its place', async () => {
    for (const wrong of ['purchase', 'purchase.', 'purchase.re*', 'order.*', '**', 'Purchase.renewed', '*.renewed']) {
      const eventTypes = ['purchase.renewed', wrong]
      const details = await refused(s, () => dev.post(PATH, body({ eventTypes })), 400, 'VALIDATION_ERROR')
      expect([wrong, details]).toEqual([wrong, { fields: ['eventTypes[1]'] }])
    }
    const { id } = await made()
    await refused(s, () => dev.patch(`${PATH}/${id}`, { eventTypes: ['nothing.at_all'] }), 400, 'VALIDATION_ERROR')
  })

  test('wrong members', async () => {
    const { id } = await made()
    const wrong: Record<string, unknown>[] = [
      { name: '' },
      { name: '  ' },
      { name: '__proto__' },
      { name: 'a\nb' },
      { name: 'x'.repeat(256) },
      { name: 5 },
      { name: null },
      { url: '' },
      { url: null },
      { url: `https://8.8.8.8/${'x'.repeat(2048)}` },
      { eventTypes: [] },
      { eventTypes: 'purchase.*' },
      { eventTypes: Array.from({ length: 51 }, () => '*') },
      { environments: [] },
      { environments: ['PROD'] },
      { environments: ['PRODUCTION', 'SANDBOX', 'SANDBOX'] },
      { ordered: 'yes' },
      { format: 'other' },
      { isEnabled: 1 },
      { authorization: '' },
      { authorization: ' Bearer x' },
      { authorization: 'Bearer x\r\nx-more: 1' },
      { authorization: 'x'.repeat(501) },
      { authorization: 'schlüssel' },
      { secret: 'whsec_AAAA' },
      { disabledReason: null },
      { more: 1 },
    ]
    for (const members of wrong) {
      await refused(s, () => dev.post(PATH, body(members)), 400, 'VALIDATION_ERROR')
      await refused(s, () => dev.patch(`${PATH}/${id}`, members), 400, 'VALIDATION_ERROR')
    }
    for (const member of ['name', 'url', 'eventTypes'])
      await refused(s, () => dev.post(PATH, body({ [member]: undefined })), 400, 'VALIDATION_ERROR')
    for (const action of ['rotate-secret', 'test'])
      await refused(s, () => dev.post(`${PATH}/${id}/${action}`, { more: 1 }), 400, 'VALIDATION_ERROR')
  })

  test('event types and environments that are named twice count once', async () => {
    const created = await made({ eventTypes: ['*', '*'], environments: ['SANDBOX', 'SANDBOX'] })
    expect(created).toMatchObject({ eventTypes: ['*'], environments: ['SANDBOX'] })
    const order = { environments: ['SANDBOX', 'PRODUCTION'] }
    expect(await made(order)).toMatchObject({ environments: ['PRODUCTION', 'SANDBOX'] })
  })
})

describe('secrets', () => {
  const AUTHORIZATION = 'Bearer receiver-4711-secret'
  /** Everything that is stored, with what the log has. */
  const stored = async () => {
    const { tables } = s.ctx
    const found = await Promise.all(
      [tables.webhookEndpoints, tables.auditLog, tables.objectRevisions, tables.idempotencyKeys].map((table) =>
        s.ctx.db.select().from(table),
      ),
    )
    return JSON.stringify(found)
  }
  const answersOf = async (id: string) =>
    JSON.stringify([
      (await support.get(PATH)).body,
      (await support.get(`${PATH}/${id}`)).body,
      (await dev.patch(`${PATH}/${id}`, { ordered: true })).body,
      (await staff(s).as('ADMIN').get('/audit-log?limit=200')).body,
      (await support.get('/project-file')).body,
    ])

  test('are in the answers that make them, and in no other, in no audit row and in no row as text', async () => {
    const { id, secret } = await made({ authorization: AUTHORIZATION })
    const rotated = await dataOf(dev.post(`${PATH}/${id}/rotate-secret`))
    const texts = [await stored(), await answersOf(id)]
    for (const hidden of [secret, rotated.secret, AUTHORIZATION, secret.slice(6, 30), rotated.secret.slice(6, 30)])
      for (const text of texts) expect(text.includes(hidden)).toBe(false)
  })

  test('the audit log says that an authorization is there and that it is new', async () => {
    const { id } = await made({ authorization: AUTHORIZATION })
    const patch = (authorization: string | null) => () => dev.patch(`${PATH}/${id}`, { authorization })
    await changes(s, patch(AUTHORIZATION), [])
    await changes(s, patch('Bearer other'), ['webhookEndpoint.update'])
    await changes(s, patch(null), ['webhookEndpoint.update'])
    await changes(s, patch(null), [])
    const words = (await auditRows(s))
      .slice(-3)
      .map(({ before, after }) =>
        [before, after].map((image) => (image as { authorization: unknown } | null)?.authorization),
      )
    const expected: unknown[] = [
      [undefined, '(new)'],
      ['(saved)', '(new)'],
      ['(saved)', null],
    ]
    expect<unknown[]>(words).toEqual(expected)
  })

  test('a rotation shows another secret, and until when the one before signs too', async () => {
    const { id, secret } = await made()
    const rotated = await changes(s, () => dev.post(`${PATH}/${id}/rotate-secret`), ['webhookEndpoint.rotate'])
    expect(Object.keys(rotated)).toEqual(['secret', 'previousValidUntil'])
    expect(rotated.secret).not.toBe(secret)
    expect(Date.parse(rotated.previousValidUntil) - s.ctx.clock.now()).toBe(24 * 60 * MINUTE)
    const view = await dataOf(support.get(`${PATH}/${id}`))
    const { previousValidUntil } = rotated
    expect(view).toMatchObject({ secretLast4: rotated.secret.slice(-4), previousValidUntil, revision: 2 })
    expect((await listed())[0]).toEqual(view)
    expect(await dataOf(dev.patch(`${PATH}/${id}`, { ordered: true }))).toMatchObject({ previousValidUntil })
    s.ctx.clock.advance(24 * 60 * MINUTE)
    expect(await dataOf(support.get(`${PATH}/${id}`))).toMatchObject({ previousValidUntil: null })
  })

  test('a repeated Idempotency-Key makes one endpoint and one secret, and gives the same answer', async () => {
    const wanted = body({ authorization: AUTHORIZATION })
    const once = { headers: { 'idempotency-key': `once-${count}` } }
    const answers: Answer[] = [await dev.post(PATH, wanted, once), await dev.post(PATH, wanted, once)]
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await listed()).toHaveLength(1)
    expect((await stored()).includes(answers[0]?.body.data.secret)).toBe(false)
  })
})

test('only who may write webhooks writes them', async () => {
  const { id } = await made()
  for (const role of ['CUSTOMER_SUPPORT', 'GROWTH'] as const) {
    const call = staff(s).as(role)
    await refused(s, () => call.post(PATH, body()), 403, 'CAPABILITY_REQUIRED')
    await refused(s, () => call.patch(`${PATH}/${id}`, { ordered: true }), 403, 'CAPABILITY_REQUIRED')
    await refused(s, () => call.delete(`${PATH}/${id}`), 403, 'CAPABILITY_REQUIRED')
    await refused(s, () => call.post(`${PATH}/${id}/rotate-secret`), 403, 'CAPABILITY_REQUIRED')
    await refused(s, () => call.post(`${PATH}/${id}/test`), 403, 'CAPABILITY_REQUIRED')
  }
  await refused(s, () => staff(s).as('SUPPORT_READ').delete(`${PATH}/${id}`), 403, 'SUPPORT_ACCESS_READ_ONLY')
  await refused(s, () => staff(s).as('STRANGER').get(PATH), 404, 'NOT_FOUND')
})

test('a list is read in pages, newest first, and its cursor belongs to it', async () => {
  for (let more = 0; more < 5; more++) await made()
  const all = await listed()
  const first = await dataOf(support.get(`${PATH}?limit=3`))
  const rest = await dataOf(support.get(`${PATH}?limit=3&cursor=${first.nextCursor}`))
  expect([...first.items, ...rest.items]).toEqual(all)
  expect(rest.nextCursor).toBeNull()
  for (const url of [
    `/audiences?cursor=${first.nextCursor}`,
    `${PATH}?cursor=abc`,
    `${PATH}?limit=0`,
    `${PATH}?more=1`,
  ])
    await refused(s, () => support.get(url), 400, 'VALIDATION_ERROR')
})
