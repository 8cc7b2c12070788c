import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { PROVIDERS } from '../../src/outward/integrations/registry'
import { MONTHLY } from '../support/cast'
import { identify, refund } from '../support/facts'
import { ADJUST_KEYS } from '../support/integrations/adjust'
import { AIRBRIDGE_KEYS } from '../support/integrations/airbridge'
import { APPSFLYER_KEYS } from '../support/integrations/appsflyer'
import { BRAZE_KEYS } from '../support/integrations/braze'
import { DISCORD_KEYS } from '../support/integrations/discord'
import { ITERABLE_KEYS } from '../support/integrations/iterable'
import { ONESIGNAL_KEYS, UNKNOWN_PERSON } from '../support/integrations/onesignal'
import type { SeenCall } from '../support/integrations/server'
import { SINGULAR_KEYS } from '../support/integrations/singular'
import { SLACK_KEYS } from '../support/integrations/slack'
import { type IntegrationStage, integrationStage } from '../support/integrations/stage'

interface Case {
  provider: string
  credentials: object
  /** Members that are changed to be refused, and the reason. */
  wrong: [change: object, reason: string]
  /** Credentials whose form is right and that still cannot be used; the provider is not asked. */
  useless?: [credentials: object, reason: string]
  secrets: string[]
  /** The requests that ask about the credentials, and those that tell of one purchase. */
  probe: string[]
  purchase: string[]
  /** What a provider answers that is down for a moment in its own way; 401 where it is absent. */
  badKey?: { status: number; body: string }
}

const CASES: Case[] = [
  {
    provider: 'APPSFLYER',
    credentials: APPSFLYER_KEYS,
    wrong: [{ androidKey: 'another-key' }, 'unauthorized'],
    useless: [{ iosAppId: 'id123456789' }, 'incomplete_app'],
    secrets: [APPSFLYER_KEYS.iosKey, APPSFLYER_KEYS.androidKey],
    probe: ['POST /inappevent/id123456789', 'POST /inappevent/com.example.app'],
    purchase: ['POST /inappevent/id123456789'],
  },
  {
    provider: 'ADJUST',
    credentials: ADJUST_KEYS,
    wrong: [{ androidAppId: 'unknownapp12' }, 'unknown_app'],
    useless: [{ eventTokens: {} }, 'missing_app'],
    secrets: [ADJUST_KEYS.iosKey],
    probe: ['POST /event', 'POST /event'],
    purchase: ['POST /event'],
  },
  {
    provider: 'AIRBRIDGE',
    credentials: AIRBRIDGE_KEYS,
    wrong: [{ apiToken: 'another-token' }, 'unauthorized'],
    useless: [{ appName: 'exampleapp', apiToken: 'airbridge-api-token-1' }, 'missing_app'],
    secrets: [AIRBRIDGE_KEYS.apiToken],
    probe: ['POST /events/v1/apps/exampleapp/mobile-app/9360'],
    purchase: ['POST /events/v1/apps/exampleapp/mobile-app/9360'],
  },
  {
    provider: 'SINGULAR',
    credentials: SINGULAR_KEYS,
    wrong: [{ sdkKey: 'another_key' }, 'unauthorized'],
    useless: [{ sdkKey: 'example_sdk_key_1' }, 'missing_app'],
    secrets: [SINGULAR_KEYS.sdkKey],
    probe: ['GET /api/v1/evt'],
    purchase: ['GET /api/v1/evt'],
    badKey: { status: 200, body: '{"status":"error","reason":"invalid api key"}' },
  },
  {
    provider: 'BRAZE',
    credentials: BRAZE_KEYS,
    wrong: [{ apiKey: 'another-key' }, 'unauthorized'],
    secrets: [BRAZE_KEYS.apiKey],
    probe: ['POST /users/track'],
    purchase: ['POST /users/track'],
  },
  {
    provider: 'ONESIGNAL',
    credentials: ONESIGNAL_KEYS,
    wrong: [{ apiKey: 'another-key' }, 'unauthorized'],
    secrets: [ONESIGNAL_KEYS.apiKey],
    probe: [`GET /apps/${ONESIGNAL_KEYS.appId}/segments`],
    purchase: [
      `PATCH /apps/${ONESIGNAL_KEYS.appId}/users/by/external_id/user_1`,
      `POST /apps/${ONESIGNAL_KEYS.appId}/custom_events`,
    ],
  },
  {
    provider: 'ITERABLE',
    credentials: ITERABLE_KEYS,
    wrong: [{ apiKey: 'another-key' }, 'unauthorized'],
    secrets: [ITERABLE_KEYS.apiKey],
    probe: ['GET /api/users/getFields'],
    purchase: ['POST /api/users/update', 'POST /api/events/track'],
  },
  {
    provider: 'SLACK',
    credentials: SLACK_KEYS,
    wrong: [{ webhookUrl: 'https://hooks.slack.com/services/T1/B1/deleted-webhook' }, 'no_service'],
    secrets: ['slackexamplesecret1'],
    probe: [`POST ${new URL(SLACK_KEYS.webhookUrl).pathname}`],
    purchase: [`POST ${new URL(SLACK_KEYS.webhookUrl).pathname}`],
  },
  {
    provider: 'DISCORD',
    credentials: DISCORD_KEYS,
    wrong: [{ webhookUrl: 'https://discord.com/api/webhooks/123456789012345678/deleted' }, 'unknown_webhook'],
    secrets: ['discord-example-token-1'],
    probe: [`GET ${new URL(DISCORD_KEYS.webhookUrl).pathname}`],
    purchase: [`POST ${new URL(DISCORD_KEYS.webhookUrl).pathname}`],
  },
]

let i: IntegrationStage
beforeAll(async () => {
  i = await integrationStage()
  await identify(i.s, 'svc_ada', 'user_1')
  const attributes = {
    $attConsentStatus: 'authorized',
    $idfa: 'D2CADB5F-410F-4963-AC0C-2A78534BDF1E',
    $idfv: '37EEC3E0-BF15-412E-ADBA-7D2E82E7A75F',
    $appsflyerId: '1415211453000-6513894',
    $adjustId: '18546f6171f67e29d1cb983322ad1329',
  }
  const saved = await i.s.post('/v1/subscribers/svc_ada/attributes', { attributes })
  expect(saved.status).toBe(200)
})
afterAll(() => i.close())

const admin = () => i.team.as('ADMIN')
const shown = (calls: SeenCall[]) => calls.map(({ method, path }) => `${method} ${path}`)
const lookAt = async (id: string) => {
  const { body } = await admin().get('/integrations?limit=200')
  return body.data.items.find((one: { id: string }) => one.id === id)
}
/** The newest delivery of a type that the connection wants. */
const newest = async (id: string) => {
  const { body } = await admin().get(`/integrations/${id}/deliveries?limit=20`)
  return body.data.items.find((one: { skipReason: string | null }) => one.skipReason !== 'filtered_by_event_scope')
}
const run = () => i.s.ctx.state.dispatcher.runDue()

async function buy() {
  i.s.ctx.clock.advance(MINUTE)
  const { status } = await i.s.receipt('svc_ada', i.s.buy(MONTHLY))
  expect(status).toBe(200)
  await run()
}

/** The calls of a provider that `work` led to. */
async function callsIn(provider: string, work: () => Promise<unknown>): Promise<SeenCall[]> {
  const before = i.server.callsOf(provider).length
  await work()
  return i.server.callsOf(provider).slice(before)
}

const isAccepted = ({ answered }: SeenCall) => answered.status < 300 && !answered.body.includes('"status":"error"')

/** Connected and sent to in `integrations.test.ts`. */
const ELSEWHERE = ['META_CAPI', 'TIKTOK_EVENTS', 'AMPLITUDE', 'MIXPANEL', 'FIREBASE']

test('every provider is connected over the API by a test', () => {
  const connected = [...CASES.map(({ provider }) => provider), ...ELSEWHERE]
  expect(PROVIDERS.map(({ name }) => name).sort()).toEqual(connected.sort())
})

describe.each(CASES)('$provider', ({ provider, credentials, wrong, useless, secrets, probe, purchase, badKey }) => {
  const name = provider.toLowerCase()
  const input = { provider, credentials, enabledEvents: ['purchase.initial'], includeSandbox: true }
  const validate = async (given: object) => {
    i.s.ctx.clock.advance(MINUTE) // A member may ask 20 times a minute.
    const { status, body } = await i.team
      .as('DEVELOPER')
      .post('/integrations/validate', { provider, credentials: given })
    return status === 200 ? 'ok' : [status, body.error.code, body.error.details?.reason ?? null]
  }
  const refused = (reason: string) => [400, 'INTEGRATION_CREDENTIALS_REJECTED', reason]
  const without = async (work: () => Promise<unknown>) => expect(shown(await callsIn(name, work))).toEqual([])
  let id: string

  test('refuses credentials with the reason, and shows none of them', async () => {
    const [change, reason] = wrong
    const answer = await admin().post('/integrations', { ...input, credentials: { ...credentials, ...change } })
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      400,
      'INTEGRATION_CREDENTIALS_REJECTED',
      { reason },
    ])
    for (const value of Object.values(change)) expect(JSON.stringify(answer.body)).not.toContain(value)
    expect((await admin().get('/integrations?limit=200')).body.data.items).toEqual([])
  })

  test('is not asked about credentials of a wrong form', async () => {
    const form = [400, 'VALIDATION_ERROR', null]
    await without(async () => expect(await validate({ ...credentials, more: 1 })).toEqual(form))
    await without(async () => expect(await validate({})).toEqual(useless ? expect.anything() : form))
    for (const member of Object.keys(credentials))
      await without(async () => expect(await validate({ ...credentials, [member]: 5 })).toEqual(form))
    if (useless) await without(async () => expect(await validate(useless[0])).toEqual(refused(useless[1])))
  })

  test('that is down, answers garbage or hangs up accepts nothing', async () => {
    i.server.answerNext(name, { status: 503, body: 'down' })
    expect(await validate(credentials)).toEqual(refused('unreachable'))
    i.server.answerNext(name, { status: 200, body: '<html>Sign in to the network</html>' })
    expect(await validate(credentials)).toEqual(refused('unexpected_answer'))
    i.server.answerNext(name, { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } })
    expect(await validate(credentials)).toEqual(refused('refused'))
    expect(await validate(credentials)).toBe('ok')
  })

  test('is asked in a way that records nothing, then connected', async () => {
    const calls = await callsIn(name, async () => {
      const { status, body } = await admin().post('/integrations', input)
      expect(status).toBe(201)
      id = body.data.id
      for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret)
    })
    expect(shown(calls)).toEqual(probe)
    expect(calls.filter((call) => call.method !== 'GET' && isAccepted(call))).toEqual([])
  })

  test('gets a purchase of the test store as it publishes', async () => {
    const calls = await callsIn(name, buy)
    expect(shown(calls)).toEqual(purchase)
    expect(calls.every(isAccepted)).toBe(true)
    expect(JSON.stringify(calls.map(({ query, body }) => [String(query), body]))).toContain('9.99')
    expect(await newest(id)).toMatchObject({ type: 'purchase.initial', status: 'SUCCEEDED', attempts: 1 })
    expect(await lookAt(id)).toMatchObject({ lastError: null, lastSuccessAt: toIso(i.s.ctx.clock.now()) })
  })

  test('that refuses the key later is tried again, and the connection says so until it works', async () => {
    i.server.answerNext(name, badKey ?? { status: 401, body: `bad key ${secrets[0]}` })
    await buy()
    expect(await newest(id)).toMatchObject({ status: 'FAILED', attempts: 1, lastStatusCode: badKey ? 422 : 401 })
    const { lastError } = await lookAt(id)
    expect(lastError).toEqual(expect.any(String))
    expect(lastError).not.toContain(secrets[0])
    i.s.ctx.clock.advance(MINUTE)
    expect(shown(await callsIn(name, run))).toEqual(purchase)
    expect(await newest(id)).toMatchObject({ status: 'SUCCEEDED', attempts: 2 })
    expect((await lookAt(id)).lastError).toBeNull()
  })

  test('that asks for time gets it', async () => {
    i.server.answerNext(name, { status: 429, body: 'slower', headers: { 'retry-after': '600' } })
    await buy()
    const asked = i.s.ctx.clock.now() + 600 * SECOND
    const { status, nextAttemptAt } = await newest(id)
    expect([status, nextAttemptAt]).toEqual(['FAILED', toIso(asked)])
    i.s.ctx.clock.advance(599 * SECOND)
    await without(run)
    i.s.ctx.clock.advance(SECOND)
    await run()
    expect(await newest(id)).toMatchObject({ status: 'SUCCEEDED', attempts: 2 })
  })

  test('that answers garbage with 200 has not got the event', async () => {
    i.server.answerNext(name, { status: 200, body: '<html>Sign in to the network</html>' })
    await buy()
    expect(await newest(id)).toMatchObject({ status: 'FAILED', attempts: 1 })
    i.s.ctx.clock.advance(MINUTE)
    await run()
    expect((await newest(id)).status).toBe('SUCCEEDED')
  })

  test('gets a test send, and no second attempt of one', async () => {
    const calls = await callsIn(name, async () => {
      const { status, body } = await i.team.as('DEVELOPER').post(`/integrations/${id}/test`)
      expect([status, body.data.status, body.data.isTest]).toEqual([200, 'SUCCEEDED', true])
    })
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.every(isAccepted)).toBe(true)
    i.server.answerNext(name, { status: 500, body: '' })
    const { body } = await i.team.as('DEVELOPER').post(`/integrations/${id}/test`)
    expect([body.data.status, body.data.attempts]).toEqual(['DEAD', 1])
  })

  test('gets no sandbox purchase that is not wanted, and nothing after it was removed', async () => {
    expect((await admin().patch(`/integrations/${id}`, { includeSandbox: false })).status).toBe(200)
    await without(buy)
    expect(await newest(id)).toMatchObject({ status: 'SKIPPED', skipReason: 'sandbox', attempts: 0 })
    expect((await admin().delete(`/integrations/${id}`)).status).toBe(200)
    await without(buy)
  })
})

describe('consent', () => {
  test('without it no id of a device leaves, and the delivery says why', async () => {
    await i.s.post('/v1/subscribers/svc_ada/attributes', { attributes: { $attConsentStatus: 'denied' } })
    const connections = [
      { provider: 'APPSFLYER', credentials: APPSFLYER_KEYS },
      { provider: 'ADJUST', credentials: ADJUST_KEYS },
      { provider: 'SINGULAR', credentials: SINGULAR_KEYS },
      { provider: 'AIRBRIDGE', credentials: AIRBRIDGE_KEYS },
    ]
    const ids: string[] = []
    for (const one of connections) {
      const { body } = await admin().post('/integrations', { ...one, enabledEvents: ['*'], includeSandbox: true })
      ids.push(body.data.id)
    }
    const before = i.server.calls.length
    await buy()
    const calls = i.server.calls.slice(before)
    expect(new Set(calls.map(({ provider }) => provider))).toEqual(new Set(['airbridge']))
    expect(JSON.stringify(calls.map(({ body }) => body))).not.toMatch(/D2CADB5F|37EEC3E0|1415211453000|18546f61/)
    for (const id of ids.slice(0, 3)) {
      const { body } = await admin().get(`/integrations/${id}/deliveries?type=purchase.initial&limit=1`)
      expect(body.data.items[0]).toMatchObject({ status: 'SKIPPED', skipReason: 'no_consent' })
    }
    for (const id of ids) await admin().delete(`/integrations/${id}`)
  })
})

describe('lifecycle', () => {
  test('a late attempt of an old event does not bring back the access of its time', async () => {
    await identify(i.s, 'svc_cy', 'user_3')
    const input = { provider: 'ITERABLE', credentials: ITERABLE_KEYS, includeSandbox: true }
    const { body } = await admin().post('/integrations', { ...input, enabledEvents: ['purchase.*'] })
    const bought = i.s.buy(MONTHLY)
    i.server.answerNext('iterable', { status: 500, body: '' })
    await i.s.receipt('svc_cy', bought)
    await run()
    await i.s.receipt('svc_cy', refund(i.s, bought))
    await run()
    i.s.ctx.clock.advance(MINUTE)
    const late = await callsIn('iterable', run)
    expect(late.map((call) => JSON.parse(call.body))).toEqual([
      { userId: 'user_3', preferUserId: true, dataFields: { svcAccess: [] } },
      expect.objectContaining({ eventName: 'svc_purchase_initial' }),
    ])
    await admin().delete(`/integrations/${body.data.id}`)
  })

  test('a person whom OneSignal does not know is a failure', async () => {
    await identify(i.s, 'svc_dee', UNKNOWN_PERSON)
    const input = { provider: 'ONESIGNAL', credentials: ONESIGNAL_KEYS, includeSandbox: true }
    const { body } = await admin().post('/integrations', {
      ...input,
      enabledEvents: ['currency.*', 'purchase.initial'],
    })
    await i.s.receipt('svc_dee', i.s.buy(MONTHLY))
    await run()
    expect(await newest(body.data.id)).toMatchObject({ status: 'FAILED', lastStatusCode: 404 })
    await admin().delete(`/integrations/${body.data.id}`)
  })
})

describe('attribution', () => {
  test('what Adjust has already is a success, although it answers 400', async () => {
    await i.s.post('/v1/subscribers/svc_ada/attributes', { attributes: { $attConsentStatus: 'authorized' } })
    const input = { provider: 'ADJUST', credentials: ADJUST_KEYS, includeSandbox: true }
    const { body } = await admin().post('/integrations', { ...input, enabledEvents: ['purchase.initial'] })
    const told = '{"error":"Event request failed (Ignoring event, earlier unique event tracked)"}'
    i.server.answerNext('adjust', { status: 400, body: told })
    await buy()
    expect(await newest(body.data.id)).toMatchObject({ status: 'SUCCEEDED', attempts: 1 })
    i.server.answerNext('adjust', { status: 400, body: '{"error":"Event request failed (Invalid event token)"}' })
    await buy()
    expect(await newest(body.data.id)).toMatchObject({ status: 'FAILED', lastStatusCode: 400 })
    expect((await lookAt(body.data.id)).lastError).toEqual(expect.any(String))
    await admin().delete(`/integrations/${body.data.id}`)
  })
})

describe('chat', () => {
  const addresses: [address: string, reason: string][] = [
    ['no address', 'malformed'],
    ['ftp://hooks.slack.com/services/1', 'scheme'],
    ['https://user:password@hooks.slack.com/services/1', 'userinfo'],
    ['http://hooks.slack.com/services/1', 'insecure'],
    ['https://hooks.slack.com/services/1?token=abcdefabcdef', 'credentials_shape'],
    ['https://metadata.internal/hook', 'host_not_allowed'],
    ['https://10.0.0.1/hook', 'private_address'],
    ['https://[::ffff:169.254.169.254]/hook', 'private_address'],
    ['https://224.0.0.1/hook', 'not_routable'],
  ]
  test.each(addresses)('the address %s is refused as %s', async (webhookUrl, reason) => {
    const before = i.server.calls.length
    for (const provider of ['SLACK', 'DISCORD']) {
      const input = { provider, credentials: { webhookUrl }, enabledEvents: ['*'] }
      const { status, body } = await admin().post('/integrations', input)
      expect([status, body.error.code, body.error.details]).toEqual([400, 'WEBHOOK_URL_REJECTED', { reason }])
    }
    expect(i.server.calls.length).toBe(before)
  })

  test('has several connections, and each gets its own line', async () => {
    const input = { provider: 'SLACK', credentials: SLACK_KEYS, enabledEvents: ['purchase.*'], includeSandbox: true }
    const first = await admin().post('/integrations', input)
    const second = await admin().post('/integrations', input)
    expect([first.status, second.status]).toEqual([201, 201])
    const calls = await callsIn('slack', buy)
    expect(calls.map(({ body }) => JSON.parse(body).text)).toEqual(
      Array(2).fill('[Sandbox] New purchase: user_1, pro_monthly, 9.99 USD, App Store'),
    )
    for (const { body } of [first, second]) await admin().delete(`/integrations/${body.data.id}`)
  })

  test('a name cannot mention everybody or break the line', async () => {
    await identify(i.s, 'svc_mallory', '<!channel>\n@everyone **x** <@1>')
    const connections = [
      await admin().post('/integrations', {
        provider: 'SLACK',
        credentials: SLACK_KEYS,
        enabledEvents: ['*'],
        includeSandbox: true,
      }),
      await admin().post('/integrations', {
        provider: 'DISCORD',
        credentials: DISCORD_KEYS,
        enabledEvents: ['*'],
        includeSandbox: true,
      }),
    ]
    const before = i.server.calls.length
    await i.s.receipt('svc_mallory', i.s.buy(MONTHLY))
    await run()
    const sent = i.server.calls.slice(before)
    const textOf = (provider: string) => JSON.parse(sent.find((call) => call.provider === provider)?.body ?? '{}')
    expect(textOf('slack').text).toStartWith('[Sandbox] New purchase: &lt;!channel&gt; @everyone **x** &lt;@1&gt;, ')
    expect(textOf('discord')).toMatchObject({
      content: expect.stringContaining('\\<!channel\\> \\@everyone \\*\\*x\\*\\* \\<\\@1\\>, '),
      allowed_mentions: { parse: [] },
    })
    for (const { body } of connections) await admin().delete(`/integrations/${body.data.id}`)
  })

  test('says nothing about other events', async () => {
    const input = { provider: 'DISCORD', credentials: DISCORD_KEYS, enabledEvents: ['*'], includeSandbox: true }
    const { body } = await admin().post('/integrations', input)
    const calls = await callsIn('discord', async () => {
      await identify(i.s, 'svc_bo', 'user_2')
      await run()
    })
    expect(calls).toEqual([])
    expect(await newest(body.data.id)).toMatchObject({ status: 'SKIPPED', skipReason: 'no_mapping' })
    await admin().delete(`/integrations/${body.data.id}`)
  })
})
