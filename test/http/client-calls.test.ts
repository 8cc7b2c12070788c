import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../../src/sdk/core/client'
import type { Fetch } from '../../src/sdk/core/globals'
import { configure } from '../../src/sdk/node'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { clearRemote, configure as configureRemote } from '../support/remote'

// The client against the server itself: what one sends, the other takes.

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterEach(() => clearRemote(s))
afterAll(() => s.close())

const clients: Client[] = []
afterAll(() => {
  for (const client of clients) client.shutdown()
})

async function newClient(): Promise<{ client: Client; paths: string[] }> {
  const paths: string[] = []
  const fetch: Fetch = (url, options) => {
    paths.push(url.replace('http://localhost', ''))
    return s.app.handle(new Request(url, options as RequestInit)) as unknown as ReturnType<Fetch>
  }
  const client = await configure({ apiKey: s.project.publicKey, baseUrl: 'http://localhost', fetch, logLevel: 'off' })
  clients.push(client)
  return { client, paths }
}

describe('the client and the server', () => {
  test('a new install has no access, and reads its start in one call', async () => {
    const { client, paths } = await newClient()
    const [entitlements, offerings, balances] = await Promise.all([
      client.entitlements(),
      client.offerings(),
      client.balances(),
    ])
    expect([entitlements.value, balances.value]).toEqual([[], {}])
    expect(offerings.value.current?.packages.length).toBeGreaterThan(0)
    expect(paths).toEqual(['/v1/me/bootstrap?include=entitlements,offerings,balances'])
  })

  test('a receipt gives access, and identify takes it to another install', async () => {
    const { client } = await newClient()
    const receipt = s.sign(s.buy(MONTHLY))
    const bought = await client.postReceipt({ store: 'ios', receipt, productId: 'pro_monthly' })
    expect(bought.entitlements).toMatchObject([{ id: 'pro', isActive: true, store: 'IOS_STORE' }])
    expect(await client.identify('user_ada')).toEqual({ synced: true })
    const { client: other } = await newClient()
    expect(await other.isEntitled('pro')).toBe(false)
    expect(await other.identify('user_ada')).toEqual({ synced: true })
    expect(await other.isEntitled('pro')).toBe(true)
    await other.logOut()
    expect(await other.isEntitled('pro')).toBe(false)
  })

  test('a receipt that is none is ReceiptInvalid', async () => {
    const { client } = await newClient()
    const refused = client.postReceipt({ store: 'ios', receipt: 'nonsense', productId: 'pro_monthly' })
    expect(await refused.catch((error) => error)).toMatchObject({ kind: 'ReceiptInvalid', code: 'RECEIPT_INVALID' })
  })

  test('attributes reach the subscriber and decide a flag', async () => {
    const rules = [{ conditions: { plan: 'gold' }, value: true }]
    await configureRemote(s, { flags: [{ key: 'gold_theme', rules }] })
    const { client } = await newClient()
    await client.refreshConfig()
    expect(client.flag('gold_theme', true)).toBe(false)
    client.setAttributes({ plan: 'gold', $email: 'ada@example.com' })
    expect(await client.flushAttributes()).toBe(2)
    await client.refreshConfig()
    expect(client.flag('gold_theme', false)).toBe(true)
  })

  test('attributes that the server refuses are dropped with its message', async () => {
    const { client } = await newClient()
    client.setAttributes({ 'not a key': 'x' })
    expect(await client.flushAttributes().catch((error) => error)).toMatchObject({
      kind: 'InvalidArgument',
      message: expect.stringContaining('not a key'),
    })
    expect(await client.flushAttributes()).toBe(0)
  })

  test('events are taken, also the one about those that were dropped', async () => {
    const { client } = await newClient()
    await client.track({ eventType: 'opened', amount: '9.99', currency: 'USD' })
    await client.track({ eventType: 'client.dropped', amount: '3' })
    await client.track({ eventType: 'opened', identityContext: { email: 'ada@example.com' } })
    const wrong = client.track({ eventType: 'opened', amount: 'much' })
    expect(await wrong.catch((error) => error.kind)).toBe('InvalidArgument')
  })

  test('an unknown placement shows nothing, and unknown tokens are named so', async () => {
    const { client } = await newClient()
    expect((await client.placement('nowhere', { locale: 'de' })).value).toEqual({
      placement: null,
      funnel: null,
      experiment: null,
      offering: null,
    })
    const token = `svc_ft_${'a'.repeat(40)}`
    expect(await client.claimFunnelToken(token).catch((error) => error.kind)).toBe('FunnelTokenNotFound')
    expect(await client.claimFunnelInstall({ platform: 'ios', locale: 'de' })).toBeNull()
    expect(await client.claimFunnelEmail('nobody@example.com')).toBeUndefined()
  })

  test('the stream brings changes of flags', async () => {
    const { client } = await newClient()
    const changed = new Promise<void>((resolve) => {
      client.on(({ type }) => {
        if (type === 'REMOTE_CONFIG_CHANGED' && client.flag('live', false)) resolve()
      })
    })
    const stop = client.watchConfig()
    await configureRemote(s, { flags: [{ key: 'live', defaultValue: true }] })
    await changed
    stop()
  })

  test('a key that is none is InvalidApiKey', async () => {
    const client = await configure({
      apiKey: `svc_pub_${'0'.repeat(32)}`,
      baseUrl: 'http://localhost',
      fetch: (url, options) => s.app.handle(new Request(url, options as RequestInit)) as unknown as ReturnType<Fetch>,
    })
    expect(await client.entitlements().catch((error) => error)).toMatchObject({
      kind: 'InvalidApiKey',
      code: 'INVALID_API_KEY',
      requestId: expect.stringMatching(/^req_/),
    })
  })
})
