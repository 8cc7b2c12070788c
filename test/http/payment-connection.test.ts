import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { suspendProject } from '../../src/projects/project/service'
import { requirePrice } from '../../src/projects/store-setup/catalog-payment'
import { type AccountServer, soldAs, startAccountServer } from '../support/payment-account'
import { person } from '../support/sessions'
import { refusalOf, type SetupStage, setupStage } from '../support/store-setup'

const PLATFORM = 'sk_test_platform'
const ACCOUNT = 'acct_1Sleep'

let s: SetupStage
let provider: AccountServer
beforeEach(async () => {
  provider = startAccountServer()
  provider.keys.set(PLATFORM, 'ALL').set('sk_test_own', 'ALL').set('rk_test_none', 'NOTHING')
  s = await setupStage({
    env: {
      SVC_PAYMENT_API_URL: provider.url,
      SVC_PAYMENT_CONNECT_URL: provider.url,
      SVC_PAYMENT_CONNECT_TEST_KEY: PLATFORM,
      SVC_PAYMENT_CONNECT_TEST_WEBHOOK_SECRET: 'whsec_platform',
      SVC_PAYMENT_CONNECT_TEST_CLIENT_ID: 'ca_test',
      SVC_PAYMENT_CONNECT_LIVE_KEY: 'sk_live_platform',
      SVC_PAYMENT_CONNECT_LIVE_WEBHOOK_SECRET: 'whsec_live',
    },
  })
})
afterEach(async () => {
  await s.close()
  await provider.close()
})

const begin = (query = '?mode=test') => s.as('OWNER').get(`/payment/connect${query}`)
const view = () => s.as('CUSTOMER_SUPPORT').get('/payment/connection')
const payment = async () => (await s.as('CUSTOMER_SUPPORT').get('/credentials')).body.data.payment
const NONE = { configured: false, accountId: null, mode: null, revision: 0 }

/** The address at the provider, taken apart. */
async function beginAt(query?: string) {
  const { status, body } = await begin(query)
  expect(status).toBe(200)
  const url = new URL(body.data.url)
  return { url, state: url.searchParams.get('state') ?? '' }
}

/** The person comes back from the provider. */
const callback = (query: Record<string, string>, cookie = 'OWNER') =>
  s.app
    .handle(
      new Request(`http://localhost/dashboard/payment/connect/callback?${new URLSearchParams(query)}`, {
        headers: { cookie: `svc_session=${cookie}` },
      }),
    )
    .then(async (response) => ({
      status: response.status,
      to: response.headers.get('location'),
      text: await response.text(),
    }))

async function connect(account = ACCOUNT): Promise<void> {
  const { state } = await beginAt()
  provider.codes.set('ac_1', { account, livemode: false })
  expect(await callback({ state, code: 'ac_1' })).toMatchObject({
    status: 302,
    to: expect.stringContaining('connected'),
  })
}

async function expectNothingConnected(): Promise<void> {
  expect(await payment()).toEqual(NONE)
  expect(await s.audit()).toEqual([])
}

describe('connecting', () => {
  test('begins at the provider with our client, our address and a state', async () => {
    const { url, state } = await beginAt()
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.url}/oauth/authorize`)
    const { state: _, ...query } = Object.fromEntries(url.searchParams)
    expect(query).toEqual({
      response_type: 'code',
      client_id: 'ca_test',
      scope: 'read_write',
      redirect_uri: 'http://localhost/dashboard/payment/connect/callback',
    })
    expect(state.length).toBeGreaterThan(80)
    expect(url.href).not.toContain(PLATFORM)
  })

  test('ends on the page of the dashboard, with the account saved and one audit row', async () => {
    await connect()
    expect(await payment()).toEqual({ configured: true, accountId: ACCOUNT, mode: 'test', revision: 1 })
    expect((await view()).body.data).toEqual({
      accountId: ACCOUNT,
      mode: 'test',
      chargesEnabled: true,
      connectedAt: toIso(s.ctx.clock.now()),
    })
    expect(await s.audit()).toMatchObject([
      { action: 'store.create', actor: { kind: 'USER', id: 'usr_owner' }, before: null, after: { accountId: ACCOUNT } },
    ])
    expect(provider.requests.at(-1)).toMatchObject({
      path: `/v1/accounts/${ACCOUNT}`,
      authorization: `Bearer ${PLATFORM}`,
    })
  })

  test('goes back to the page that was named, with what it had in its query', async () => {
    const { state } = await beginAt(`?mode=test&returnUrl=${encodeURIComponent('/p/project-1/stores?step=2#pay')}`)
    provider.codes.set('ac_1', { account: ACCOUNT, livemode: false })
    const { to } = await callback({ state, code: 'ac_1' })
    expect(to).toBe('http://localhost/p/project-1/stores?step=2&payment=connected#pay')
  })

  test('goes to no other host by a path with two slashes', async () => {
    const page = encodeURIComponent('http://localhost//evil.example/x')
    const { state } = await beginAt(`?mode=test&returnUrl=${page}`)
    const { to } = await callback({ state, error: 'access_denied' })
    expect(new URL(to ?? '').host).toBe('localhost')
  })

  test('begun with a personal access token ends in any session of the same person, and of no other', async () => {
    const user = person('usr_owner')
    s.team.sessions.tokens.set('svc_pat_owner', { id: 'pat_1', user, scopes: null, expiresAt: null, revokedAt: null })
    const path = `/dashboard/projects/${s.project.id}/payment/connect?mode=test`
    const { body } = await s.call('GET', path, { key: 'svc_pat_owner' })
    const state = new URL(body.data.url).searchParams.get('state') ?? ''
    s.team.sessions.roles.set(`usr_admin ${s.project.id}`, 'OWNER')
    provider.codes.set('ac_1', { account: ACCOUNT, livemode: false })
    expect((await callback({ state, code: 'ac_1' }, 'ADMIN')).status).toBe(400)
    expect((await callback({ state, code: 'ac_1' })).to).toContain('payment=connected')
  })

  test('two accounts at once connects one of them', async () => {
    const { state } = await beginAt()
    provider.codes.set('ac_1', { account: 'acct_1', livemode: false })
    provider.codes.set('ac_2', { account: 'acct_2', livemode: false })
    const answers = await Promise.all(['ac_1', 'ac_2'].map((code) => callback({ state, code })))
    const outcomes = answers.map(({ to }) => new URL(to ?? '').searchParams.get('payment'))
    expect(outcomes.sort()).toEqual(['connected', 'failed'])
    expect((await s.audit()).length).toBe(1)
  })

  test('an account that may not charge yet is shown as it is', async () => {
    await connect()
    provider.accounts.set(ACCOUNT, false)
    expect((await view()).body.data.chargesEnabled).toBe(false)
  })
})

describe('what does not connect', () => {
  const outcome = async (query: Record<string, string>) => {
    const { state } = await beginAt()
    const { status, to } = await callback({ state, ...query })
    const { searchParams, pathname } = new URL(to ?? '')
    await expectNothingConnected()
    return [status, pathname, searchParams.get('payment'), searchParams.get('error')]
  }
  const PAGE = '/p/project-1/stores'

  test('the person who says no', async () => {
    const query = { error: 'access_denied', error_description: 'The user denied your request' }
    expect(await outcome(query)).toEqual([302, PAGE, 'denied', null])
    expect(provider.requests).toEqual([])
  })

  test('a code that the provider did not give', async () => {
    expect(await outcome({ code: 'ac_other' })).toEqual([302, PAGE, 'failed', 'STORE_API_ERROR'])
  })

  test('an account of the other mode', async () => {
    provider.codes.set('ac_live', { account: ACCOUNT, livemode: true })
    expect(await outcome({ code: 'ac_live' })).toEqual([302, PAGE, 'failed', 'STORE_API_ERROR'])
  })

  test.each([[500], [429]])('a provider that answers %d', async (status) => {
    provider.trouble = { status }
    expect(await outcome({ code: 'ac_1' })).toEqual([302, PAGE, 'failed', 'STORE_UNAVAILABLE'])
  })

  test('an answer of the provider that is no account', async () => {
    provider.trouble = { status: 200, text: '{"stripe_user_id":"../x","livemode":false}' }
    expect(await outcome({ code: 'ac_1' })).toEqual([302, PAGE, 'failed', 'STORE_API_ERROR'])
  })

  test('a second person who was faster', async () => {
    const { state } = await beginAt()
    await connect()
    provider.codes.set('ac_2', { account: 'acct_2', livemode: false })
    const { to } = await callback({ state, code: 'ac_2' })
    expect(new URL(to ?? '').searchParams.get('error')).toBe('PAYMENT_ALREADY_CONNECTED')
    expect((await payment()).accountId).toBe(ACCOUNT)
    expect(provider.codes.has('ac_2')).toBe(true)
  })
})

describe('a state is worth nothing', () => {
  const refused = async (query: Record<string, string>, cookie?: string) => {
    provider.codes.set('ac_1', { account: ACCOUNT, livemode: false })
    const { status, to, text } = await callback({ code: 'ac_1', ...query }, cookie)
    expect(to).toBeNull()
    expect(provider.requests).toEqual([])
    await expectNothingConnected()
    return [status, JSON.parse(text).error.code]
  }
  const invalid = [400, 'VALIDATION_ERROR']

  test('when it is absent, damaged or changed', async () => {
    const { state } = await beginAt()
    const [text = '', signature = ''] = state.split('.')
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify([s.other.id, ...parts.slice(1)])).toString('base64url')
    for (const bad of [undefined, '', 'x', '.', `${text}.`, `.${signature}`, `${forged}.${signature}`, `${state}x`])
      expect([bad, ...(await refused(bad === undefined ? {} : { state: bad }))]).toEqual([bad, ...invalid])
  })

  test('for another person, also an owner', async () => {
    const { state } = await beginAt()
    s.team.sessions.roles.set(`usr_admin ${s.project.id}`, 'OWNER')
    expect(await refused({ state }, 'ADMIN')).toEqual(invalid)
  })

  test('in another session of the same person', async () => {
    const { state } = await beginAt()
    const now = s.ctx.clock.now()
    const life = { createdAt: now, expiresAt: now + 60 * MINUTE, revokedAt: null, hasPassedTwoFactor: true }
    s.team.sessions.sessions.set('second', { id: 'ses_second', user: person('usr_owner'), ...life })
    expect(await refused({ state }, 'second')).toEqual(invalid)
  })

  test('after 30 minutes', async () => {
    const { state } = await beginAt()
    s.ctx.clock.advance(30 * MINUTE)
    expect(await refused({ state })).toEqual(invalid)
  })

  test('without a session', async () => {
    const { state } = await beginAt()
    expect(await refused({ state }, 'nobody')).toEqual([401, 'UNAUTHORIZED'])
  })

  test('once the person is no owner any more, or the project is suspended', async () => {
    const { state } = await beginAt()
    const { roles } = s.team.sessions
    roles.set(`usr_owner ${s.project.id}`, 'ADMIN')
    provider.codes.set('ac_1', { account: ACCOUNT, livemode: false })
    const codeOf = async () => {
      const { status, text } = await callback({ state, code: 'ac_1' })
      return [status, JSON.parse(text).error.code]
    }
    expect(await codeOf()).toEqual([403, 'ROLE_REQUIRED'])
    roles.delete(`usr_owner ${s.project.id}`)
    expect(await codeOf()).toEqual([404, 'NOT_FOUND'])
    roles.set(`usr_owner ${s.project.id}`, 'OWNER')
    await suspendProject(s.ctx, s.project.id)
    expect(await codeOf()).toEqual([403, 'PROJECT_SUSPENDED'])
    expect(provider.requests).toEqual([])
  })
})

describe('beginning is refused', () => {
  test('while an account is connected, before anything about the platform', async () => {
    await connect()
    for (const mode of ['test', 'live'])
      expect(refusalOf(await begin(`?mode=${mode}`))).toEqual([409, 'PAYMENT_ALREADY_CONNECTED'])
  })

  test('while keys are saved', async () => {
    await s.as('OWNER').put('/credentials/payment', { secretKey: 'sk_test_own', webhookSecret: 'w', mode: 'test' })
    expect(refusalOf(await begin())).toEqual([409, 'PAYMENT_ALREADY_CONNECTED'])
  })

  test('in a mode for which the platform has no client', async () => {
    expect(refusalOf(await begin('?mode=live'))).toEqual([
      503,
      'FEATURE_NOT_CONFIGURED',
      { feature: 'payment_connect', mode: 'live' },
    ])
  })

  test('with a page that is not of the dashboard, or a mode that is none', async () => {
    const elsewhere = [
      'https://evil.example',
      '//evil.example/x',
      'http://localhost@evil.example/',
      'javascript:alert(1)',
      '/\\evil.example',
    ]
    const queries = [...elsewhere.map((url) => `?mode=test&returnUrl=${encodeURIComponent(url)}`), '', '?mode=prod']
    for (const query of queries) expect([query, refusalOf(await begin(query))[1]]).toEqual([query, 'VALIDATION_ERROR'])
  })

  test('to everybody but the owner', async () => {
    for (const role of ['ADMIN', 'DEVELOPER', 'GROWTH', 'CUSTOMER_SUPPORT'] as const) {
      expect(refusalOf(await s.as(role).get('/payment/connect?mode=test'))[1]).toBe('ROLE_REQUIRED')
      expect(refusalOf(await s.as(role).delete('/payment/connection'))[1]).toBe('ROLE_REQUIRED')
    }
    expect(refusalOf(await s.as('STRANGER').get('/payment/connection'))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('disconnecting', () => {
  const disconnect = (headers = {}) => s.as('OWNER').delete('/payment/connection', { headers })

  test('tells the provider, once, and removes the account', async () => {
    await connect()
    expect((await disconnect()).body).toEqual({ data: { deleted: true } })
    const { path, form } = provider.requests.at(-1) ?? {}
    expect([path, form]).toEqual(['/oauth/deauthorize', { client_id: 'ca_test', stripe_user_id: ACCOUNT }])
    expect(await payment()).toMatchObject({ configured: false, accountId: null })
    expect(refusalOf(await disconnect())).toEqual([404, 'NOT_FOUND'])
    expect(refusalOf(await view())).toEqual([404, 'NOT_FOUND'])
    expect((await s.audit()).map(({ action }) => action)).toEqual(['store.create', 'store.delete'])
  })

  test('by the credentials does the same', async () => {
    await connect()
    expect((await s.as('OWNER').delete('/credentials/payment')).status).toBe(200)
    expect(provider.requests.at(-1)?.path).toBe('/oauth/deauthorize')
  })

  test('removes nothing while the provider is away', async () => {
    await connect()
    provider.trouble = { status: 500 }
    expect(refusalOf(await disconnect())).toEqual([503, 'STORE_UNAVAILABLE'])
    provider.trouble = { status: 400, text: '{"error":"invalid_request"}' }
    expect(refusalOf(await disconnect())).toEqual([502, 'STORE_API_ERROR'])
    expect((await payment()).accountId).toBe(ACCOUNT)
  })

  test('asks a provider that is away five times, and then not for a minute', async () => {
    await connect()
    provider.trouble = { status: 500 }
    for (let count = 0; count < 5; count++) expect(refusalOf(await disconnect())).toEqual([503, 'STORE_UNAVAILABLE'])
    const asked = provider.requests.length
    expect(refusalOf(await disconnect())).toEqual([503, 'STORE_UNAVAILABLE'])
    expect(provider.requests).toHaveLength(asked)
    expect((await payment()).accountId).toBe(ACCOUNT)
    provider.trouble = null
    s.ctx.clock.advance(MINUTE)
    expect((await disconnect()).status).toBe(200)
  })

  test('an account that the person has already taken back', async () => {
    await connect()
    provider.accounts.clear()
    expect((await disconnect()).status).toBe(200)
    expect((await payment()).configured).toBe(false)
  })

  test('with a revision of before tells the provider nothing', async () => {
    await connect()
    expect(refusalOf(await disconnect({ 'if-match': '"9"' })).slice(0, 2)).toEqual([409, 'CONFLICT'])
    expect(provider.requests.some(({ path }) => path === '/oauth/deauthorize')).toBe(false)
  })

  test('leaves the account at the provider while another project sells through it', async () => {
    await connect()
    const { storeSettings: t } = s.ctx.tables
    const stamps = { createdAt: 1, updatedAt: 1 }
    const config = { mode: 'test', accountId: ACCOUNT }
    await s.ctx.write((tx) => tx.db.insert(t).values({ projectId: s.other.id, section: 'payment', config, ...stamps }))
    s.ctx.state.projects.forget(s.other.id)
    expect((await disconnect()).status).toBe(200)
    expect(provider.requests.some(({ path }) => path === '/oauth/deauthorize')).toBe(false)
  })

  test('keys of the project itself are no connection', async () => {
    await s.as('OWNER').put('/credentials/payment', { secretKey: 'sk_test_own', webhookSecret: 'w', mode: 'test' })
    expect(refusalOf(await view())).toEqual([404, 'NOT_FOUND'])
    expect(refusalOf(await disconnect())).toEqual([404, 'NOT_FOUND'])
    expect((await payment()).configured).toBe(true)
  })
})

describe('the connection while the provider', () => {
  test.each<[name: string, status: number, refusal: unknown[]]>([
    ['is away', 500, [503, 'STORE_UNAVAILABLE']],
    ['refuses', 403, [502, 'STORE_API_ERROR']],
  ])('%s', async (_name, status, refusal) => {
    await connect()
    provider.trouble = { status }
    expect(refusalOf(await view())).toEqual(refusal)
  })
})

describe('a price of a product', () => {
  const check = (id: string) => requirePrice(s.ctx, s.project.id, id)

  test('must be one of the connected account', async () => {
    await connect()
    provider.prices = [soldAs('price_1', 'Pro')]
    await check('price_1')
    await expect(check('price_2')).rejects.toMatchObject({ refusal: 'PAYMENT_PRICE_NOT_FOUND', status: 400 })
    expect(provider.requests.at(-1)).toMatchObject({ path: '/v1/prices/price_2', account: ACCOUNT })
  })

  test('cannot be checked without an account, and of the test store need not be', async () => {
    await check('price_2')
    await connect()
    const asked = provider.requests.length
    await check('price_sim0123456789ab00000001')
    expect(provider.requests.length).toBe(asked)
  })

  test('cannot be checked while the provider is away', async () => {
    await connect()
    provider.trouble = { status: 500 }
    await expect(check('price_1')).rejects.toMatchObject({ refusal: 'STORE_UNAVAILABLE' })
    provider.trouble = { status: 400 }
    await expect(check('price_1')).rejects.toMatchObject({ refusal: 'STORE_API_ERROR' })
  })

  test('is checked by the hook of the catalogue', () => {
    expect(s.ctx.hooks.checkPaymentPrice?.length).toBe(1)
  })
})
