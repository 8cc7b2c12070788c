import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { MINUTE, SECOND } from '../../base/lib/clock'
import { signEvent } from '../../test-store/stores/payment-events'
import { MAX_WEBHOOK_BYTES, verifyWebhook, type WebhookRefusal } from './webhook'

const NOW = Date.UTC(2026, 10, 20, 8)
const SECRET = 'whsec_simulated'
const SEED = 20261120

const event = {
  id: 'evt_1',
  object: 'event',
  account: 'acct_1',
  created: NOW / SECOND,
  livemode: false,
  type: 'invoice.paid',
  data: { object: { id: 'in_1' } },
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A signature made without the library: HMAC-SHA-256 of the time, a dot and the body. */
function sign(body: string, at = NOW, secret = SECRET): string {
  const time = Math.floor(at / SECOND)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

const BODY = JSON.stringify(event)
const delivery = { body: bytes(BODY), signature: sign(BODY), secrets: [SECRET], now: NOW }

describe('a delivery that is taken', () => {
  const read = { id: 'evt_1', account: 'acct_1', createdAt: NOW, subject: { kind: 'INVOICE', invoiceId: 'in_1' } }

  test('has an event, with its connected account', async () => {
    expect(await verifyWebhook(delivery)).toMatchObject({ ok: true, event: read })
  })

  test('may be signed by any of the secrets', async () => {
    expect(await verifyWebhook({ ...delivery, secrets: ['whsec_old', '', SECRET] })).toMatchObject({ ok: true })
  })

  test('may carry several signatures, as while a secret is replaced', async () => {
    const signature = `${sign(BODY, NOW, 'whsec_old')},v1=${sign(BODY).split('v1=')[1]},v0=whatever`
    expect(await verifyWebhook({ ...delivery, signature })).toMatchObject({ ok: true })
  })

  test('may be five minutes old, or early', async () => {
    for (const now of [NOW + 5 * MINUTE, NOW - 5 * MINUTE])
      expect(await verifyWebhook({ ...delivery, now })).toMatchObject({ ok: true })
  })

  test('is what the provider’s own library signs', async () => {
    const { body, signature } = await signEvent(event, { secret: SECRET, now: NOW })
    expect(await verifyWebhook({ ...delivery, body: bytes(body), signature })).toMatchObject({ ok: true, event: read })
  })
})

describe('a delivery that is refused', () => {
  const big = JSON.stringify({ ...event, padding: 'x'.repeat(MAX_WEBHOOK_BYTES) })
  const signed = (body: string) => ({ body: bytes(body), signature: sign(body) })
  const cases: [name: string, changes: Partial<typeof delivery> | { signature: null }, reason: WebhookRefusal][] = [
    ['over 1 MiB', signed(big), 'too_large'],
    ['without a signature', { signature: null }, 'unsigned'],
    ['with an empty signature', { signature: '' }, 'unsigned'],
    ['without a time', { signature: sign(BODY).replace(/t=\d+,/, '') }, 'unsigned'],
    ['with a time that is none', { signature: sign(BODY).replace(/t=\d+/, 't=soon') }, 'unsigned'],
    ['with two times', { signature: `t=1,${sign(BODY)}` }, 'unsigned'],
    ['with a second time behind a space', { signature: `${sign(BODY)}, t=1` }, 'unsigned'],
    ['a second older than five minutes', { signature: sign(BODY, NOW - 5 * MINUTE - SECOND) }, 'stale'],
    ['a second further ahead', { signature: sign(BODY, NOW + 5 * MINUTE + SECOND) }, 'stale'],
    ['of another secret', { signature: sign(BODY, NOW, 'whsec_other') }, 'bad_signature'],
    ['without a secret to check with', { secrets: [] }, 'bad_signature'],
    ['with blank secrets only', { secrets: ['', ' '] }, 'bad_signature'],
    ['signed with a blank secret', { signature: sign(BODY, NOW, ''), secrets: [''] }, 'bad_signature'],
    ['with another body', { body: bytes(BODY.replace('in_1', 'in_2')) }, 'bad_signature'],
    ['with a space more', { body: bytes(`${BODY} `) }, 'bad_signature'],
    ['with another time', { signature: sign(BODY).replace(/t=\d+/, `t=${NOW / SECOND + 1}`) }, 'bad_signature'],
    ['of another scheme', { signature: sign(BODY).replace('v1=', 'v0=') }, 'bad_signature'],
    ['with an empty body', { body: bytes('') }, 'bad_signature'],
    ['that is no JSON', signed('{'), 'malformed'],
    ['that is no event', signed('{"id":"evt_1"}'), 'malformed'],
    ['that is null', signed('null'), 'malformed'],
    ['that is a thin event', signed(JSON.stringify({ ...event, object: 'v2.core.event' })), 'malformed'],
  ]
  for (const [name, changes, reason] of cases)
    test(name, async () => expect(await verifyWebhook({ ...delivery, ...changes })).toEqual({ ok: false, reason }))

  test('exactly 1 MiB is still read', async () => {
    const padding = MAX_WEBHOOK_BYTES - JSON.stringify({ ...event, padding: '' }).length
    const body = JSON.stringify({ ...event, padding: 'x'.repeat(padding) })
    expect(bytes(body).byteLength).toBe(MAX_WEBHOOK_BYTES)
    expect(await verifyWebhook({ ...delivery, ...signed(body) })).toMatchObject({ ok: true })
  })
})

test(`random bytes and headers are refused, and never throw (seed ${SEED})`, async () => {
  const anyHeader = fc.oneof(
    fc.string(),
    fc.record({ time: fc.nat(), rest: fc.string() }).map(({ time, rest }) => `t=${time},v1=${rest}`),
    fc.string().map((rest) => `t=${NOW / SECOND},v1=${rest}`),
  )
  const law = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), anyHeader, async (body, signature) => {
    expect((await verifyWebhook({ ...delivery, body, signature })).ok).toBe(false)
  })
  await fc.assert(law, { seed: SEED, numRuns: 500 })
})

test(`a good delivery with any one byte changed is refused (seed ${SEED})`, async () => {
  const law = fc.asyncProperty(fc.nat({ max: BODY.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
    const body = bytes(BODY)
    body[at] = (body[at] ?? 0) ^ flip
    expect((await verifyWebhook({ ...delivery, body })).ok).toBe(false)
  })
  await fc.assert(law, { seed: SEED, numRuns: 300 })
})
