import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { forwardTrackEvent } from '../../src/outward/integrations/forward'
import { hashSignals } from '../../src/outward/integrations/signals'
import type { TrackEvent } from '../../src/outward/integrations/track-event'
import { work } from '../support/accounts'
import { MONTHLY } from '../support/cast'
import {
  AMPLITUDE_BODY,
  type IntegrationStage,
  integrationStage,
  META_BODY,
  TIKTOK_BODY,
} from '../support/integrations/stage'

let i: IntegrationStage
beforeAll(async () => {
  i = await integrationStage()
})
afterAll(() => i.close())
afterEach(async () => {
  const { body } = await i.team.as('ADMIN').get('/integrations')
  for (const { id } of body.data.items) await i.team.as('ADMIN').delete(`/integrations/${id}`)
  i.server.calls.length = 0
  i.s.ctx.clock.advance(2 * MINUTE)
})

const admin = () => i.team.as('ADMIN')

const connect = async (body: object): Promise<string> => {
  const answer = await admin().post('/integrations', body)
  expect(answer.status).toBe(201)
  i.server.calls.length = 0
  return answer.body.data.id
}

const runDue = () => i.s.ctx.state.dispatcher.runDue()

const deliveries = async (id: string, query = '') =>
  (await i.team.as('CUSTOMER_SUPPORT').get(`/integrations/${id}/deliveries?limit=200${query}`)).body.data.items

const view = async (id: string) =>
  (await admin().get('/integrations')).body.data.items.find((one: { id: string }) => one.id === id)

const auditCount = async (action: string) =>
  (await i.s.ctx.db.select().from(i.s.ctx.tables.auditLog).orderBy(i.s.ctx.tables.auditLog.position)).filter(
    (row) => row.action === action,
  ).length

let people = 0
/** A new person buys at the test store: an event of the sandbox. */
const buys = async (): Promise<string> => {
  const device = `device-${++people}`
  expect((await i.s.receipt(device, i.s.buy(MONTHLY))).status).toBe(200)
  return device
}

const sandboxed = { ...AMPLITUDE_BODY, includeSandbox: true }

describe('an event of the feed', () => {
  test('reaches the provider with its revenue, and the log and the connection say so', async () => {
    const id = await connect({ ...sandboxed, enabledEvents: ['purchase.*'] })
    await buys()
    await runDue()
    const [call, ...more] = i.server.callsOf('amplitude')
    expect(more).toEqual([])
    const [event] = JSON.parse(call?.body ?? '').events
    expect(event).toMatchObject({ platform: 'ios', productId: 'pro_monthly', quantity: 1 })
    expect(event.event_type).toMatch(/^svc_purchase_/)
    const listed = await deliveries(id, '&status=SUCCEEDED')
    expect(listed).toMatchObject([
      { endpointId: id, status: 'SUCCEEDED', attempts: 1, lastStatusCode: 200, eventId: event.insert_id },
    ])
    expect(await view(id)).toMatchObject({ lastError: null, lastSuccessAt: expect.any(String) })
  })

  test('outside of enabledEvents it is skipped, with the reason', async () => {
    const id = await connect({ ...sandboxed, enabledEvents: ['currency.*'] })
    await buys()
    await runDue()
    expect(i.server.calls).toEqual([])
    const reasons = new Set((await deliveries(id)).map((one: { skipReason: string }) => one.skipReason))
    expect(reasons).toEqual(new Set(['filtered_by_event_scope']))
  })

  test('of the sandbox it is skipped, unless the connection includes it', async () => {
    const id = await connect(AMPLITUDE_BODY)
    await buys()
    await runDue()
    const skipped = (await deliveries(id)).filter((one: { type: string }) => one.type.startsWith('purchase.'))
    expect(skipped).toMatchObject([{ status: 'SKIPPED', skipReason: 'sandbox', attempts: 0 }])
  })

  test('without a mapping it is skipped', async () => {
    const id = await connect({ ...META_BODY, includeSandbox: true })
    await buys()
    await runDue()
    const granted = (await deliveries(id)).filter((one: { type: string }) => one.type === 'entitlement.granted')
    expect(granted).toMatchObject([{ status: 'SKIPPED', skipReason: 'no_mapping' }])
  })

  test('before the connection was made it is nobody’s business', async () => {
    await buys()
    const id = await connect(sandboxed)
    await runDue()
    expect(await deliveries(id)).toEqual([])
  })

  test('a refusal is tried again after 30 s, 2 min, 10 min and 1 h, and then it is dead', async () => {
    const id = await connect({ ...sandboxed, enabledEvents: ['purchase.*'] })
    const down = { status: 500, body: 'no' }
    i.server.answerNext('amplitude', down, down, down, down, down)
    await buys()
    await runDue()
    expect(await view(id)).toMatchObject({ lastError: expect.stringContaining('500'), lastSuccessAt: null })
    for (const [index, waitMs] of [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE].entries()) {
      i.s.ctx.clock.advance(0.8 * waitMs)
      await runDue()
      expect(i.server.callsOf('amplitude')).toHaveLength(index + 1)
      i.s.ctx.clock.advance(0.4 * waitMs)
      await runDue()
      expect(i.server.callsOf('amplitude')).toHaveLength(index + 2)
    }
    expect(await deliveries(id, '&status=DEAD')).toMatchObject([{ attempts: 5, nextAttemptAt: null }])
    i.s.ctx.clock.advance(2 * DAY)
    await runDue()
    expect(i.server.callsOf('amplitude')).toHaveLength(5)
  })

  test('a key that the provider repeats in its answer is in no log', async () => {
    const id = await connect({ ...sandboxed, enabledEvents: ['purchase.*'] })
    i.server.answerNext('amplitude', { status: 400, body: `Invalid API key: ${AMPLITUDE_BODY.credentials.apiKey}` })
    await buys()
    await runDue()
    const rows = await i.s.ctx.db.select().from(i.s.ctx.tables.deliveries)
    const own = rows.filter(({ targetId, lastStatusCode }) => targetId === id && lastStatusCode === 400)
    expect(own[0]?.log[0]?.responseSnippet).toBe('Invalid API key: ***')
    expect(JSON.stringify(rows)).not.toContain(AMPLITUDE_BODY.credentials.apiKey)
  })

  test('a provider that is gone is switched off, and the log names the server', async () => {
    const id = await connect({ ...sandboxed, enabledEvents: ['purchase.*'] })
    i.server.answerNext('amplitude', { status: 410, body: '' })
    await buys()
    await runDue()
    expect(await deliveries(id, '&status=DEAD')).toMatchObject([{ attempts: 1, lastStatusCode: 410 }])
    expect(await view(id)).toMatchObject({ isEnabled: false, lastError: expect.any(String), revision: 2 })
    expect(await auditCount('integration.disable')).toBe(1)
    const again = await admin().patch(`/integrations/${id}`, { isEnabled: true })
    expect(again.body.data).toMatchObject({ isEnabled: true, lastError: null })
  })

  test('an error inside an answer of 200 is a failure', async () => {
    const id = await connect({ ...TIKTOK_BODY, includeSandbox: true })
    const limited = { status: 200, body: '{"code":40100,"message":"Too many requests"}' }
    i.server.answerNext('tiktok_events', limited)
    await buys()
    await runDue()
    expect(await deliveries(id, '&status=FAILED')).toMatchObject([{ attempts: 1, lastStatusCode: 503 }])
    i.s.ctx.clock.advance(MINUTE)
    await runDue()
    expect(await deliveries(id, '&status=SUCCEEDED')).toMatchObject([{ attempts: 2, lastStatusCode: 200 }])
  })

  test('nothing is sent for a connection that was switched off or deleted', async () => {
    const id = await connect(sandboxed)
    await buys()
    await admin().patch(`/integrations/${id}`, { isEnabled: false })
    await runDue()
    await buys()
    await runDue()
    expect(i.server.calls).toEqual([])
    expect((await admin().post(`/integrations/${id}/test`)).body.error.code).toBe('CONFLICT')
    expect((await admin().post(`/integrations/${id}/backfill`, { days: 1 })).body.error.code).toBe('CONFLICT')
  })
})

const track = (change: Partial<TrackEvent> = {}): TrackEvent => ({
  ...{ eventId: 'track-1', eventType: 'level_up', occurredAt: i.s.ctx.clock.now(), subscriberId: null },
  ...{ productId: null, amountMicros: 4_990_000n, currency: 'USD', eventSourceUrl: null },
  signals: hashSignals({ email: 'Ada@Example.com ' }),
  ...{ ip: '203.0.113.7', userAgent: 'Browser/1.0' },
  ...change,
})

const forward = (event: TrackEvent) => i.s.ctx.write((tx) => forwardTrackEvent(tx, i.s.project.id, event))

describe('a track event', () => {
  const mapped = { ...META_BODY, eventMapping: { level_up: 'LevelUp' } }

  test('goes to ads under its mapped name, with hashed signals, and ip and browser as they are', async () => {
    await connect(mapped)
    await forward(track())
    await runDue()
    const [call] = i.server.callsOf('meta_capi')
    expect(JSON.parse(call?.body ?? '').data).toMatchObject([
      {
        event_name: 'LevelUp',
        event_id: 'track-1',
        user_data: {
          em: [sha256Hex('ada@example.com')],
          client_ip_address: '203.0.113.7',
          client_user_agent: 'Browser/1.0',
        },
        custom_data: { value: 4.99, currency: 'USD' },
      },
    ])
  })

  test('its ip and browser are encrypted while it waits, and wiped when it ends', async () => {
    const id = await connect(mapped)
    await forward(track())
    const payload = async () => {
      const rows = await i.s.ctx.db.select().from(i.s.ctx.tables.deliveries)
      return rows.filter(({ targetId }) => targetId === id).map((row) => row.payload ?? '')
    }
    const [waiting = ''] = await payload()
    expect(waiting).toContain('"sealed":"v1.')
    expect(waiting).not.toContain('203.0.113.7')
    expect(waiting).not.toContain('Browser/1.0')
    await runDue()
    const [ended = ''] = await payload()
    expect(ended).not.toContain('sealed')
    expect(ended).toContain('"level_up"')
  })

  test('they are wiped too when the connection is switched off', async () => {
    const id = await connect(mapped)
    await forward(track())
    await admin().patch(`/integrations/${id}`, { isEnabled: false })
    const rows = await i.s.ctx.db.select().from(i.s.ctx.tables.deliveries)
    const own = rows.filter(({ targetId }) => targetId === id)
    expect(own.map(({ status }) => status)).toEqual(['DEAD'])
    expect(JSON.stringify(own)).not.toContain('sealed')
  })

  test('analytics get it without ip and browser', async () => {
    const id = await connect({ ...AMPLITUDE_BODY, eventMapping: { level_up: 'Level up' } })
    await forward(track({ subscriberId: null }))
    await runDue()
    expect(await deliveries(id)).toMatchObject([
      { status: 'SKIPPED', skipReason: 'missing_identity', type: 'level_up' },
    ])
    const rows = await i.s.ctx.db.select().from(i.s.ctx.tables.deliveries)
    expect(rows.filter(({ targetId, payload }) => targetId === id && payload?.includes('sealed'))).toEqual([])
  })

  test('without a mapping no delivery is made', async () => {
    const id = await connect(META_BODY)
    await forward(track())
    await forward(track({ eventType: 'constructor' }))
    expect(await deliveries(id)).toEqual([])
  })

  test('older than seven days it does not go to ads', async () => {
    const id = await connect(mapped)
    await forward(track({ occurredAt: i.s.ctx.clock.now() - 7 * DAY - 1 }))
    await runDue()
    expect(i.server.calls).toEqual([])
    expect(await deliveries(id)).toMatchObject([{ status: 'SKIPPED', skipReason: 'filtered_by_event_scope' }])
  })

  test('nobody known is skipped', async () => {
    const id = await connect(mapped)
    await forward(track({ signals: hashSignals({}), ip: null, userAgent: null }))
    await runDue()
    expect(await deliveries(id)).toMatchObject([{ status: 'SKIPPED', skipReason: 'missing_identity' }])
  })
})

describe('a test send', () => {
  test('makes one attempt and tells how it ended', async () => {
    const id = await connect(AMPLITUDE_BODY)
    const { status, body } = await i.team.as('DEVELOPER').post(`/integrations/${id}/test`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ endpointId: id, type: 'integration.test', isTest: true, status: 'SUCCEEDED' })
    expect(JSON.parse(i.server.callsOf('amplitude')[0]?.body ?? '').events[0]).not.toHaveProperty('revenue')
    const again = await i.team.as('DEVELOPER').post(`/integration-deliveries/${body.data.id}/redeliver`)
    expect(again.body.error.code).toBe('TEST_DELIVERY_NOT_REDELIVERABLE')
  })

  test('a failure is not tried again', async () => {
    const id = await connect(AMPLITUDE_BODY)
    i.server.answerNext('amplitude', { status: 500, body: '' })
    const { body } = await i.team.as('DEVELOPER').post(`/integrations/${id}/test`)
    expect(body.data).toMatchObject({ status: 'DEAD', attempts: 1, lastStatusCode: 500 })
  })
})

describe('a back-fill', () => {
  test('sends the events of the last days once, however often it is asked for', async () => {
    await connect({ ...META_BODY, includeSandbox: true }) // Some connection reads the feed.
    await buys()
    await buys()
    await runDue()
    i.server.calls.length = 0
    const id = await connect({ ...sandboxed, enabledEvents: ['purchase.*'] })
    const fill = (days: number) => admin().post(`/integrations/${id}/backfill`, { days })
    const first = await fill(1)
    expect(first.status).toBe(200)
    expect(first.body.data.queued).toBeGreaterThanOrEqual(2)
    await Promise.all([fill(1), fill(7)])
    await work(i.s)
    await runDue()
    const sent = i.server.callsOf('amplitude').map(({ body }) => JSON.parse(body).events[0].insert_id)
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent.length).toBeGreaterThanOrEqual(first.body.data.queued)
    const count = sent.length
    const before = await auditCount('integration.backfill')
    expect((await fill(7)).body.data).toEqual({ queued: 0 })
    expect(before).toBeGreaterThan(0)
    expect(await auditCount('integration.backfill')).toBe(before)
    await work(i.s)
    await runDue()
    expect(i.server.callsOf('amplitude')).toHaveLength(count)
  })

  test.each([0, 8, 1.5, '3', null])('%p days are refused', async (days) => {
    const id = await connect(AMPLITUDE_BODY)
    const { status, body } = await admin().post(`/integrations/${id}/backfill`, { days })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

test('a delivery is made once more on request', async () => {
  const id = await connect({ ...sandboxed, enabledEvents: ['purchase.*'] })
  await buys()
  await runDue()
  const [first] = await deliveries(id, '&status=SUCCEEDED')
  const { status, body } = await i.team.as('DEVELOPER').post(`/integration-deliveries/${first.id}/redeliver`)
  expect([status, body.data.eventId, body.data.status]).toEqual([200, first.eventId, 'PENDING'])
  expect(await auditCount('integrationDelivery.redeliver')).toBe(1)
  await runDue()
  expect(i.server.callsOf('amplitude')).toHaveLength(2)
  const other = await i.team.as('GROWTH').post(`/integration-deliveries/${first.id}/redeliver`)
  expect(other.body.error.code).toBe('CAPABILITY_REQUIRED')
})
