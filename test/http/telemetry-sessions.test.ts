import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { playTimeOf } from '../../src/insight/telemetry/hooks'
import { eventIdOf } from '../../src/insight/telemetry/session-event'
import { type Answer, type Stage, stage } from '../support/cast'
import { damage, expectRefused, identify, rowOf } from '../support/facts'
import { iso, opened, postSessions, sessionsOf } from '../support/telemetry'

let s: Stage
let device: string
let count = 0
beforeAll(async () => {
  s = await stage()
})
beforeEach(() => {
  s.ctx.clock.advance(10 * MINUTE)
  device = `svc_session_${++count}`
})
afterAll(() => s.close())

const idOf = async (name = device) => (await rowOf(s, name)).id
const isEmpty202 = ({ status, body, headers }: Answer) => {
  expect([status, body, headers.get('content-type')]).toEqual([202, null, null])
}
const rows = () => s.ctx.db.$count(s.ctx.tables.sessionPacks)

describe('refused, and nothing is written', () => {
  const bodies: [name: string, body: () => object, place: string][] = [
    ['no subscriber', () => ({ events: [opened(s)] }), 'subscriberId'],
    ['an empty subscriber', () => ({ subscriberId: '', events: [opened(s)] }), 'subscriberId'],
    ['a blank subscriber', () => ({ subscriberId: '  ', events: [opened(s)] }), 'subscriberId'],
    ['a subscriber of 129 characters', () => ({ subscriberId: 'x'.repeat(129), events: [opened(s)] }), 'subscriberId'],
    ['a number as subscriber', () => ({ subscriberId: 7, events: [opened(s)] }), 'subscriberId'],
    ['a key that no device may have', () => ({ subscriberId: 'import:1', events: [opened(s)] }), 'subscriberId'],
    ['no events', () => ({ subscriberId: device }), 'events'],
    ['an empty batch', () => ({ subscriberId: device, events: [] }), 'events'],
    ['201 events', () => ({ subscriberId: device, events: Array(201).fill(opened(s)) }), 'events'],
    ['an unknown type', () => ({ subscriberId: device, events: [opened(s, { type: 'crash' })] }), 'events/0/type'],
    ['no time', () => ({ subscriberId: device, events: [{ type: 'open' }] }), 'events/0/occurredAt'],
    ['a time that is none', () => batch({ occurredAt: 'now' }), 'events[1].occurredAt'],
    ['the 31st of February', () => batch({ occurredAt: '2026-02-31T00:00:00Z' }), 'events[1].occurredAt'],
    ['a time in milliseconds', () => batch({ occurredAt: 1 }), 'events/1/occurredAt'],
    ['a negative duration', () => batch({ durationMs: -1 }), 'events/1/durationMs'],
    ['half a millisecond', () => batch({ durationMs: 0.5 }), 'events/1/durationMs'],
    ['a duration as text', () => batch({ durationMs: '5' }), 'events/1/durationMs'],
    ['a duration that no number holds', () => batch({ durationMs: 2 ** 53 }), 'events/1/durationMs'],
    ['a version of 33 characters', () => batch({ appVersion: 'x'.repeat(33) }), 'events/1/appVersion'],
    ['null as version', () => batch({ sdkVersion: null }), 'events/1/sdkVersion'],
    ['a version with NUL', () => batch({ appVersion: '1\0' }), 'NUL'],
  ]
  const batch = (change: object) => ({ subscriberId: device, events: [opened(s), opened(s, change)] })
  test.each(bodies)('%s', async (_name, bodyOf, place) => {
    const before = await rows()
    const post = () => s.post('/v1/sdk/sessions', bodyOf())
    const { body } = await expectRefused(s, post, 400, 'VALIDATION_ERROR')
    expect(body.error.message).toContain(place)
    expect(await rows()).toBe(before)
  })

  test('a key that is missing, unknown or a secret one, before the body is looked at', async () => {
    const post = (key: string | null) => () => s.post('/v1/sdk/sessions', { bad: true }, { key })
    await expectRefused(s, post(null), 401, 'BEARER_REQUIRED')
    await expectRefused(s, post('svc_pub_unknown'), 401, 'INVALID_API_KEY')
    const { body } = await expectRefused(s, post(s.project.secretKey), 403, 'FORBIDDEN')
    expect(body.error.message).toBe('Public API key required')
  })

  test('a body that is no JSON, or none at all', async () => {
    for (const raw of ['{', '[]', '"x"', ''])
      await expectRefused(s, () => s.call('POST', '/v1/sdk/sessions', { raw }), 400, 'VALIDATION_ERROR')
  })

  test('a batch of which every event is stale: also nobody is created', async () => {
    const now = s.ctx.clock.now()
    const stale = [now - 48 * HOUR - 1, now + 5 * MINUTE + 1, 0].map((at) => opened(s, { occurredAt: iso(at) }))
    await expectRefused(s, () => postSessions(s, device, stale), 422, 'STALE_BATCH')
    expect(rowOf(s, device)).rejects.toThrow('no subscriber')
  })
})

describe('a batch', () => {
  test('answers 202 without a body, and is kept with all that it told', async () => {
    const now = s.ctx.clock.now()
    const events = [
      opened(s, { appVersion: '2.4.1', sdkVersion: '1.0' }),
      { type: 'background', occurredAt: iso(now + 1), durationMs: 61_000, appVersion: '' },
      { type: 'close', occurredAt: iso(now + 2), durationMs: null },
    ]
    isEmpty202(await postSessions(s, device, events, { headers: { 'x-svc-platform': 'iOS' } }))
    const { id, attributes } = await rowOf(s, device)
    expect(attributes).toMatchObject({ platform: { value: 'ios' } })
    const none = { durationMs: 0, appVersion: null, sdkVersion: null }
    const saved = [
      { ...none, type: 'open', occurredAt: now, appVersion: '2.4.1', sdkVersion: '1.0' },
      { ...none, type: 'background', occurredAt: now + 1, durationMs: 61_000, appVersion: '' },
      { ...none, type: 'close', occurredAt: now + 2 },
    ] as const
    expect(await sessionsOf(s, id)).toEqual(saved.map((one) => ({ ...one, id: eventIdOf(s.project.id, id, one) })))
  })

  test('of a newer client, with members that are not known here, is kept without them', async () => {
    const event = { ...opened(s), screen: 'home', nested: { a: [1] } }
    const body = { subscriberId: device, events: [event], batchId: 'b_1' }
    isEmpty202(await s.post('/v1/sdk/sessions', body))
    const rows = await sessionsOf(s, await idOf())
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('home')
  })

  test('is kept once, however often, in whatever order and spelling it comes', async () => {
    const now = s.ctx.clock.now()
    const local = iso(now + 3 * HOUR).replace('Z', '+03:00')
    const events = [opened(s), opened(s, { durationMs: null }), opened(s, { occurredAt: local, durationMs: 0 })]
    for (let turn = 0; turn < 2; turn++) isEmpty202(await postSessions(s, device, events.toReversed()))
    await Promise.all(events.map((event) => postSessions(s, device, [event])))
    const id = await idOf()
    expect(await sessionsOf(s, id)).toHaveLength(1)
    isEmpty202(await postSessions(s, device, [opened(s, { durationMs: 1 }), opened(s, { type: 'close' })]))
    expect(await sessionsOf(s, id)).toHaveLength(3)
  })

  test('loses only its stale events, and both limits are fresh', async () => {
    const now = s.ctx.clock.now()
    const times = [now - 48 * HOUR - 1, now - 48 * HOUR, now, now + 5 * MINUTE, now + 5 * MINUTE + 1]
    isEmpty202(
      await postSessions(
        s,
        device,
        times.map((at) => opened(s, { occurredAt: iso(at) })),
      ),
    )
    const saved = await sessionsOf(s, await idOf())
    expect(saved.map(({ occurredAt }) => occurredAt)).toEqual([now - 48 * HOUR, now, now + 5 * MINUTE])
  })

  test('of 200 events over three days is kept whole', async () => {
    const now = s.ctx.clock.now()
    const events = Array.from({ length: 200 }, (_, index) => opened(s, { occurredAt: iso(now - index * 14 * MINUTE) }))
    isEmpty202(await postSessions(s, device, events))
    isEmpty202(await postSessions(s, device, events.toReversed()))
    const saved = await sessionsOf(s, await idOf())
    expect(saved.map(({ occurredAt }) => iso(occurredAt))).toEqual(events.map(({ occurredAt }) => occurredAt).reverse())
  })

  test('of two batches at once loses nothing', async () => {
    const now = s.ctx.clock.now()
    const batchOf = (turn: number) =>
      Array.from({ length: 50 }, (_, index) => opened(s, { occurredAt: iso(now - (turn * 40 + index) * 1000) }))
    const answers = await Promise.all([0, 1, 2, 3].map((turn) => postSessions(s, device, batchOf(turn))))
    answers.forEach(isEmpty202)
    expect(await sessionsOf(s, await idOf())).toHaveLength(170) // Each batch shares ten events with the next.
  })

  test('with an Idempotency-Key is answered again with nothing as well', async () => {
    const headers = { 'idempotency-key': `batch-${device}` }
    const events = [opened(s)]
    isEmpty202(await postSessions(s, device, events, { headers }))
    const again = await postSessions(s, device, events, { headers })
    isEmpty202(again)
    expect(again.headers.get('idempotent-replay')).toBe('true')
  })

  test('of another project has its own subscriber and no part in this one', async () => {
    await postSessions(s, device, [opened(s)])
    isEmpty202(await postSessions(s, device, [opened(s)], { key: s.other.publicKey }))
    expect(await sessionsOf(s, await idOf())).toHaveLength(1)
    const all = await s.ctx.db.select().from(s.ctx.tables.sessionSubjects)
    expect(all.filter(({ projectId }) => projectId === s.other.id)).toHaveLength(1)
  })

  test('comes from a browser too, where its page is allowed', async () => {
    const path = `/v1/web/${s.project.publicKey}/sdk/sessions`
    const body = { subscriberId: device, events: [opened(s)] }
    const stranger = () => s.post(path, body, { headers: { origin: 'https://elsewhere.example' } })
    await expectRefused(s, stranger, 403, 'ORIGIN_NOT_ALLOWED')
    await expectRefused(s, () => s.post(path, body, { key: s.project.secretKey }), 403, 'API_KEY_KIND_MISMATCH')
    const headers = { origin: 'https://app.example.com' }
    const answer = await s.post(path, body, { headers })
    isEmpty202(answer)
    expect(answer.headers.get('access-control-allow-origin')).toBe(headers.origin)
    const event = { eventType: 'seen', occurredAt: iso(s.ctx.clock.now()) }
    isEmpty202(await s.post(path.replace('/sdk/sessions', '/events'), event, { headers }))
    expect(await sessionsOf(s, await idOf())).toHaveLength(1)
  })
})

test('new subscribers of one address are limited, and the batch can be sent later', async () => {
  const own = await stage({ env: { SVC_RATE_NEW: '1' } })
  try {
    isEmpty202(await postSessions(own, 'svc_one', [opened(own)]))
    const limited = () => postSessions(own, 'svc_two', [opened(own)])
    const { headers } = await expectRefused(own, limited, 429, 'RATE_LIMITED')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    isEmpty202(await postSessions(own, 'svc_one', [opened(own, { durationMs: 1 })]))
    own.ctx.clock.advance(MINUTE)
    isEmpty202(await limited())
  } finally {
    await own.close()
  }
})

describe('whose events they are', () => {
  test('an id or a label is a device key like any other: no caller can name another person', async () => {
    const { body } = await identify(s, device, `label-${device}`)
    const id = body.data.subscriberId ?? (await idOf())
    for (const name of [id, `label-${device}`]) isEmpty202(await postSessions(s, name, [opened(s)]))
    expect(await sessionsOf(s, await idOf())).toEqual([])
  })

  test('a merged device writes to the survivor, and what it sent before is not kept twice', async () => {
    const first = `${device}_first`
    await identify(s, first, `label-${device}`)
    const events = [opened(s, { durationMs: 1000 })]
    await postSessions(s, first, events)
    await identify(s, device, `label-${device}`) // Merges the first device into this one.
    const merged = await rowOf(s, first)
    expect(merged.mergedInto).toBe(await idOf())
    isEmpty202(await postSessions(s, first, [...events, opened(s, { durationMs: 2000 })]))
    expect(await sessionsOf(s, merged.id)).toHaveLength(1)
    expect(await sessionsOf(s, await idOf())).toHaveLength(1)
    expect(await playTimeOf(s.ctx, await idOf())).toBe(3000)
    expect(await playTimeOf(s.ctx, merged.id)).toBe(1000)
  })

  test('of an erased person nothing is kept', async () => {
    await postSessions(s, device, [opened(s)])
    const id = await idOf()
    await damage(s, id, { erasedAt: s.ctx.clock.now() })
    isEmpty202(await postSessions(s, device, [opened(s, { durationMs: 5 })]))
    expect(await sessionsOf(s, id)).toHaveLength(1)
  })

  test('a broken chain of merges is no refusal, because an app would send the batch for ever', async () => {
    await postSessions(s, device, [opened(s)])
    const id = await idOf()
    await damage(s, id, { mergedInto: id })
    isEmpty202(await postSessions(s, device, [opened(s, { durationMs: 5 })]))
    expect(await sessionsOf(s, id)).toHaveLength(1)
  })
})

test('a day has room for thousands of events of one device, each once', async () => {
  const start = Math.floor(s.ctx.clock.now() / DAY) * DAY
  s.ctx.clock.set(start + 23 * HOUR)
  const timeOf = (index: number) => iso(start + ((index * 7919) % 4000) * 20_000)
  for (let turn = 0; turn < 20; turn++) {
    const events = Array.from({ length: 200 }, (_, index) => opened(s, { occurredAt: timeOf(turn * 200 + index) }))
    isEmpty202(await postSessions(s, device, events))
    if (turn % 5 === 0) isEmpty202(await postSessions(s, device, events))
  }
  const saved = await sessionsOf(s, await idOf())
  expect([saved.length, new Set(saved.map(({ id }) => id)).size]).toEqual([4000, 4000])
})

test('on the wire the answer has a length of 0 and no content type', async () => {
  const app = createApp(s.ctx).listen({ hostname: '127.0.0.1', port: 0 })
  try {
    const headers = { authorization: `Bearer ${s.project.publicKey}`, 'content-type': 'application/json' }
    const send = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${app.server?.port}${path}`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': `${path}-${device}` },
        body: JSON.stringify(body),
      })
    for (let turn = 0; turn < 2; turn++) {
      const answers = [
        await send('/v1/sdk/sessions', { subscriberId: device, events: [opened(s)] }),
        await send('/v1/events', { eventType: 'x', occurredAt: iso(s.ctx.clock.now()) }),
      ]
      for (const answer of answers) {
        const { status, headers } = answer
        const length = headers.get('content-length')
        expect([status, length, headers.get('content-type'), await answer.text()]).toEqual([202, '0', null, ''])
        expect(headers.get('idempotent-replay')).toBe(turn === 0 ? null : 'true')
      }
    }
  } finally {
    await app.server?.stop(true)
  }
})
