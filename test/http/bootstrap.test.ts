import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { AppError } from '../../src/base/errors'
import * as currencies from '../../src/people/currencies/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { clearRemote, configure } from '../support/remote'

let s: Stage
beforeAll(async () => {
  s = await stage()
  await s.receipt('svc_ada', s.buy(MONTHLY))
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

const PATHS = {
  entitlements: '/v1/me/entitlements',
  config: '/v1/config',
  offerings: '/v1/offerings',
  balances: '/v1/virtual-currencies/me',
} as const

const ask = (query = '', device = 'svc_ada', headers: Record<string, string> = {}) =>
  s.get(`/v1/me/bootstrap${query}`, device, { headers })

describe('what an app reads at its start', () => {
  test('each part is what its own call answers', async () => {
    await configure(s, { flags: [{ key: 'new_checkout', defaultValue: true }] })
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(Object.keys(body.data)).toEqual(Object.keys(PATHS))
    for (const [part, path] of Object.entries(PATHS)) {
      const own = await s.get(path, 'svc_ada', { headers: { 'x-svc-user-id': 'svc_ada' } })
      expect(body.data[part], part).toEqual(own.body.data)
    }
    expect(body.data.entitlements.entitlements.pro.isActive).toBe(true)
    expect(body.data.config.flags).toEqual({ new_checkout: true })
  })

  test('include names the parts, in any order and also twice', async () => {
    const { body } = await ask('?include=balances,entitlements,balances')
    expect(Object.keys(body.data)).toEqual(['entitlements', 'balances'])
    expect(Object.keys((await ask('?include=offerings')).body.data)).toEqual(['offerings'])
  })

  test.each(['?include=', '?include=people', '?include=config,', '?include=Config'])('%s is refused', async (query) => {
    const { status, body } = await ask(query)
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'VALIDATION_ERROR',
        message: 'include must name some of entitlements, config, offerings, balances, separated by commas',
      },
    ])
  })

  test('the environment is that of the configuration', async () => {
    await configure(s, { flags: [{ key: 'staged', env: 'STAGING', defaultValue: true }] })
    expect((await ask('?include=config')).body.data.config.flags).toEqual({})
    expect((await ask('?include=config&env=staging')).body.data.config.flags).toEqual({ staged: true })
    const byHeader = await ask('?include=config', 'svc_ada', { 'x-svc-env': 'staging' })
    expect(byHeader.body.data.config.flags).toEqual({ staged: true })
    expect((await ask('?env=moon')).status).toBe(400)
  })

  test('it needs a device, and a key of any kind', async () => {
    const { status, body } = await s.get('/v1/me/bootstrap')
    expect([status, body.error.message]).toEqual([400, 'Send the device key in X-Svc-App-User-Id'])
    const headers = { 'x-svc-app-user-id': 'svc_ada' }
    expect((await s.call('GET', '/v1/me/bootstrap', { key: null, headers })).status).toBe(401)
    for (const key of [s.project.publicKey, s.project.secretKey])
      expect((await s.call('GET', '/v1/me/bootstrap', { key, headers })).status).toBe(200)
  })
})

describe('the tag', () => {
  test('an answer that the caller has is 304', async () => {
    const { headers } = await ask()
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    const again = await ask('', 'svc_ada', { 'if-none-match': etag })
    expect([again.status, again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([
      304,
      etag,
      'private, no-cache',
    ])
  })

  test('it differs by the parts and by the subscriber', async () => {
    const tags = [await ask(), await ask('?include=entitlements'), await ask('?include=config')]
    const other = await ask('?include=config', 'svc_bo')
    const all = [...tags, other].map(({ headers }) => headers.get('etag'))
    expect(new Set(all).size).toBe(4)
    expect((await ask('?include=entitlements,config')).headers.get('etag')).toBe(
      (await ask('?include=config,entitlements')).headers.get('etag'),
    )
  })
})

describe('a part that cannot be read', () => {
  const failing = (error: unknown) => spyOn(currencies, 'visibleBalances').mockRejectedValue(error)

  test('is null with its code, the others are there, and nothing is tagged', async () => {
    const spy = failing(new AppError('DATABASE_UNAVAILABLE'))
    const { status, body, headers } = await ask('?include=entitlements,balances')
    spy.mockRestore()
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, null, 'no-store'])
    expect(body.data).toEqual({
      entitlements: { entitlements: expect.objectContaining({ pro: expect.anything() }) },
      balances: null,
      errors: { balances: { code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 5 } },
    })
    expect((await ask('?include=entitlements,balances')).body.data.errors).toBeUndefined()
  })

  test('for another reason than an outage fails the call', async () => {
    const spy = failing(new Error('a fault'))
    expect((await ask()).status).toBe(500)
    spy.mockRestore()
  })
})
