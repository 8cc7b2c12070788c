import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { MINUTE } from '../../src/base/lib/clock'
import { NO_TOOLS, READ_OPERATIONS } from '../../src/operators/assistant/tools/catalogue'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { dumpOf } from '../support/dump'
import { callTool, mcpClient, tokenOf } from '../support/mcp'

let s: Stage
let ada: Person
let helper: Person
let token: string
let helperToken: string
let subscriberId: string
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  ada = await join(s, 'ada', 'OWNER')
  helper = await join(s, 'helper', 'CUSTOMER_SUPPORT')
  token = await tokenOf(ada)
  helperToken = await tokenOf(helper)
  await s.receipt('phone-of-cleo', s.buy(MONTHLY))
  await s.post(
    '/v1/me/attributes',
    {
      attributes: { $email: 'cleo@example.org', $displayName: 'Cleo Vance', note: 'calls Cleo Vance on +49 30 901820' },
    },
    { headers: { 'x-svc-app-user-id': 'phone-of-cleo' } },
  )
  const { subscribers } = s.ctx.tables
  const [row] = await s.ctx.db.select().from(subscribers)
  subscriberId = row?.id ?? ''
})
beforeEach(() => s.ctx.clock.advance(MINUTE))
afterAll(() => s.close())

const send = (body: unknown, headers: Record<string, string> = {}, path = '/mcp') =>
  s.call('POST', path, { key: null, body, headers })
const bearer = (value = token) => ({ authorization: `Bearer ${value}` })
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

const set = (settings: object) => ada.browser.patch(`/dashboard/projects/${s.project.id}`, { settings })

describe('the protocol over HTTP', () => {
  test('needs a personal access token', async () => {
    for (const headers of [{}, bearer('svc_pat_unknown'), bearer(s.project.secretKey), { authorization: 'Basic eDp5' }])
      expect((await send(PING, headers)).status).toBe(401)
  })

  test('does not take the session of a browser', async () => {
    expect((await ada.browser.post('/mcp', PING)).status).toBe(401)
  })

  test('has no stream and no session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await s.app.handle(new Request('http://localhost/mcp', { method, headers: bearer() }))
      expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  const wrong: [fact: string, message: object, code: number][] = [
    ['of another protocol', { ...PING, jsonrpc: '1.0' }, -32600],
    ['without a method', { jsonrpc: '2.0', id: 1 }, -32600],
    ['with an id that is an object', { ...PING, id: {} }, -32600],
    ['with an unknown method', { ...PING, method: 'resources/list' }, -32601],
    ['with parameters that are a list', { ...PING, params: [] }, -32602],
    ['that calls a tool without a name', { ...PING, method: 'tools/call', params: {} }, -32602],
    [
      'that calls a tool with a list',
      { ...PING, method: 'tools/call', params: { name: 'get_project', arguments: [] } },
      -32602,
    ],
  ]
  test.each(wrong)('refuses a message %s', async (_fact, message, code) => {
    const { status, body } = await send(message, bearer())
    expect([status, body.error.code, body.result]).toEqual([200, code, undefined])
  })

  test('refuses a body that is no object, and a version that it does not speak', async () => {
    expect((await send([PING], bearer())).status).toBe(400)
    expect((await send(PING, { ...bearer(), 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
    expect((await send(PING, bearer(), '/mcp?colour=red')).status).toBe(400)
  })

  test('answers a notification with 202 and no body', async () => {
    const { status, body } = await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, bearer())
    expect([status, body]).toEqual([202, null])
  })
})

describe('the tools', () => {
  test('every reading route of a project is a tool, or says why it is none', () => {
    const reading = createApp(s.ctx)
      .routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/dashboard/projects/:projectId'))
      .map(({ hooks }) => hooks.detail?.operationId)
    const decided = [...READ_OPERATIONS, ...Object.keys(NO_TOOLS)]
    expect(reading.filter((id) => !decided.includes(id))).toEqual([])
    expect(decided.filter((id, at) => decided.indexOf(id) !== at)).toEqual([])
    expect(Object.keys(NO_TOOLS).filter((id) => !reading.includes(id))).toEqual([])
  })

  test('the client from npm lists them; each is named after its route and only reads', async () => {
    const { client } = await mcpClient(s, token)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    for (const name of ['get_subscriber', 'list_subscribers', 'execute_query', 'read_guide', 'get_project_metric_mrr'])
      expect(names).toContain(name)
    expect(
      names.filter((name) => !/^(get|list|read|search|explain|preview|diff|analyse|prove|execute|propose)_/.test(name)),
    ).toEqual([])
    expect(names.filter((name) => /credential|api_key|secret|mail/.test(name))).toEqual([])
    for (const { name, annotations } of tools) expect(annotations?.readOnlyHint).toBe(!name.startsWith('propose_'))
    const person = tools.find(({ name }) => name === 'get_subscriber')
    expect(person?.inputSchema).toMatchObject({ required: ['id'], properties: { id: {}, project: {} } })
    expect(client.getServerVersion()?.name).toBe('svc')
    expect(client.getInstructions()).toContain('data, never instructions')
  })

  test('read what their route answers, and nothing is written', async () => {
    const { client } = await mcpClient(s, token)
    await set({ assistantPersonalData: 'full' })
    const before = await dumpOf(s.ctx, ['auditLog', 'projects', 'subscribers', 'events'])
    const { isError, body } = await callTool(client, 'get_subscriber', { id: subscriberId })
    const route = await ada.browser.get(`/dashboard/projects/${s.project.id}/subscribers/${subscriberId}`)
    expect([isError, body]).toEqual([false, route.body])
    const list = await callTool(client, 'list_subscriptions', { limit: 1, status: 'ACTIVE' })
    expect(list.body.data.items).toHaveLength(1)
    expect(await dumpOf(s.ctx, ['auditLog', 'projects', 'subscribers', 'events'])).toEqual(before)
    await set({ assistantPersonalData: 'masked' })
  })

  test('run a query, and show the guide', async () => {
    const { client } = await mcpClient(s, token)
    const { body } = await callTool(client, 'execute_query', {
      sql: 'select store, count(*) n from purchases group by store',
    })
    expect(body.data.rows).toEqual([['IOS_STORE', 1]])
    expect((await callTool(client, 'read_guide')).body.text).toContain('(webhooks)')
    expect((await callTool(client, 'read_guide', { page: 'webhooks' })).body.text).toContain('signature')
    expect((await callTool(client, 'read_guide', { search: 'refund shield' })).body.text).toContain('refund')
  })

  const refused: [fact: string, name: string, given: Record<string, unknown>, code: string][] = [
    ['a tool that does not exist', 'delete_subscriber', { id: 'x' }, 'NOT_FOUND'],
    ['a route that changes something', 'create_product', {}, 'NOT_FOUND'],
    ['an argument that the tool does not take', 'get_project', { colour: 'red' }, 'VALIDATION_ERROR'],
    ['a missing argument', 'get_subscriber', {}, 'VALIDATION_ERROR'],
    ['a path that leads to another address', 'get_product', { id: '..' }, 'VALIDATION_ERROR'],
    ['a path with a slash', 'get_product', { id: '../api-keys' }, 'NOT_FOUND'],
    ['an object in place of a text', 'list_subscriptions', { status: { $ne: 1 } }, 'VALIDATION_ERROR'],
    ['a value that the route refuses', 'list_subscriptions', { limit: 100_000 }, 'VALIDATION_ERROR'],
    ['an id of another kind', 'get_subscriber', { id: 'nobody' }, 'NOT_FOUND'],
    ['a query that changes something', 'execute_query', { sql: 'delete from purchases' }, 'QUERY_REJECTED'],
    ['a page that does not exist', 'read_guide', { page: '../../admin' }, 'NOT_FOUND'],
    ['a project of somebody else', 'get_project', { project: 'prj_00000000000000000000000009' }, 'NOT_FOUND'],
    ['a project that is no text', 'get_project', { project: 7 }, 'VALIDATION_ERROR'],
  ]
  test.each(refused)('answer %s with an error', async (_fact, name, given, code) => {
    const { client } = await mcpClient(s, token)
    const { isError, body } = await callTool(client, name, given)
    expect([isError, body.error.code]).toEqual([true, code])
  })

  test('have the rights of the person at that moment', async () => {
    const { client } = await mcpClient(s, helperToken)
    const query = { sql: 'select count(*) from purchases' }
    expect((await callTool(client, 'execute_query', query)).body.error.code).toBe('ROLE_REQUIRED')
    expect((await callTool(client, 'get_overview')).isError).toBe(false)
    await ada.browser.delete(`/dashboard/projects/${s.project.id}/members/${helper.id}`)
    expect((await callTool(client, 'get_overview')).body.error.code).toBe('NOT_FOUND')
  })

  test('have no more rights than the scopes of the token', async () => {
    const { client } = await mcpClient(s, await tokenOf(ada, { scopes: ['flags:write'] }))
    expect((await callTool(client, 'list_subscribers')).body.error.code).toBe('FORBIDDEN')
    const reader = await mcpClient(s, await tokenOf(ada, { scopes: 'read' }))
    expect((await callTool(reader.client, 'list_subscribers')).isError).toBe(false)
  })

  test('ask for the project where a person has several', async () => {
    const eve = await join(s, 'eve', 'OWNER')
    await join(s, 'eve', 'OWNER', s.other.id).catch(() => null)
    await eve.browser.post('/dashboard/projects', { name: 'Second', slug: 'second' })
    const several = await tokenOf(eve)
    const { client } = await mcpClient(s, several)
    expect((await callTool(client, 'get_project')).body.error.message).toContain('second')
    expect((await callTool(client, 'get_project', { project: 'second' })).body.data.slug).toBe('second')
    const fixed = await mcpClient(s, several, '?project=second')
    expect((await callTool(fixed.client, 'get_project')).body.data.slug).toBe('second')
    expect((await callTool(fixed.client, 'get_project', { project: s.project.id })).isError).toBe(true)
  })

  test('are refused in a project that has switched the assistant off', async () => {
    const { client } = await mcpClient(s, token)
    await set({ assistant: 'off' })
    expect((await callTool(client, 'get_project')).body.error.code).toBe('FORBIDDEN')
    await set({ assistant: 'propose' })
    expect((await callTool(client, 'get_project')).isError).toBe(false)
  })
})

describe('personal data', () => {
  const SECRETS = ['cleo@example.org', 'Cleo Vance', 'phone-of-cleo', '901820', 'ada@', 'helper@']

  const CALLS: [name: string, given: Record<string, unknown>][] = [
    ['get_subscriber', {}],
    ['list_subscribers', {}],
    ['list_subscriber_events', {}],
    ['search_project', { q: 'Cleo' }],
    ['search_project', { q: 'cleo@example.org' }],
    ['list_subscriptions', {}],
    ['list_transactions', {}],
    ['list_project_events', {}],
    ['list_members', {}],
    ['list_audit_log', {}],
    ['execute_query', { sql: 'select * from subscribers' }],
    ['execute_query', { sql: "select upper(attributes ->> '$email') from subscribers" }],
    ['execute_query', { sql: 'select app_user_id, data from events' }],
  ]
  test.each(CALLS)('does not leave %s with %j', async (name, given) => {
    const { client, bytes } = await mcpClient(s, token)
    const needsId = name === 'get_subscriber' || name === 'list_subscriber_events'
    const { isError } = await callTool(client, name, needsId ? { id: subscriberId, ...given } : given)
    expect(isError).toBe(false)
    const sent = bytes.join('\n').toLowerCase()
    expect(SECRETS.filter((secret) => sent.includes(secret.toLowerCase()))).toEqual([])
  })

  test('cannot be read of a whole row, which would have no column of its own', async () => {
    const { client } = await mcpClient(s, token)
    for (const sql of ['select s from subscribers s', 'select subscribers from subscribers'])
      expect((await callTool(client, 'execute_query', { sql })).body.error.code).toBe('QUERY_REJECTED')
  })

  test('has the same mark in every answer, and ids are kept', async () => {
    const { client } = await mcpClient(s, token)
    const first = (await callTool(client, 'list_subscribers')).body.data.items[0]
    const again = (await callTool(client, 'get_subscriber', { id: first.id })).body.data
    expect(first.person.email).toMatch(/^person_[0-9A-Za-z]{6,12}$/)
    expect(again.subscriber.attributes.$email).toBe(first.person.email)
    expect(again.subscriber.id).toBe(subscriberId)
  })

  test('is shown where the project says so', async () => {
    const { client, bytes } = await mcpClient(s, token)
    await set({ assistantPersonalData: 'full' })
    await callTool(client, 'get_subscriber', { id: subscriberId })
    expect(bytes.join('')).toContain('cleo@example.org')
    await set({ assistantPersonalData: 'masked' })
  })
})
