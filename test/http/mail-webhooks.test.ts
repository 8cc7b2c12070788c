import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { hashAddress } from '../../src/operators/mail/suppression'
import { unsubscribeToken } from '../../src/operators/mail/unsubscribe-token'
import { type Stage, stage } from '../support/cast'

const SECRET = 'a-secret-of-the-provider'
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PUBLIC_KEY = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

let s: Stage
afterEach(() => s.close())

const open = async (webhook?: string) => {
  s = await stage(webhook === undefined ? {} : { env: { SVC_MAIL_WEBHOOK_SECRET: webhook } })
}
const suppressed = async () => {
  const rows = await s.ctx.db.select().from(s.ctx.tables.mailSuppressions)
  return rows.map(({ addressHash, reason }) => [addressHash, reason]).sort()
}
const ADA = hashAddress('ada@example.com')
const BO = hashAddress('bo@example.com')
const report = (provider: string, body: unknown, headers: Record<string, string> = {}) =>
  s.call('POST', `/webhooks/mail/${provider}`, {
    key: null,
    raw: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  })
const seconds = (offsetMs = 0) => String(Math.floor((s.ctx.clock.now() + offsetMs) / SECOND))
const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex')
const RECEIVED = { data: { received: true, duplicate: false } }

describe('reports by postmark', () => {
  beforeEach(() => open(`postmark:${SECRET}`))
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`svc:${password}`).toString('base64')}` })

  test('of a hard bounce and of a complaint count, others do not', async () => {
    const send = (body: object) => report('postmark', body, basic(SECRET))
    expect((await send({ RecordType: 'Bounce', Type: 'HardBounce', Email: 'Ada@example.com' })).body).toEqual(RECEIVED)
    expect((await send({ RecordType: 'Bounce', Type: 'HardBounce', Email: 'ada@example.com' })).body).toEqual(RECEIVED)
    for (const body of [
      { RecordType: 'Bounce', Type: 'SoftBounce', Email: 'cy@example.com' },
      { RecordType: 'Delivery', Email: 'cy@example.com' },
      { RecordType: 'Bounce', Type: 'HardBounce', Email: 7 },
      { RecordType: 'Bounce', Type: 'HardBounce', Email: 'nobody' },
      {},
    ])
      expect((await send(body)).status).toBe(200)
    expect((await send({ RecordType: 'SpamComplaint', Email: 'bo@example.com' })).status).toBe(200)
    expect(await suppressed()).toEqual(
      [
        [ADA, 'BOUNCED'],
        [BO, 'COMPLAINED'],
      ].sort(),
    )
  })

  test.each([
    ['no password', {}],
    ['another password', basic('another-secret-of-16')],
    ['an empty password', basic('')],
    ['the secret as a bearer token', { authorization: `Bearer ${SECRET}` }],
    ['no colon', { authorization: `Basic ${Buffer.from(SECRET).toString('base64')}` }],
  ])('are refused with %s', async (_name, headers) => {
    const answer = await report('postmark', { RecordType: 'SpamComplaint', Email: 'bo@example.com' }, headers)
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(await suppressed()).toEqual([])
  })

  test.each(['mailgun', 'sendgrid', 'hmac', 'nobody', '__proto__', 'constructor'])(
    'are not taken at %s',
    async (provider) => {
      const answer = await report(provider, { RecordType: 'SpamComplaint', Email: 'bo@example.com' }, basic(SECRET))
      expect(answer.status).toBe(401)
      expect(await suppressed()).toEqual([])
    },
  )

  test.each(['', '{', '[]', '7', 'null', '"x"'])('are refused when the body is %p', async (body) => {
    expect((await report('postmark', body, basic(SECRET))).status).toBe(400)
    expect((await report('postmark', body, basic('another-secret-of-16'))).status).toBe(401)
  })
})

describe('reports by mailgun', () => {
  beforeEach(() => open(`mailgun:${SECRET}`))
  const signed = (timestamp = seconds(), secret = SECRET) => ({
    signature: { timestamp, token: 'token', signature: hmac(`${timestamp}token`, secret) },
    'event-data': { event: 'failed', severity: 'permanent', recipient: 'ada@example.com' },
  })

  test('count when they are signed', async () => {
    expect((await report('mailgun', signed())).status).toBe(200)
    const complaint = { ...signed(), 'event-data': { event: 'complained', recipient: 'bo@example.com' } }
    expect((await report('mailgun', complaint)).status).toBe(200)
    const temporary = { event: 'failed', severity: 'temporary', recipient: 'cy@example.com' }
    expect((await report('mailgun', { ...signed(), 'event-data': temporary })).status).toBe(200)
    expect(await suppressed()).toEqual(
      [
        [ADA, 'BOUNCED'],
        [BO, 'COMPLAINED'],
      ].sort(),
    )
  })

  test.each<[string, () => unknown]>([
    ['another secret', () => signed(seconds(), 'another-secret-of-16')],
    ['an old timestamp', () => signed(seconds(-DAY - SECOND))],
    ['a timestamp of the future', () => signed(seconds(DAY))],
    ['no signature', () => ({ 'event-data': signed()['event-data'] })],
    ['a signature of null', () => ({ ...signed(), signature: null })],
    ['objects in the signature', () => ({ ...signed(), signature: { timestamp: {}, token: [], signature: {} } })],
    ['a timestamp that is no number', () => ({ ...signed(), signature: { ...signed().signature, timestamp: 'x' } })],
  ])('are refused with %s', async (_name, body) => {
    expect((await report('mailgun', body())).status).toBe(401)
    expect(await suppressed()).toEqual([])
  })
})

describe('reports by sendgrid', () => {
  beforeEach(() => open(`sendgrid:${PUBLIC_KEY}`))
  const BODY = JSON.stringify([
    { event: 'bounce', type: 'bounce', email: 'ada@example.com' },
    { event: 'bounce', type: 'blocked', email: 'cy@example.com' },
    { event: 'spamreport', email: 'bo@example.com' },
    7,
  ])
  const signedBy = (key = keys.privateKey, timestamp = seconds(), body = BODY) => ({
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), key).toString('base64'),
  })

  test('count when they are signed', async () => {
    expect((await report('sendgrid', BODY, signedBy())).body).toEqual(RECEIVED)
    expect(await suppressed()).toEqual(
      [
        [ADA, 'BOUNCED'],
        [BO, 'COMPLAINED'],
      ].sort(),
    )
  })

  test.each<[string, () => Record<string, string>]>([
    ['the key of somebody else', () => signedBy(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
    ['another body', () => signedBy(keys.privateKey, seconds(), `${BODY} `)],
    ['an old timestamp', () => signedBy(keys.privateKey, seconds(-DAY - SECOND))],
    ['no signature', () => ({})],
    ['a damaged signature', () => ({ ...signedBy(), 'x-twilio-email-event-webhook-signature': '!' })],
  ])('are refused with %s', async (_name, headers) => {
    expect((await report('sendgrid', BODY, headers())).status).toBe(401)
    expect(await suppressed()).toEqual([])
  })
})

describe('reports by anybody else', () => {
  beforeEach(() => open(`hmac:${SECRET}`))
  const BODY = JSON.stringify({
    events: [
      { type: 'bounce', email: 'ada@example.com' },
      { type: 'open', email: 'x@y.z' },
    ],
  })
  const signed = (timestamp = seconds(), body = BODY, secret = SECRET) => ({
    'svc-signature': `t=${timestamp},v1=${hmac(`${timestamp}.${body}`, secret)}`,
  })

  test('count when they are signed', async () => {
    expect((await report('hmac', BODY, signed())).status).toBe(200)
    expect(await suppressed()).toEqual([[ADA, 'BOUNCED']])
  })

  test.each<[string, () => Record<string, string>]>([
    ['another secret', () => signed(seconds(), BODY, 'another-secret-of-16')],
    ['another body', () => signed(seconds(), '{}')],
    ['an old timestamp', () => signed(seconds(-DAY - SECOND))],
    ['no signature', () => ({})],
  ])('are refused with %s', async (_name, headers) => {
    expect((await report('hmac', BODY, headers())).status).toBe(401)
    expect(await suppressed()).toEqual([])
  })
})

test('nobody may report where no provider is configured', async () => {
  await open()
  for (const provider of ['postmark', 'mailgun', 'sendgrid', 'hmac'])
    expect((await report(provider, {}, { authorization: 'Basic Og==' })).status).toBe(401)
})

describe('POST /unsubscribe', () => {
  const leave = (body: unknown, path = '/unsubscribe') =>
    s.call('POST', path, { key: null, ...(typeof body === 'string' ? { raw: body } : { body }) })

  test('ends optional mail to an address, and answers the same for one that nobody knows', async () => {
    await open()
    const known = await leave({ token: unsubscribeToken(s.ctx.mac, 'Ada@example.com') })
    const unknown = await leave({ token: unsubscribeToken(s.ctx.mac, 'bo@example.com') })
    const again = await leave({ token: unsubscribeToken(s.ctx.mac, 'ada@example.com') })
    for (const { status, body } of [known, unknown, again])
      expect([status, body]).toEqual([200, { data: { unsubscribed: true } }])
    expect(await suppressed()).toEqual(
      [
        [ADA, 'UNSUBSCRIBED'],
        [BO, 'UNSUBSCRIBED'],
      ].sort(),
    )
  })

  test('refuses every other token and body', async () => {
    await open()
    const token = unsubscribeToken(s.ctx.mac, 'ada@example.com')
    const [hash = '', signature = ''] = token.split('.')
    const forged = s.ctx.mac.sign(hash, 'another purpose')
    for (const body of [
      {},
      { token: '' },
      { token: 7 },
      { token: null },
      { token, other: 1 },
      { token: `${hash}.` },
      { token: `${hash}.${forged}` },
      { token: `${BO}.${signature}` },
      { token: `${token}x` },
      { token: 'x'.repeat(201) },
      '{',
      '[]',
      '',
    ])
      expect([body, (await leave(body)).status]).toEqual([body, 400])
    expect((await leave({}, '/unsubscribe?token=x')).status).toBe(400)
    expect((await leave({ token }, '/unsubscribe?other=1')).status).toBe(400)
    expect(await suppressed()).toEqual([])
  })

  test('is not there without a master key', async () => {
    s = await stage({ env: { SVC_MASTER_KEY: 'off' } })
    const answer = await leave({ token: unsubscribeToken(s.ctx.mac, 'ada@example.com') })
    expect([answer.status, answer.body.error]).toMatchObject([
      503,
      { code: 'FEATURE_NOT_CONFIGURED', details: { feature: 'unsubscribe_signing' } },
    ])
    expect(await suppressed()).toEqual([])
  })

  test('opening the link shows a page and changes nothing', async () => {
    await open()
    const token = unsubscribeToken(s.ctx.mac, 'ada@example.com')
    const show = (path: string, method = 'GET') =>
      s.app.handle(new Request(`http://localhost${path}`, { method, headers: { accept: 'text/html' } }))
    const page = await show(`/unsubscribe?token=${token}`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain(`action="/unsubscribe?token=${token}"`)
    expect(await suppressed()).toEqual([])
    for (const path of ['/unsubscribe', '/unsubscribe?token=x', '/unsubscribe?token=%22%3E%3Cscript%3E'])
      expect((await show(path)).status).toBe(400)
    const done = await show(`/unsubscribe?token=${token}`, 'POST')
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('<h1>Done</h1>')])
    expect(await suppressed()).toEqual([[ADA, 'UNSUBSCRIBED']])
  })
})
