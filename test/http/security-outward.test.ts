import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { MONTHLY } from '../support/cast'
import { deviceOwner, happen } from '../support/deliveries'
import { MIXPANEL_TOKEN } from '../support/integrations/mixpanel'
import { AMPLITUDE_BODY, type IntegrationStage, integrationStage, META_BODY } from '../support/integrations/stage'
import { dataOf } from '../support/operator'
import { type Received, type Receiver, startReceiver } from '../support/receiver'
import type { StaffCalls } from '../support/staff'
import { postEvent } from '../support/telemetry'

let i: IntegrationStage
let owner: StaffCalls
let receiver: Receiver
beforeEach(async () => {
  receiver = startReceiver()
  i = await integrationStage({ SVC_LOG_LEVEL: 'debug' })
  owner = i.team.as('OWNER')
})
afterEach(async () => {
  await i.close()
  await receiver.close()
})

const run = () => i.s.ctx.state.dispatcher.runDue()
const asText = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one))

/** Everything that is saved or logged: all rows, the bytes of the files, and the lines of the log. */
async function everything(): Promise<[place: string, text: string][]> {
  const { ctx } = i.s
  const places: [string, string][] = [['log', ctx.lines.join('\n')]]
  for (const [name, table] of Object.entries(ctx.tables)) places.push([name, asText(await ctx.db.select().from(table))])
  for (const file of readdirSync(ctx.config.dataDir, { recursive: true, withFileTypes: true }))
    if (file.isFile()) places.push([file.name, readFileSync(join(file.parentPath, file.name), 'latin1')])
  return places
}

/** What people and their tools are shown. */
async function answers(): Promise<[place: string, text: string][]> {
  const paths = ['/webhook-endpoints', '/webhook-deliveries', '/integrations', '/audit-log', '/project-file', '/events']
  const found: [string, string][] = []
  for (const path of paths) found.push([path, asText((await owner.get(path)).body ?? '')])
  for (const { id } of await i.s.ctx.db.select().from(i.s.ctx.tables.deliveries))
    found.push([id, asText((await owner.get(`/webhook-deliveries/${id}`)).body)])
  for (const { id } of await i.s.ctx.db.select().from(i.s.ctx.tables.integrations))
    found.push([id, asText((await owner.get(`/integrations/${id}/deliveries`)).body)])
  return found
}

async function expectNowhere(secrets: readonly string[]): Promise<void> {
  const places = [...(await everything()), ...(await answers())]
  const found = secrets.flatMap((secret) =>
    places.filter(([, text]) => text.includes(secret)).map(([place]) => `${place}: ${secret}`),
  )
  expect(found).toEqual([])
}

/** Repeats everything that it got. */
const echo = (one: Received, status: number) => Response.json(one, { status })

test('signing secrets, signatures and authorizations are nowhere, also when a receiver repeats them', async () => {
  const token = 'chosen-Token/with+signs=='
  const made = { url: `${receiver.url}/hooks`, eventTypes: ['*'], authorization: `Bearer ${token}` }
  const headers = { 'idempotency-key': 'once' }
  const first = await dataOf(owner.post('/webhook-endpoints', { ...made, name: 'a' }, { headers }))
  const again = await dataOf(owner.post('/webhook-endpoints', { ...made, name: 'a' }, { headers }))
  expect(again).toEqual(first)
  const vendor = await dataOf(owner.post('/webhook-endpoints', { ...made, name: 'b', format: 'revenuecat' }))
  const rotated = await dataOf(owner.post(`/webhook-endpoints/${first.id}/rotate-secret`, {}, { headers }))
  let status = 500
  receiver.respond = (one) => echo(one, status)
  expect((await i.s.receipt('svc_ada', i.s.buy(MONTHLY))).status).toBe(200)
  await run()
  i.s.ctx.clock.advance(MINUTE)
  status = 200
  await run()
  for (const { id } of [first, vendor]) await dataOf(owner.post(`/webhook-endpoints/${id}/test`, {}))
  await owner.patch(`/webhook-endpoints/${first.id}`, { authorization: `${token}2`, url: `${receiver.url}/x?token=y` })
  await owner.patch(`/webhook-endpoints/${first.id}`, { authorization: `${token}2` })
  const sent = receiver.received.map((one) => one.headers)
  expect(sent.some((one) => one.authorization === `Bearer ${token}`)).toBe(true)
  const signatures = sent.flatMap((one) => one['webhook-signature']?.split(' ') ?? []).map((one) => one.slice(3))
  expect(signatures.length).toBeGreaterThan(4)
  const keys = [first.secret, vendor.secret, rotated.secret].map((secret: string) => secret.slice('whsec_'.length))
  await expectNowhere([token, token.replaceAll('/', '\\/'), ...keys, ...signatures])
})

test('credentials of connections are nowhere, also when a provider repeats them', async () => {
  const headers = { 'idempotency-key': 'once' }
  const mixpanel = { provider: 'MIXPANEL', credentials: { projectToken: MIXPANEL_TOKEN, region: 'US' } }
  const basic = Buffer.from(`${MIXPANEL_TOKEN}:`).toString('base64')
  const bodies = [
    { ...AMPLITUDE_BODY, includeSandbox: true },
    { ...mixpanel, enabledEvents: ['*'], includeSandbox: true },
  ]
  const chat = 'https://hooks.example.com/services/T0/B0/chat-secret-0001'
  for (const body of bodies)
    await dataOf(owner.post('/integrations', body, { headers: { 'idempotency-key': body.provider } }))
  await owner.post('/integrations/validate', mixpanel, { headers })
  await owner.post('/integrations', { provider: 'SLACK', credentials: { webhookUrl: chat }, enabledEvents: ['*'] })
  i.server.answerNext('mixpanel', { status: 500, body: `sent: Basic ${basic} ${MIXPANEL_TOKEN}` })
  i.server.answerNext('amplitude', { status: 500, body: `{"key":"${AMPLITUDE_BODY.credentials.apiKey}"}` })
  await i.s.receipt('svc_ada', i.s.buy(MONTHLY))
  await run()
  const rows = await i.s.ctx.db.select().from(i.s.ctx.tables.deliveries)
  expect(rows.map(({ lastStatusCode }) => lastStatusCode)).toContain(500)
  const bad = { ...mixpanel, credentials: { projectToken: 'with spaces inside', region: 'US' } }
  expect(asText((await owner.post('/integrations', bad)).body)).not.toContain('with spaces')
  const secrets = [MIXPANEL_TOKEN, basic.replace(/=+$/, ''), AMPLITUDE_BODY.credentials.apiKey, 'chat-secret-0001']
  await expectNowhere(secrets)
  // Of a body with credentials no plain hash is kept either: it would tell whether somebody has guessed them.
  await expectNowhere([new Bun.CryptoHasher('sha256').update(JSON.stringify(mixpanel)).digest('hex')])
})

test('address and agent of a track event are nowhere in clear, and are gone with the delivery', async () => {
  await dataOf(owner.post('/integrations', { ...META_BODY, eventMapping: { level_up: 'LevelUp' } }))
  const [ip, userAgent, email] = ['203.0.113.77', 'secret-agent/9', 'ada.private@example.com']
  const event = { eventType: 'level_up', subscriberId: 'svc_ada', identityContext: { ip, userAgent, email } }
  const down = { status: 500, body: `{"error":"${ip} ${userAgent}"}` }
  i.server.answerNext('meta_capi', down)
  expect((await postEvent(i.s, event, { headers: { 'idempotency-key': 'once' } })).status).toBe(202)
  await expectNowhere([ip, userAgent, email])
  await run()
  expect(i.server.callsOf('meta_capi').some(({ body }) => body.includes(userAgent))).toBe(true)
  i.s.ctx.clock.advance(DAY)
  await run()
  const [row] = await i.s.ctx.db.select().from(i.s.ctx.tables.deliveries)
  expect([row?.status, row?.payload?.includes('sealed')]).toEqual(['SUCCEEDED', false])
  await expectNowhere([ip, userAgent, email])
})

test('a header cannot be put into a request by an authorization, a name or what an event says', async () => {
  const made = { url: `${receiver.url}/hooks`, eventTypes: ['*'] }
  for (const authorization of ['a\r\nx-evil: 1', 'a\nb', '\u0000', 'ü', ' a', 'a ', ''])
    expect([
      authorization,
      (await owner.post('/webhook-endpoints', { ...made, name: 'a', authorization })).status,
    ]).toEqual([authorization, 400])
  expect((await owner.post('/webhook-endpoints', { ...made, name: 'a\r\nx-evil: 1' })).status).toBe(400)
  await dataOf(owner.post('/webhook-endpoints', { ...made, name: 'a' }))
  await happen(i.s, await deviceOwner(i.s, 'svc_x'), [{}])
  await run()
  expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('x-evil')
})

const BAD: Record<string, Record<string, unknown>[]> = {
  BRAZE: [
    'https://rest.fra-02.braze.eu@evil.example',
    'https://rest.fra-02.braze.eu.evil.example',
    'https://rest.fra-02.braze.eu/evil?x',
    'https://rest.fra-02.braze.eu\n',
    'https://evil.example/rest.fra-02.braze.eu',
    'http://rest.fra-02.braze.eu',
  ].map((endpoint) => ({ apiKey: 'k', endpoint })),
  AIRBRIDGE: ['a/../b', 'a@evil.example', 'a?b', 'a#b', 'a\n'].map((appName) => ({
    ...{ appName, apiToken: 't', iosAppId: 'com.x' },
  })),
  APPSFLYER: [
    { androidAppId: '../x', androidKey: 'k' },
    { androidAppId: 'com.x', androidKey: 'k\r\nx: 1' },
  ],
  ONESIGNAL: [
    { apiKey: 'k', appId: '../../evil' },
    { apiKey: 'k\nx: 1', appId: '00000000-0000-4000-8000-000000000000' },
  ],
  ITERABLE: [{ apiKey: 'k', endpoint: 'https://evil.example' }, { apiKey: 'k\r\nx: 1' }],
  AMPLITUDE: [{ apiKey: 'k', region: 'US@evil.example' }],
  MIXPANEL: [
    { projectToken: 'a:b', region: 'US' },
    { projectToken: 'a', region: 'https://evil.example' },
  ],
  META_CAPI: [
    { pixelId: '1/../evil', accessToken: 't' },
    { pixelId: '12345\n', accessToken: 't' },
  ],
  TIKTOK_EVENTS: [{ pixelCode: 'ABCDE', accessToken: 'a\r\nx: 1' }],
  ADJUST: [{ iosAppId: 'abc', iosKey: 'k\r\nx: 1', eventTokens: {} }],
  FIREBASE: [{ measurementId: 'G-ABCD/../x', apiSecret: 's' }],
}

test('no member of credentials leads to another host, path or header', async () => {
  for (const [provider, all] of Object.entries(BAD))
    for (const credentials of all) {
      const { status, body } = await owner.post('/integrations', { provider, credentials, enabledEvents: ['*'] })
      expect([provider, credentials, status, body.error?.code]).toEqual([
        provider,
        credentials,
        400,
        'VALIDATION_ERROR',
      ])
    }
  expect(i.server.calls).toEqual([])
})

test('an address in the credentials of a chat is checked like the address of a webhook', async () => {
  const addresses = {
    'https://user:pass@hooks.example.com/x': 'userinfo',
    'http://hooks.example.com/x': 'insecure',
    'ftp://hooks.example.com/x': 'scheme',
    'https://10.0.0.1/x': 'private_address',
    'https://[::ffff:10.0.0.1]/x': 'private_address',
    'https://metadata.internal/x': 'host_not_allowed',
    'https://hooks.example.com/x?token=abc': 'credentials_shape',
    nonsense: 'malformed',
  }
  for (const provider of ['SLACK', 'DISCORD'])
    for (const [webhookUrl, reason] of Object.entries(addresses)) {
      const { status, body } = await owner.post('/integrations', {
        ...{ provider, credentials: { webhookUrl }, enabledEvents: ['*'] },
      })
      expect([webhookUrl, status, body.error?.details]).toEqual([webhookUrl, 400, { reason }])
    }
  expect(i.server.calls).toEqual([])
})
