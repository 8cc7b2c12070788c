import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SECOND } from '../../src/base/lib/clock'
import { mcpCommand } from '../../src/operators/mcp/command'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { runWithInput } from '../support/command'
import { erase } from '../support/erased'
import { type Approving, approver, decide, proposed, type Shown } from '../support/intents'
import { callTool, mcpClient, tokenOf } from '../support/mcp'
import { type ModelServer, startModel } from '../support/model-server'

let s: Stage
let a: Approving
let model: ModelServer
let flagId: string
let count = 0
beforeAll(async () => {
  model = startModel()
  const own = { SVC_ASSISTANT_PROVIDER: 'compatible', SVC_ASSISTANT_MODEL: 'small', SVC_ASSISTANT_URL: model.url }
  s = await stage({ env: { SVC_RATE_USER: '0', ...own } })
  a = await approver(s)
  const flag = { key: 'f', env: 'PROD', type: 'BOOLEAN', defaultValue: true, isEnabled: true }
  flagId = (await a.person.browser.post(`${a.path}/feature-flags`, flag)).body.data.id
})
// Ids of another process sort by their time alone.
beforeEach(() => s.ctx.clock.advance(SECOND))
afterAll(async () => {
  await s.close()
  await model.stop()
})

const change = (): { id: string; description: string } => ({ id: flagId, description: `change ${++count}` })

/** Asks in a thread, until the answer is whole. */
async function ask(thread: string): Promise<void> {
  const cookie = [...a.person.browser.cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { cookie, origin: 'http://localhost', 'content-type': 'application/json' }
  const body = JSON.stringify({ content: 'Change it' })
  const address = `http://localhost${a.path}/assistant/threads/${thread}/messages`
  const response = await s.app.handle(new Request(address, { method: 'POST', headers, body }))
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('event: done')])
}

const inbox = async (query = ''): Promise<Shown> =>
  (await a.person.browser.get(`${a.path}/assistant/intents${query}`)).body.data
const newest = async (): Promise<Shown> => (await inbox('?limit=1')).items[0]

describe('a token with scopes', () => {
  const agent = async (scopes: readonly string[]) =>
    (await mcpClient(s, await tokenOf(a.person, { scopes }), `?project=${s.project.id}`)).client
  const patch = { patch: { access: { vip: { displayName: 'V' } } } }
  const query = { name: 'One', sql: 'select 1' }

  test('proposes what it could change, and nothing else: a preview has what it may not read', async () => {
    const client = await agent(['flags:write'])
    expect((await callTool(client, 'propose_flag_update', change())).isError).toBe(false)
    const before = await inbox()
    const refused: [string, object, string][] = [
      ['propose_audience_save', { name: 'Greeks', rules: { country: 'GR' } }, 'audiences:write'],
      ['propose_projectFile_apply', patch, 'project:read'],
      ['propose_query_save', query, 'read'],
    ]
    for (const [name, given, scope] of refused) {
      const { isError, body } = await callTool(client, name, { ...given })
      expect([isError, body.error.code, body.error.message]).toEqual([
        true,
        'FORBIDDEN',
        expect.stringContaining(`the scope ${scope}`),
      ])
    }
    expect(await inbox()).toEqual(before)
  })

  test('that reads everything may propose everything', async () => {
    const client = await agent(['read'])
    const calls: [string, object][] = [
      ['propose_flag_update', change()],
      ['propose_query_save', query],
      ['propose_projectFile_apply', patch],
    ]
    for (const [name, given] of calls) expect((await callTool(client, name, { ...given })).isError).toBe(false)
  })
})

describe('a proposal says through what it was made:', () => {
  test('an agent, by the name of its token, with its note, which is no part of what is approved', async () => {
    const { client } = await mcpClient(s, await tokenOf(a.person, { name: 'ci-flags' }), `?project=${s.project.id}`)
    const given = change()
    expect((await callTool(client, 'propose_flag_update', { ...given, note: ' As agreed in #42 ' })).isError).toBe(
      false,
    )
    expect(await newest()).toMatchObject({
      ...{ threadId: null, proposedBy: a.person.id, arguments: given },
      via: { kind: 'MCP', token: 'ci-flags', note: 'As agreed in #42' },
    })
    await callTool(client, 'propose_flag_update', change())
    expect((await newest()).via).toEqual({ kind: 'MCP', token: 'ci-flags', note: null })
  })

  test('its name stays when the token is deleted', async () => {
    const made = await a.person.browser.post('/dashboard/me/tokens', { name: 'short-lived' })
    const { client } = await mcpClient(s, made.body.data.token, `?project=${s.project.id}`)
    await callTool(client, 'propose_flag_update', change())
    await a.person.browser.delete(`/dashboard/me/tokens/${made.body.data.id}`)
    expect((await callTool(client, 'propose_flag_update', change()).catch(() => null))?.isError).not.toBe(false)
    expect((await newest()).via.token).toBe('short-lived')
  })

  test.each([['x'.repeat(501)], [5], [null], [{}]])('and a note %p makes none', async (note) => {
    const before = await newest()
    const { isError, body } = await callTool(a.agent, 'propose_flag_update', { ...change(), note })
    expect([isError, body.error.code]).toEqual([true, 'VALIDATION_ERROR'])
    expect(await newest()).toEqual(before)
  })

  test('a chat, which has no note of its own', async () => {
    const thread = (await a.person.browser.post(`${a.path}/assistant/threads`, {})).body.data.id
    const before = await newest()
    model.script({ calls: [{ name: 'propose_flag_update', arguments: { ...change(), note: 'hi' } }] }, { text: 'No.' })
    await ask(thread)
    expect((await newest()).id).toBe(before.id)
    model.script({ calls: [{ name: 'propose_flag_update', arguments: change() }] }, { text: 'It waits.' })
    await ask(thread)
    expect(await newest()).toMatchObject({ threadId: thread, via: { kind: 'CHAT', token: null, note: null } })
  })

  test('the command line', async () => {
    const params = { name: 'propose_flag_update', arguments: { ...change(), note: 'by hand' } }
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { code } = await runWithInput(s, mcpCommand, line, '--project', s.project.id)
    expect(code).toBe(0)
    const made = await newest()
    expect(made).toMatchObject({ proposedBy: null, via: { kind: 'CLI', token: null, note: 'by hand' } })
    const unclean = line.replace('by hand', 'by\\u0000hand')
    const { out } = await runWithInput(s, mcpCommand, unclean, '--project', s.project.id)
    expect(out).toContain('without NUL')
    expect((await newest()).id).toBe(made.id)
  })

  test('a person who changed it', async () => {
    const intent = await proposed(a, 'flag.update', change())
    const { status, body } = await decide(a, intent.id, 'revise', { arguments: change() })
    expect([status, body.data.via]).toEqual([201, { kind: 'CONSOLE', token: null, note: null }])
  })

  test('an old one says what is known', async () => {
    const { assistantIntents } = s.ctx.tables
    await s.ctx.write(async ({ db }) => void (await db.update(assistantIntents).set({ via: null })))
    const kinds = (await inbox('?limit=100')).items.map(({ via }: Shown) => via.kind)
    expect(new Set(kinds)).toEqual(new Set(['MCP', 'CHAT', 'CLI']))
  })
})

test('a note that names a person is erased with them, and the proposal too', async () => {
  await s.receipt('phone-of-cleo', s.buy(MONTHLY))
  const { id } = (await s.get('/v1/me', 'phone-of-cleo')).body.data.subscriber
  const made = await callTool(a.agent, 'propose_flag_update', { ...change(), note: `for ${id}` })
  const intent = await newest()
  expect([made.isError, intent.via.note]).toEqual([false, `for ${id}`])
  await erase(s, id)
  expect((await a.person.browser.get(`${a.path}/assistant/intents/${intent.id}`)).status).toBe(404)
})

test('the inbox has pages, also of those that wait', async () => {
  for (let made = 0; made < 5; made++) {
    s.ctx.clock.advance(SECOND)
    const { id } = await proposed(a, 'flag.update', change())
    if (made === 0) expect((await decide(a, id, 'reject')).status).toBe(200)
  }
  const all = (await inbox('?limit=100')).items.map(({ id }: Shown) => id)
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await inbox(`?limit=3&status=PENDING${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    paged.push(...page.items.map(({ id }: Shown) => id))
    cursor = page.nextCursor
  }
  const waiting = (await inbox('?limit=100&status=PENDING')).items.map(({ id }: Shown) => id)
  expect(paged).toEqual(waiting)
  expect(waiting.length).toBeGreaterThan(3)
  expect(all.length).toBeGreaterThan(waiting.length)
})
