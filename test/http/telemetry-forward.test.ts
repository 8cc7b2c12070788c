import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sha256Hex } from '../../src/base/lib/hash'
import { rowOf } from '../support/facts'
import { AMPLITUDE_BODY, type IntegrationStage, integrationStage } from '../support/integrations/stage'
import { clientEvents, postEvent } from '../support/telemetry'

let i: IntegrationStage
beforeEach(async () => {
  i = await integrationStage()
})
afterEach(() => i.close())

/** A connection that names this type; its credentials are never read here. */
async function connect(provider: string, change: object = {}): Promise<string> {
  const { ctx, project } = i.s
  const [id, now] = [ctx.ids.next('int'), ctx.clock.now()]
  const row = {
    ...{ id, projectId: project.id, provider, slot: '', hint: '', sealedCredentials: '', enabledEvents: ['*'] },
    ...{ eventMapping: { level_up: 'LevelUp', 'purchase.mine': 'Mine' }, includeSandbox: false, isEnabled: true },
    ...{ enabledAt: now, lastError: null, lastSuccessAt: null, createdAt: now, updatedAt: now, ...change },
  }
  await ctx.write((tx) => tx.db.insert(tx.tables.integrations).values(row))
  return id
}

const deliveries = () => i.s.ctx.db.select().from(i.s.ctx.tables.deliveries)
const post = async (body: object) => expect((await postEvent(i.s, body)).status).toBe(202)
const SIGNALS = { email: 'Ada@Example.com', ip: '203.0.113.77', userAgent: 'secret-agent' }

describe('an event is passed on', () => {
  test('to each ads and analytics connection that names its type, and to no other', async () => {
    const [ads, analytics] = [await connect('META_CAPI'), await connect('AMPLITUDE')]
    await connect('BRAZE')
    await connect('SLACK')
    await connect('MIXPANEL', { isEnabled: false })
    await connect('FIREBASE', { eventMapping: { level_down: 'x' } })
    await connect('TIKTOK_EVENTS', { projectId: i.s.other.id })
    await post({ eventType: 'level_up', subscriberId: 'svc_ada', eventId: 'e1', amount: '9.99', currency: 'usd' })
    const { id: subscriberId } = await rowOf(i.s, 'svc_ada')
    const made = await deliveries()
    expect(made.map(({ targetId }) => targetId).sort()).toEqual([ads, analytics].sort())
    for (const { payload, ...row } of made) {
      expect(row).toMatchObject({ kind: 'INTEGRATION', type: 'level_up', subscriberId, isTest: false })
      const { event } = JSON.parse(payload ?? '')
      expect(event).toMatchObject({ id: 'e1', type: 'level_up', amountMicros: 9_990_000, currency: 'USD' })
    }
  })

  test('once for an event id, and each time without one under another id', async () => {
    await connect('AMPLITUDE')
    for (let turn = 0; turn < 2; turn++) await post({ eventType: 'level_up', eventId: 'e1' })
    expect(await deliveries()).toHaveLength(1)
    for (let turn = 0; turn < 2; turn++) await post({ eventType: 'level_up' })
    const ids = (await deliveries()).map(({ payload }) => JSON.parse(payload ?? '').event.id)
    expect([ids.length, new Set(ids).size]).toEqual([3, 3])
  })

  test('under its own type also when it is stored as one of the client', async () => {
    await connect('AMPLITUDE')
    await post({ eventType: 'purchase.mine' })
    expect((await clientEvents(i.s)).map(({ type }) => type)).toEqual(['client.purchase.mine'])
    expect((await deliveries()).map(({ type }) => type)).toEqual(['purchase.mine'])
  })

  test('with hashes alone; what ads providers demand is encrypted, and others do not get it', async () => {
    const ads = await connect('META_CAPI')
    await connect('AMPLITUDE')
    await post({ eventType: 'level_up', identityContext: SIGNALS })
    const made = await deliveries()
    expect(JSON.stringify([made, i.s.ctx.lines])).not.toMatch(/ada@|203\.0\.113|secret-agent/i)
    for (const { targetId, payload } of made) {
      const { signals, sealed } = JSON.parse(payload ?? '')
      expect(signals.email).toBe(sha256Hex('ada@example.com'))
      expect(typeof sealed).toBe(targetId === ads ? 'string' : 'undefined')
    }
  })

  test('not when it cannot be stored', async () => {
    await connect('AMPLITUDE')
    const { write } = i.s.ctx
    Object.assign(i.s.ctx, {
      write: (work: Parameters<typeof write>[0]) =>
        write(async (tx) => {
          await work(tx)
          throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
        }),
    })
    const answer = await postEvent(i.s, { eventType: 'level_up', eventId: 'e1' })
    expect([answer.status, answer.body.error.code]).toEqual([503, 'TELEMETRY_UNAVAILABLE'])
    Object.assign(i.s.ctx, { write })
    expect([await deliveries(), await clientEvents(i.s)]).toEqual([[], []])
    await post({ eventType: 'level_up', eventId: 'e1' })
    expect(await deliveries()).toHaveLength(1)
  })
})

test('a connection that was made by the dashboard gets the event under its own name', async () => {
  const body = { ...AMPLITUDE_BODY, eventMapping: { level_up: 'Level Up' } }
  expect((await i.team.as('ADMIN').post('/integrations', body)).status).toBe(201)
  const before = i.server.callsOf('amplitude').length
  await i.s.post('/v1/identify', { deviceKey: 'svc_ada', appUserId: 'ada' })
  await post({ eventType: 'level_up', subscriberId: 'svc_ada', eventId: 'e1', identityContext: SIGNALS })
  await i.s.ctx.state.dispatcher.runDue()
  const [call] = i.server.callsOf('amplitude').slice(before)
  expect(call?.answered.status).toBe(200)
  expect(call?.body).toContain('Level Up')
  expect(call?.body).not.toMatch(/ada@example|203\.0\.113|secret-agent/i)
  expect((await deliveries()).filter(({ type }) => type === 'level_up').map(({ status }) => status)).toEqual([
    'SUCCEEDED',
  ])
})
