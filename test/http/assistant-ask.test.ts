import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { join, type Person } from '../support/crew'
import { dumpOf } from '../support/dump'
import { tokenOf } from '../support/mcp'
import { type ModelServer, startModel, USABLE } from '../support/model-server'
import { machineEnv, runWith } from '../support/remote-command'

let s: Stage
let ada: Person
let token: string
let model: ModelServer
let server: ReturnType<typeof Bun.serve>
let subscriberId: string
beforeAll(async () => {
  model = startModel()
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: (request) => s.app.handle(request) })
  ada = await join(s, 'ada', 'OWNER')
  token = await tokenOf(ada)
  await s.receipt('phone-of-cleo', s.buy(MONTHLY))
  const attributes = { $email: 'cleo@example.org', $displayName: 'Cleo Vance' }
  await s.post('/v1/me/attributes', { attributes }, { headers: { 'x-svc-app-user-id': 'phone-of-cleo' } })
  const [row] = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  subscriberId = row?.id ?? ''
})
beforeEach(() => {
  s.ctx.clock.advance(MINUTE)
  model.script(USABLE)
})
afterAll(async () => {
  await server.stop(true)
  await s.close()
  await model.stop()
})

const at = (path: string) => `/dashboard/projects/${s.project.id}${path}`
const useModel = () =>
  ada.browser.put(at('/assistant/credentials'), { provider: 'compatible', model: 'small', baseUrl: model.url })
const remote = (given = token) => ({ SVC_URL: `http://127.0.0.1:${server.port}`, SVC_TOKEN: given })
const ask = (args: string[], env: Record<string, string> = remote()) =>
  runWith(s, ['ask', ...args, '--project', s.project.id], { env })
const threads = async () => (await ada.browser.get(at('/assistant/threads'))).body.data.items
const changeable = () => dumpOf(s.ctx, ['subscribers', 'flags', 'products', 'events'])

describe('a question is refused', () => {
  const wrong: [fact: string, args: string[]][] = [
    ['without a text', []],
    ['with an empty text', [' ']],
    ['of two texts', ['a', 'b']],
    ['of more than 8000 characters', ['x'.repeat(8001)]],
    ['with an unknown option', ['a', '--write']],
  ]
  test.each(wrong)('%s, before anything is asked', async (_fact, args) => {
    const { code, out } = await ask(args)
    expect([code, out, model.asked.length]).toEqual([2, '', 0])
  })

  test('without a model, with the way to one', async () => {
    const { code, err } = await ask(['Why?'])
    expect([code, err]).toEqual([1, expect.stringContaining('Settings, Assistant')])
    const json = await ask(['Why?', '--json'])
    expect(JSON.parse(json.out).error.code).toBe('ASSISTANT_NOT_CONFIGURED')
  })

  test('where the assistant is switched off', async () => {
    await ada.browser.patch(at(''), { settings: { assistant: 'off' } })
    const { code, err } = await ask(['Why?'])
    expect([code, err]).toEqual([1, expect.stringContaining('switched off')])
    await ada.browser.patch(at(''), { settings: { assistant: 'read' } })
  })

  test('with a token that the server does not know', async () => {
    const { code, err } = await ask(['Why?'], remote('svc_pat_unknown'))
    expect([code, err]).toEqual([1, expect.stringContaining('does not accept the token')])
  })

  test('in a thread of somebody else', async () => {
    const { code, err } = await ask(['Why?', '--thread', 'cth_00000000000000000000000000'])
    expect([code, err]).toEqual([1, expect.stringContaining('thread')])
  })

  for (const status of [401, 429, 500])
    test(`when the provider answers ${status}`, async () => {
      await useModel()
      model.script({ status })
      const { code, out, err } = await ask(['Why?'])
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(/provider|model/i)
    })

  test('when the answer breaks off, after what there was of it', async () => {
    await useModel()
    model.script({ text: 'It fell because', calls: [{ name: 'list_subscribers', arguments: {} }] }, { status: 500 })
    const { code, out, err } = await ask(['Why?'])
    expect(code).toBe(1)
    expect(out).toStartWith('It fell because\n[list_subscribers: 1 row]')
    expect(err).toMatch(/provider|model/i)
  })
})

describe('an answer', () => {
  const script = () =>
    model.script(
      { text: 'Looking.\n', calls: [{ name: 'list_subscribers', arguments: { limit: 5 } }] },
      { calls: [{ name: 'search_project', arguments: { q: 'person_1' } }] },
      { text: 'It is person_1.\nNothing else.' },
    )

  test('is printed with the rows that were read, names in place of marks, and nothing is changed', async () => {
    await useModel()
    script()
    const before = await changeable()
    const { code, out, err } = await ask(['Who is cleo@example.org?'])
    expect(code).toBe(0)
    const lines = out.split('\n')
    expect(lines[0]).toBe('Looking.')
    expect(lines[1]).toBe('[list_subscribers {"limit":5}: 1 row]')
    expect(lines[3]).toStartWith(subscriberId)
    expect(lines).toContain('[search_project {"q":"cleo@example.org"}: 1 row]')
    expect(lines.slice(-2)).toEqual(['It is cleo@example.org.', 'Nothing else.'])
    expect(err).toBe(`Go on with: --thread ${(await threads())[0].id}`)
    expect(model.bytes.join('')).not.toContain('cleo@example.org')
    expect(await changeable()).toEqual(before)
  })

  test('is one object with --json', async () => {
    await useModel()
    script()
    const { code, out } = await ask(['Who is cleo@example.org?', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      threadId: (await threads())[0].id,
      text: 'Looking.\nIt is cleo@example.org.\nNothing else.',
      tools: [
        {
          ...{ name: 'list_subscribers', arguments: '{"limit":5}', rows: 1 },
          result: expect.objectContaining({ items: [expect.objectContaining({ id: subscriberId })] }),
        },
        expect.objectContaining({ name: 'search_project', arguments: '{"q":"cleo@example.org"}', rows: 1 }),
      ],
      messageId: expect.stringMatching(/^cms_/),
      usage: { inputTokens: 30, outputTokens: 15, steps: 3 },
    })
  })

  test('goes on in a thread', async () => {
    await useModel()
    model.script({ text: 'Yes.' })
    await ask(['First?'])
    const count = (await threads()).length
    const { id } = (await threads())[0]
    const { code, out } = await ask(['Second?', '--thread', id])
    expect([code, out, (await threads()).length]).toEqual([0, 'Yes.', count])
    expect(JSON.stringify(model.asked.at(-1)?.body.messages)).toContain('First?')
  })

  test('of a tool that is refused or unknown prints no rows', async () => {
    await useModel()
    model.script(
      { calls: [{ name: 'delete_everything', arguments: {} }] },
      { calls: [{ name: 'get_subscriber', arguments: { id: 'sub_none' } }] },
      { text: 'There is nothing.' },
    )
    const { out } = await ask(['Delete all'])
    expect(out.split('\n')).toEqual(['[delete_everything]', '[get_subscriber {"id":"sub_none"}]', 'There is nothing.'])
  })

  test('is written on the machine of the database too, with everything that the command line may read', async () => {
    await useModel()
    model.script({ calls: [{ name: 'list_subscribers', arguments: {} }] }, { text: 'One.' })
    const env = { ...machineEnv(s), SVC_ALLOW_PRIVATE_TARGETS: '1' }
    const { code, out } = await ask(['How many?'], env)
    expect([code, out.split('\n')[0], out.split('\n').at(-1)]).toEqual([0, '[list_subscribers: 1 row]', 'One.'])
  })
})
