import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../src/base/lib/clock'
import { canonicalJson, sha256Hex } from '../../src/base/lib/hash'
import { type Answer, type Stage, stage } from '../support/cast'
import { damage, eventCount, everything, expectRefused, rowOf } from '../support/facts'
import { clientEvents, iso, postEvent } from '../support/telemetry'

let s: Stage
let count = 0
let eventId: string
beforeAll(async () => {
  s = await stage()
})
beforeEach(() => {
  s.ctx.clock.advance(10 * MINUTE)
  eventId = `event-${++count}`
})
afterAll(() => s.close())

const isEmpty202 = ({ status, body, headers }: Answer) => {
  expect([status, body, headers.get('content-type')]).toEqual([202, null, null])
}
const lastEvent = async () => (await clientEvents(s)).at(-1)
const of = async (id: string) => (await clientEvents(s)).filter((row) => row.eventId === id)

describe('refused, and nothing is written', () => {
  const bodies: [name: string, change: object, place: string][] = [
    ['no type', { eventType: undefined }, 'eventType'],
    ['an empty type', { eventType: '' }, 'eventType'],
    ['a type of 129 characters', { eventType: 'x'.repeat(129) }, 'eventType'],
    ['a type with NUL', { eventType: 'a\0' }, 'NUL'],
    ['no time', { occurredAt: undefined }, 'occurredAt'],
    ['a time that is none', { occurredAt: 'soon' }, 'occurredAt'],
    ['another version', { version: 2 }, 'version'],
    ['a version as text', { version: '1' }, 'version'],
    ['an empty event id', { eventId: '' }, 'eventId'],
    ['an event id of 129 characters', { eventId: 'x'.repeat(129) }, 'eventId'],
    ['a number as event id', { eventId: 1 }, 'eventId'],
    ['an amount as number', { amount: 9.99 }, 'amount'],
    ['an amount with seven decimals', { amount: '1.1234567' }, 'amount'],
    ['an amount of 16 digits', { amount: '1234567890123456' }, 'amount'],
    ['an amount with an exponent', { amount: '1e3' }, 'amount'],
    ['an amount with a comma', { amount: '1,5' }, 'amount'],
    ['an amount without digits before the point', { amount: '.5' }, 'amount'],
    ['a currency of four letters', { currency: 'EURO' }, 'currency'],
    ['a currency with a digit', { currency: 'EU1' }, 'currency'],
    ['an address without a scheme', { eventSourceUrl: 'example.com/a' }, 'eventSourceUrl'],
    ['a relative address', { eventSourceUrl: '/a' }, 'eventSourceUrl'],
    ['a script as address', { eventSourceUrl: 'javascript:alert(1)' }, 'eventSourceUrl'],
    ['a file as address', { eventSourceUrl: 'file:///etc/passwd' }, 'eventSourceUrl'],
    ['an address without a host', { eventSourceUrl: 'https://' }, 'eventSourceUrl'],
    ['an address over 2048 characters', { eventSourceUrl: `https://a.example/${'x'.repeat(2048)}` }, 'eventSourceUrl'],
    ['signals that are a list', { identityContext: [] }, 'identityContext'],
    ['an unknown signal', { identityContext: { birthday: 'x' } }, 'identityContext'],
    ['a number as signal', { identityContext: { phone: 49 } }, 'identityContext/phone'],
    ['an address over 320 characters', { identityContext: { email: 'x'.repeat(321) } }, 'identityContext/email'],
    ['a subscriber of 129 characters', { subscriberId: 'x'.repeat(129) }, 'subscriberId'],
    ['a key that no device may have', { subscriberId: 'android:1' }, 'subscriberId'],
    ['another member', { properties: {} }, ''],
  ]
  test.each(bodies)('%s', async (_name, change, place) => {
    const before = await clientEvents(s)
    const { body } = await expectRefused(s, () => postEvent(s, change), 400, 'VALIDATION_ERROR')
    expect(body.error.message).toContain(place)
    expect(await clientEvents(s)).toEqual(before)
  })

  test('a refusal does not repeat a signal', async () => {
    const { body } = await postEvent(s, { occurredAt: 'x', identityContext: { email: 'ada@example.com' } })
    expect(JSON.stringify(body)).not.toContain('ada')
  })

  test('a header that is no device key', async () => {
    const post = () => postEvent(s, {}, { headers: { 'x-svc-user-id': 'import:1' } })
    await expectRefused(s, post, 400, 'VALIDATION_ERROR')
  })

  test('a key that is missing, unknown or a secret one, before the body is looked at', async () => {
    const post = (key: string | null) => () => s.post('/v1/events', { bad: true }, { key })
    await expectRefused(s, post(null), 401, 'BEARER_REQUIRED')
    await expectRefused(s, post('svc_sec_unknown'), 401, 'INVALID_API_KEY')
    const { body } = await expectRefused(s, post(s.project.secretKey), 403, 'FORBIDDEN')
    expect(body.error.message).toBe('Public API key required')
  })
})

describe('an event', () => {
  test('answers 202 without a body, and is kept with all that it told', async () => {
    const occurredAt = s.ctx.clock.now() - 30 * DAY
    const told = {
      productId: 'pro_monthly',
      amount: '-12.50',
      currency: 'eur',
      eventSourceUrl: 'https://a.example/b?c=d',
    }
    isEmpty202(
      await postEvent(s, { ...told, eventId, version: 1, subscriberId: 'svc_events', occurredAt: iso(occurredAt) }),
    )
    const { id } = await rowOf(s, 'svc_events')
    expect(await lastEvent()).toMatchObject({
      ...{ ...told, projectId: s.project.id, subscriberId: id, eventId, type: 'tutorial_completed', occurredAt },
      ...{ currency: 'EUR', recordedAt: s.ctx.clock.now(), signals: null },
    })
  })

  test('without anybody named is kept without a subscriber', async () => {
    const before = await everything(s)
    isEmpty202(await postEvent(s, { eventId, subscriberId: ' ' }, { headers: { 'x-svc-user-id': ' ' } }))
    expect(await lastEvent()).toMatchObject({ eventId, subscriberId: null })
    expect(await everything(s)).toEqual(before)
  })

  test('belongs to the body, else to the app header, else to the user header', async () => {
    const headers = { 'x-svc-app-user-id': `app-${eventId}`, 'x-svc-user-id': `user-${eventId}` }
    const user = { 'x-svc-user-id': headers['x-svc-user-id'] }
    const calls: [body: object, headers: Record<string, string>, device: string][] = [
      [{ subscriberId: `body-${eventId}` }, headers, `body-${eventId}`],
      [{}, headers, `app-${eventId}`],
      [{}, user, `user-${eventId}`],
    ]
    for (const [body, headers, device] of calls) {
      isEmpty202(await postEvent(s, body, { headers }))
      expect((await lastEvent())?.subscriberId).toBe((await rowOf(s, device)).id)
    }
  })

  test('of a reserved kind is kept as one of the client, and moves no money and no event of the feed', async () => {
    const before = await eventCount(s)
    const types = ['revenue.total', 'purchase.initial', 'entitlement.granted', 'subscription.x', 'subscriber.created']
    for (const eventType of types) {
      isEmpty202(await postEvent(s, { eventType, amount: '5', currency: 'USD' }))
      expect((await lastEvent())?.type).toBe(`client.${eventType}`)
    }
    for (const eventType of ['purchase', 'purchases.x', 'client.purchase.x', 'my.purchase.x']) {
      isEmpty202(await postEvent(s, { eventType }))
      expect((await lastEvent())?.type).toBe(eventType)
    }
    expect(await eventCount(s)).toBe(before)
    expect(await s.ctx.db.$count(s.ctx.tables.transactions)).toBe(0)
  })

  test('of an erased person is dropped', async () => {
    isEmpty202(await postEvent(s, { subscriberId: 'svc_erased', eventId }))
    const { id } = await rowOf(s, 'svc_erased')
    await damage(s, id, { erasedAt: s.ctx.clock.now() })
    const before = await clientEvents(s)
    isEmpty202(await postEvent(s, { subscriberId: 'svc_erased', eventId: `${eventId}-2` }))
    expect(await clientEvents(s)).toEqual(before)
  })

  test('of a device whose merges are broken is kept without a subscriber', async () => {
    isEmpty202(await postEvent(s, { subscriberId: 'svc_broken' }))
    const { id } = await rowOf(s, 'svc_broken')
    await damage(s, id, { mergedInto: id })
    isEmpty202(await postEvent(s, { subscriberId: 'svc_broken', eventId }))
    expect((await of(eventId)).map(({ subscriberId }) => subscriberId)).toEqual([null])
  })
})

describe('a repeated event id', () => {
  test('is dropped for 7 days, whatever else the call tells, and taken afterwards', async () => {
    isEmpty202(await postEvent(s, { eventId }))
    s.ctx.clock.advance(7 * DAY - 1)
    isEmpty202(await postEvent(s, { eventId, eventType: 'other', subscriberId: 'svc_other' }))
    expect(await of(eventId)).toHaveLength(1)
    s.ctx.clock.advance(1)
    isEmpty202(await postEvent(s, { eventId }))
    expect(await of(eventId)).toHaveLength(2)
  })

  test('of two calls at once is kept once', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => postEvent(s, { eventId })))
    answers.forEach(isEmpty202)
    expect(await of(eventId)).toHaveLength(1)
  })

  test('of another project is another event', async () => {
    for (const key of [s.project.publicKey, s.other.publicKey]) isEmpty202(await postEvent(s, { eventId }, { key }))
    expect((await of(eventId)).map(({ projectId }) => projectId)).toEqual([s.project.id, s.other.id])
  })

  test('is only that of a call that sends one', async () => {
    const before = await clientEvents(s)
    for (let turn = 0; turn < 2; turn++) isEmpty202(await postEvent(s, {}))
    expect(await clientEvents(s)).toHaveLength(before.length + 2)
  })
})

describe('signals', () => {
  const PLAIN = {
    email: ' Ada.Lovelace@Example.COM ',
    externalId: ' Ada-7 ',
    phone: '+49 (170) 555-01-23',
    ip: '203.0.113.77',
    userAgent: 'SleepApp/2.4 secret-agent',
    firstName: ' ADA ',
    lastName: 'Lovelace',
    city: 'Zürich ',
    countryCode: 'CH',
  }

  test('are hashed as the providers expect, before they are stored', async () => {
    isEmpty202(await postEvent(s, { eventId, identityContext: PLAIN }))
    expect((await lastEvent())?.signals).toEqual({
      email: sha256Hex('ada.lovelace@example.com'),
      phone: sha256Hex('491705550123'),
      externalId: sha256Hex('Ada-7'),
      firstName: sha256Hex('ada'),
      lastName: sha256Hex('lovelace'),
      city: sha256Hex('zürich'),
      country: sha256Hex('ch'),
    })
  })

  test('that hold nothing stay unknown', async () => {
    isEmpty202(await postEvent(s, { eventId, identityContext: { email: ' ', phone: 'none' } }))
    expect(Object.values((await lastEvent())?.signals ?? {})).toEqual(Array(7).fill(null))
  })

  test('are in no table and no line of the log as they were sent, nor is a plain hash of the body', async () => {
    const body = { eventType: 'x', occurredAt: iso(s.ctx.clock.now()), eventId, identityContext: PLAIN }
    const raw = JSON.stringify(body)
    isEmpty202(await s.call('POST', '/v1/events', { raw, headers: { 'idempotency-key': eventId } }))
    const all: string[] = [...s.ctx.lines]
    for (const table of Object.values(s.ctx.tables)) all.push(canonicalJson(await s.ctx.db.select().from(table)))
    const text = all.join('\n').toLowerCase()
    expect(text).toContain(eventId)
    const parts = ['lovelace', '5550123', '555-01', '203.0.113.77', 'secret-agent', 'ada-7', 'zürich', sha256Hex(raw)]
    expect(parts.filter((part) => text.includes(part))).toEqual([])
  })
})
