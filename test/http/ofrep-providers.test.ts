import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider, type OFREPWebProviderOptions } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/server-sdk'
import { type Client, ClientProviderEvents, OpenFeature as OpenFeatureWeb, type Provider } from '@openfeature/web-sdk'
import { MINUTE } from '../../src/base/lib/clock'
import { createKey } from '../../src/projects/project/service'
import { MONTHLY, type Stage, stage } from '../support/cast'
import { serveStage } from '../support/ofrep'
import { configure } from '../support/remote'

// The standard providers from npm, unmodified, with a real server.

let s: Stage
let served: { url: string; stop(): Promise<void> }
beforeAll(async () => {
  s = await stage()
  served = serveStage(s)
  await configure(s, {
    flags: [
      { key: 'new_checkout', defaultValue: true },
      {
        key: 'greeting',
        type: 'STRING',
        defaultValue: 'hi',
        rules: [{ conditions: { country: 'TR' }, value: 'selam' }],
      },
      { key: 'max_items', type: 'NUMBER', defaultValue: 20.5 },
      { key: 'theme', type: 'JSON', defaultValue: { accent: '#d97757', sizes: [1, 2] } },
      { key: 'off', isEnabled: false, defaultValue: false, rules: [{ value: true }] },
      { key: 'paying', rules: [{ conditions: { 'svc.hasActive': true }, value: true }] },
      { key: 'staged', env: 'STAGING', defaultValue: true },
    ],
    experiments: [{ id: 'exp_1', key: 'checkout_test', type: 'OFFERING', variants: OFFERS }],
  })
  await s.receipt('svc_payer', s.buy(MONTHLY))
})
afterAll(async () => {
  await OpenFeature.close()
  await OpenFeatureWeb.close()
  await served.stop()
  await s.close()
})

const OFFERS = [
  { id: 'a', name: 'Control', weight: 0.5, value: 'standard' },
  { id: 'b', name: 'Treatment', weight: 0.5, value: 'summer' },
]
const BO = { targetingKey: 'svc_d4' } // Bucket 9080 of checkout_test.

let domains = 0

describe('the server provider', () => {
  async function client(key = s.project.secretKey, more: [string, string][] = []) {
    const domain = `server ${++domains}`
    const headers: [string, string][] = [['X-API-Key', key], ...more]
    await OpenFeature.setProviderAndWait(domain, new OFREPProvider({ baseUrl: served.url, headers }))
    return OpenFeature.getClient(domain)
  }

  test('gets values of all four types, with reason, variant and metadata', async () => {
    const flags = await client()
    expect(await flags.getBooleanValue('new_checkout', false, BO)).toBe(true)
    expect(await flags.getStringValue('greeting', '', BO)).toBe('hi')
    expect(await flags.getNumberValue('max_items', 0, BO)).toBe(20.5)
    expect(await flags.getObjectValue('theme', {}, BO)).toEqual({ accent: '#d97757', sizes: [1, 2] })
    expect(await flags.getStringDetails('greeting', '', { ...BO, country: 'TR' })).toMatchObject({
      value: 'selam',
      reason: 'TARGETING_MATCH',
      variant: 'rule:0',
      flagMetadata: { env: 'PROD', flagId: expect.stringMatching(/^flg_/) },
    })
  })

  test('gets what svc knows of the subscriber, and the flags of another environment', async () => {
    const flags = await client()
    expect(await flags.getBooleanValue('paying', false, { targetingKey: 'svc_payer' })).toBe(true)
    expect(await flags.getBooleanValue('paying', true, BO)).toBe(false)
    const staged = await client(s.project.publicKey, [['X-Svc-Env', 'staging']])
    expect(await staged.getBooleanValue('staged', false, BO)).toBe(true)
    expect(await flags.getBooleanValue('staged', false, BO)).toBe(false)
  })

  test('gets the variant of an experiment, and the default of a disabled flag', async () => {
    const flags = await client()
    expect(await flags.getStringDetails('checkout_test', '', BO)).toMatchObject({
      value: 'summer',
      reason: 'SPLIT',
      variant: 'b',
      flagMetadata: { experimentId: 'exp_1', experimentType: 'OFFERING' },
    })
    const off = await flags.getBooleanDetails('off', true, BO)
    expect([off.value, off.reason, off.errorCode]).toEqual([false, 'DISABLED', undefined])
  })

  test('keeps its own default where there is no answer, and knows why', async () => {
    const flags = await client()
    const cases = [
      [flags.getStringDetails('none', 'own', BO), 'FLAG_NOT_FOUND'],
      [flags.getStringDetails('', 'own', BO), 'FLAG_NOT_FOUND'],
      [flags.getStringDetails('constructor', 'own', BO), 'FLAG_NOT_FOUND'],
      [flags.getStringDetails('max_items', 'own', BO), 'TYPE_MISMATCH'],
      [flags.getStringDetails('greeting', 'own', {}), 'TARGETING_KEY_MISSING'],
      [flags.getStringDetails('greeting', 'own', { ...BO, bio: 'x'.repeat(501) }), 'INVALID_CONTEXT'],
      [(await client('svc_sec_none')).getStringDetails('greeting', 'own', BO), 'GENERAL'],
    ] as const
    for (const [asking, errorCode] of cases) {
      const { value, reason, ...rest } = await asking
      expect([value, reason, rest.errorCode]).toEqual(['own', 'ERROR', errorCode])
    }
    const details = await flags.getStringDetails('greeting', 'own', { ...BO, bio: 'x'.repeat(501) })
    expect(details.errorMessage).toBe('context.bio must have at most 500 characters')
  })

  test('pauses after 429 for as long as it was told', async () => {
    const { publicKey } = await createKey(s.ctx, s.project.id, { label: 'limited', ratePerMinute: 1 })
    const flags = await client(publicKey ?? '')
    expect(await flags.getBooleanValue('new_checkout', false, BO)).toBe(true)
    expect((await flags.getBooleanDetails('new_checkout', false, BO)).errorMessage).toContain('rate limit exceeded')
    s.ctx.clock.advance(MINUTE)
    expect((await flags.getBooleanDetails('new_checkout', false, BO)).errorMessage).toContain('evaluation paused')
  })
})

describe('the web provider', () => {
  /** The answers that the newest client got. */
  let seen: { status: number; sent: string | null }[] = []

  async function client(
    options: Partial<OFREPWebProviderOptions> = {},
    key = s.project.publicKey,
    context: object = BO,
  ) {
    const domain = `web ${++domains}`
    const answers: typeof seen = []
    seen = answers
    await OpenFeatureWeb.setContext(domain, context as typeof BO)
    const provider = new OFREPWebProvider({
      baseUrl: `${served.url}/v1/web/${s.project.publicKey}`,
      headers: [
        ['X-API-Key', key],
        ['Origin', 'https://app.example.com'], // A browser adds it by itself.
      ],
      cacheMode: 'disabled',
      changeDetection: 'polling',
      fetchImplementation: async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
        const answer = await fetch(input, init)
        answers.push({ status: answer.status, sent: (input as Request).headers.get('if-none-match') })
        return answer
      },
      ...options,
    })
    // Its types were compiled with less strict options.
    await OpenFeatureWeb.setProviderAndWait(domain, provider as Provider)
    return OpenFeatureWeb.getClient(domain)
  }

  /** Waits for the provider's next event of that kind. */
  const next = (flags: Client, event: ClientProviderEvents) =>
    new Promise<unknown>((resolve) => flags.addHandler(event, resolve))

  test('gets everything at once', async () => {
    const flags = await client()
    expect(flags.getBooleanValue('new_checkout', false)).toBe(true)
    expect(flags.getStringValue('greeting', '')).toBe('hi')
    expect(flags.getNumberValue('max_items', 0)).toBe(20.5)
    expect(flags.getObjectValue('theme', {})).toEqual({ accent: '#d97757', sizes: [1, 2] })
    expect(flags.getStringDetails('checkout_test', '')).toMatchObject({
      value: 'summer',
      reason: 'SPLIT',
      variant: 'b',
      flagMetadata: { experimentId: 'exp_1', experimentType: 'OFFERING' },
    })
    for (const [key, errorCode] of [
      ['none', 'FLAG_NOT_FOUND'],
      ['off', 'FLAG_NOT_FOUND'],
      ['staged', 'FLAG_NOT_FOUND'],
      ['max_items', 'TYPE_MISMATCH'],
    ] as const) {
      const { value, ...rest } = flags.getBooleanDetails(key, true)
      expect([key, value, String(rest.errorCode)]).toEqual([key, true, errorCode])
    }
  })

  test('asks again for another context', async () => {
    const flags = await client()
    await OpenFeatureWeb.setContext(`web ${domains}`, { ...BO, country: 'TR' } as typeof BO)
    expect(flags.getStringDetails('greeting', '')).toMatchObject({ value: 'selam', reason: 'TARGETING_MATCH' })
    await OpenFeatureWeb.setContext(`web ${domains}`, { targetingKey: 'svc_payer' })
    expect(flags.getBooleanValue('paying', false)).toBe(true)
  })

  test('polls with its tag: 304 while nothing changes, and the change when there is one', async () => {
    const flags = await client({ pollInterval: 20 })
    seen.length = 0
    while (seen.length < 3) await Bun.sleep(5)
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([304]))
    expect(seen[0]?.sent).toMatch(/^"[0-9a-f]{32}"$/)
    const changed = next(flags, ClientProviderEvents.ConfigurationChanged)
    await configure(s, { flags: [{ key: 'brand_new', defaultValue: true }] })
    expect(await changed).toMatchObject({ flagsChanged: ['brand_new'] })
    expect(flags.getBooleanValue('brand_new', false)).toBe(true)
    await OpenFeatureWeb.clearProviders()
  })

  test('is fatal without a good key, and not ready without somebody to ask for', async () => {
    const codeOf = (asking: Promise<unknown>) => asking.then(() => null).catch((error) => error.code ?? error.message)
    expect(await codeOf(client({}, `svc_pub_${'0'.repeat(32)}`))).toBe('PROVIDER_FATAL')
    expect(await codeOf(client({}, s.other.publicKey))).toBe('PROVIDER_FATAL')
    const headers: [string, string][] = [['X-API-Key', s.project.publicKey]]
    expect(await codeOf(client({ headers }))).toBe('PROVIDER_FATAL') // The request has no Origin header.
    expect(await codeOf(client({}, undefined, {}))).not.toBeNull()
  })

  test('waits after 429 and keeps what it has', async () => {
    const { publicKey } = await createKey(s.ctx, s.project.id, { label: 'limited', ratePerMinute: 1 })
    const baseUrl = `${served.url}/v1/web/${publicKey}`
    const flags = await client({ baseUrl, pollInterval: 20 }, publicKey ?? '')
    await next(flags, ClientProviderEvents.Stale)
    expect(flags.getBooleanValue('new_checkout', false)).toBe(true)
    expect(seen.map(({ status }) => status)).toEqual([200, 429])
    await OpenFeatureWeb.clearProviders()
  })
})
