import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { type ModelServer, type ModelStep, startModel, USABLE } from '../support/model-server'
import { auditRows, changes, dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let owner: StaffCalls
let model: ModelServer
beforeAll(async () => {
  model = startModel()
  s = await stage({ env: { SVC_RATE_USER: '0', SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  owner = staff(s).as('OWNER')
})
beforeEach(() => {
  s.ctx.clock.advance(MINUTE)
  model.script(USABLE)
})
afterAll(async () => {
  await s.close()
  await model.stop()
})

const PATH = '/assistant/credentials'
const KEY = 'sk-very-secret-key-9876'
const BODY = () => ({ provider: 'compatible', model: 'small', baseUrl: model.url })
const NONE = {
  ...{ configured: false, provider: null, model: null, baseUrl: null, keyLast4: null },
  ...{ source: null, revision: null },
}

async function refused(body: unknown, status: number, details?: object, path = PATH) {
  const before = await auditRows(s)
  const answer = await owner.put(path, body)
  expect([answer.status, answer.body.error.details]).toEqual([status, details])
  expect(await auditRows(s)).toEqual(before)
  expect(await dataOf(owner.get(PATH))).toEqual(NONE)
  return answer.body.error
}

describe('the model of a project is refused', () => {
  const wrong: [fact: string, change: object][] = [
    ['of an unknown provider', { provider: 'somebody' }],
    ['without a model', { model: undefined }],
    ['with an empty model', { model: ' ' }],
    ['with a key that has a space', { apiKey: 'a b' }],
    ['with an unknown member', { colour: 'red' }],
  ]
  test.each(wrong)('%s', async (_fact, change) => {
    const { status, body } = await owner.put(PATH, { ...BODY(), ...change })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  const addresses = [
    'http://example.com',
    'ftp://example.com',
    'https://a:b@example.com',
    'https://10.0.0.1',
    'nonsense',
  ]
  test.each(addresses)('at the address %s', async (baseUrl) => {
    await refused({ ...BODY(), baseUrl }, 400, { field: 'baseUrl' })
    await refused({ ...BODY(), baseUrl }, 400, { field: 'baseUrl' }, `${PATH}?probe=false`)
  })

  test('without an address, and without a key where one is needed', async () => {
    await refused({ ...BODY(), baseUrl: undefined }, 400, { field: 'baseUrl' })
    await refused({ provider: 'anthropic', model: 'x', baseUrl: model.url }, 400, { field: 'apiKey' })
    await refused({ provider: 'openai', model: 'x' }, 400, { field: 'apiKey' })
  })

  const probes: [fact: string, steps: ModelStep[], reason: string, field: string][] = [
    ['that does not know the key', [{ status: 401 }], 'rejected', 'apiKey'],
    ['that forbids it', [{ status: 403 }], 'rejected', 'apiKey'],
    ['that does not know the model', [{ status: 404 }], 'no_model', 'model'],
    ['that says so with 400', [{ status: 400, body: '{"error":"model not found"}' }], 'no_model', 'model'],
    ['that is used up', [{ status: 429 }], 'unreachable', 'baseUrl'],
    ['that is broken', [{ status: 500 }], 'unreachable', 'baseUrl'],
    ['that redirects', [{ status: 302 }], 'unreachable', 'baseUrl'],
    ['that sends a page', [{ raw: '<html>' }], 'unreachable', 'baseUrl'],
    ['that sends garbage', [{ raw: 'data: {"choices"\n\n' }], 'unreachable', 'baseUrl'],
    ['that cuts its answer', [{ raw: 'data: {"choices":[{"delta":{"content":"o"}}]}\n\n' }], 'unreachable', 'baseUrl'],
    ['that calls no tool', [{ text: 'ok' }], 'no_tools', 'model'],
    ['that refuses tools', [{ text: 'ok' }, { status: 400, body: 'no tools here' }], 'no_tools', 'model'],
    ['that calls another tool', [{ text: 'ok' }, { calls: [{ name: 'x', arguments: {} }] }], 'no_tools', 'model'],
  ]
  for (const provider of ['compatible', 'anthropic'])
    test.each(probes)(`at a server %s, by ${provider}`, async (_fact, steps, reason, field) => {
      model.script(...steps)
      const error = await refused({ ...BODY(), provider, apiKey: KEY }, 400, { field, reason })
      expect(error.message).not.toContain(KEY)
    })

  test('at a server that is not there', async () => {
    const gone = startModel()
    await gone.stop()
    await refused({ ...BODY(), baseUrl: gone.url }, 400, { field: 'baseUrl', reason: 'unreachable' })
  })

  test('for everybody but the owner, and in a project that has switched the assistant off', async () => {
    const admin = staff(s).as('ADMIN')
    for (const call of [admin.get(PATH), admin.put(PATH, BODY()), admin.delete(PATH)])
      expect((await call).body.error.code).toBe('ROLE_REQUIRED')
    await owner.patch('', { settings: { assistant: 'off' } })
    for (const call of [owner.get(PATH), owner.put(PATH, BODY()), owner.delete(PATH)])
      expect([(await call).status, (await call).body.error.code]).toEqual([403, 'FORBIDDEN'])
    await owner.patch('', { settings: { assistant: 'propose' } })
  })
})

describe('the model of a project', () => {
  const dialects: [provider: string, path: string, header: string, value: string, limit: string][] = [
    ['anthropic', '/v1/messages', 'x-api-key', KEY, 'max_tokens'],
    ['openai', '/v1/chat/completions', 'authorization', `Bearer ${KEY}`, 'max_completion_tokens'],
    ['compatible', '/v1/chat/completions', 'authorization', `Bearer ${KEY}`, 'max_tokens'],
  ]
  test.each(dialects)(
    'of %s is asked for one token and one tool call, saved and removed',
    async (provider, path, header, value, limit) => {
      const from = model.asked.length
      const body = { ...BODY(), provider, apiKey: KEY }
      const saved = await changes(s, () => owner.put(PATH, body), ['assistantCredentials.create'])
      expect(saved).toEqual({
        ...{ configured: true, provider, model: 'small', baseUrl: model.url, keyLast4: '9876' },
        ...{ source: 'PROJECT', revision: saved.revision },
      })
      const [first, second] = model.asked.slice(from)
      expect(model.asked).toHaveLength(from + 2)
      expect([first?.path, first?.headers.get(header), first?.body[limit], first?.body.tools]).toEqual([
        path,
        value,
        1,
        undefined,
      ])
      expect(second?.body.tools).toHaveLength(1)
      expect(await dataOf(owner.get(PATH))).toEqual(saved)
      expect(await changes(s, () => owner.delete(PATH), ['assistantCredentials.delete'])).toEqual({ deleted: true })
      expect(await dataOf(owner.get(PATH))).toEqual(NONE)
      expect((await owner.delete(PATH)).status).toBe(404)
    },
  )

  test('needs no key at a compatible server, and keeps an address that ends in /v1', async () => {
    const from = model.asked.length
    const saved = await dataOf(owner.put(PATH, { ...BODY(), baseUrl: `${model.url}/v1/` }))
    expect([saved.keyLast4, saved.baseUrl]).toEqual([null, `${model.url}/v1`])
    expect([model.asked[from]?.path, model.asked[from]?.headers.get('authorization')]).toEqual([
      '/v1/chat/completions',
      null,
    ])
    await owner.delete(PATH)
  })

  test('is saved without being asked where the owner says so', async () => {
    const from = model.asked.length
    await dataOf(owner.put(`${PATH}?probe=false`, { ...BODY(), apiKey: KEY }))
    expect(model.asked).toHaveLength(from)
    expect((await owner.put(`${PATH}?probe=maybe`, BODY())).status).toBe(400)
    await owner.delete(PATH)
  })

  test('keeps its key when only the model changes, and gives it to no other address', async () => {
    await dataOf(owner.put(PATH, { ...BODY(), apiKey: KEY }))
    const changed = await changes(s, () => owner.put(PATH, { ...BODY(), model: 'large' }), [
      'assistantCredentials.update',
    ])
    expect([changed.model, changed.keyLast4]).toEqual(['large', '9876'])
    await changes(s, () => owner.put(PATH, { ...BODY(), model: 'large' }), [])
    const other = startModel()
    const moved = await dataOf(owner.put(PATH, { ...BODY(), baseUrl: other.url }))
    expect(moved.keyLast4).toBeNull()
    expect(other.asked.map(({ headers }) => headers.get('authorization'))).toEqual([null, null])
    await other.stop()
    await owner.delete(PATH)
  })

  test('is refused with an old revision', async () => {
    const { revision } = await dataOf(owner.put(PATH, BODY()))
    const headers = { 'if-match': `"${revision - 1}"` }
    expect((await owner.put(PATH, { ...BODY(), model: 'x' }, { headers })).status).toBe(409)
    expect((await owner.delete(PATH, { headers })).status).toBe(409)
    await owner.delete(PATH)
  })

  test('has a key that no answer, no log line, no audit row and no row of the database shows', async () => {
    const answer = await owner.put(PATH, { ...BODY(), apiKey: KEY })
    const { assistantCredentials } = s.ctx.tables
    const rows = await s.ctx.db.select().from(assistantCredentials)
    const seen = JSON.stringify([answer.body, s.ctx.lines, await auditRows(s), rows, (await owner.get(PATH)).body])
    expect(seen).not.toContain(KEY)
    expect(rows[0]?.sealedKey).toStartWith('v1.')
    await owner.delete(PATH)
  })

  test('is that of the server where the project has none', async () => {
    const env = { SVC_ASSISTANT_PROVIDER: 'openai', SVC_ASSISTANT_KEY: KEY, SVC_ASSISTANT_MODEL: 'big' }
    const other = await stage({ env: { SVC_RATE_USER: '0', ...env } })
    const shown = await dataOf(staff(other).as('OWNER').get(PATH))
    expect(shown).toEqual({ ...NONE, configured: true, provider: 'openai', model: 'big', source: 'SERVER' })
    await other.close()
  })

  test('cannot be saved with a key where the server has no master key', async () => {
    const other = await stage({ env: { SVC_MASTER_KEY: 'off', SVC_ALLOW_PRIVATE_TARGETS: '1' } })
    const calls = staff(other).as('OWNER')
    expect((await calls.put(PATH, { ...BODY(), apiKey: KEY })).body.error.code).toBe('FEATURE_NOT_CONFIGURED')
    expect((await calls.put(PATH, BODY())).status).toBe(200)
    await other.close()
  })
})
