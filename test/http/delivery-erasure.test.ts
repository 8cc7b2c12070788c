import { afterEach, beforeEach, expect, test } from 'bun:test'
import { deliveryRows, deviceOwner, happen } from '../support/deliveries'
import { erase as eraseNow } from '../support/erased'
import { identify, rowOf } from '../support/facts'
import { type IntegrationStage, integrationStage, META_BODY } from '../support/integrations/stage'
import { dataOf } from '../support/operator'
import { type Receiver, startReceiver } from '../support/receiver'
import { postEvent } from '../support/telemetry'

let i: IntegrationStage
let receiver: Receiver
beforeEach(async () => {
  receiver = startReceiver()
  i = await integrationStage()
})
afterEach(async () => {
  await i.close()
  await receiver.close()
})

const run = () => i.s.ctx.state.dispatcher.runDue()
const hook = (more: object = {}) =>
  dataOf(
    i.team.as('OWNER').post('/webhook-endpoints', {
      ...{ name: Bun.randomUUIDv7(), url: `${receiver.url}/hooks`, eventTypes: ['*'], ...more },
    }),
  )

async function erase(device: string): Promise<void> {
  await eraseNow(i.s, (await rowOf(i.s, device)).id)
}

test('what waits about an erased person is not sent, and the log keeps no text about the person', async () => {
  await hook({ ordered: true })
  await dataOf(i.team.as('OWNER').post('/integrations', { ...META_BODY, eventMapping: { level_up: 'LevelUp' } }))
  const [ada, bo] = [await deviceOwner(i.s, 'svc_ada'), await deviceOwner(i.s, 'svc_bo')]
  await happen(i.s, ada, [{}, {}])
  await happen(i.s, bo, [{}])
  await postEvent(i.s, {
    eventType: 'level_up',
    subscriberId: 'svc_ada',
    identityContext: { email: 'a@example.com', ip: '203.0.113.9' },
  })
  receiver.respond = ({ body }) => new Response(`about ${JSON.parse(body).subscriberId}`, { status: 500 })
  i.server.answerNext('meta_capi', { status: 500, body: 'about a person' })
  await run()
  const before = await deliveryRows(i.s)
  expect(JSON.stringify(before.map(({ log }) => log))).toContain(`about ${ada}`)
  for (let turn = 0; turn < 2; turn++) await erase('svc_ada')
  const rows = await deliveryRows(i.s)
  const own = rows.filter(({ subscriberId }) => subscriberId === ada)
  expect(own.length).toBeGreaterThan(2)
  for (const { status, lastError, payload, log, dueAt } of own) {
    if (status !== 'SKIPPED') expect([status, lastError, dueAt]).toEqual(['DEAD', 'erased', null])
    expect([payload, log.flatMap(({ responseSnippet }) => responseSnippet ?? [])]).toEqual([null, []])
  }
  const others = ({ subscriberId }: { subscriberId: string | null }) => subscriberId !== ada
  expect(rows.filter(others)).toEqual(before.filter(others))
  const sent = receiver.received.length + i.server.callsOf('meta_capi').length
  i.s.ctx.clock.advance(3_600_000)
  await run()
  expect(receiver.received.slice(-1).map(({ body }) => JSON.parse(body).subscriberId)).toEqual([bo])
  expect(receiver.received.length + i.server.callsOf('meta_capi').length).toBe(sent + 1)
})

test('an attempt that is under way when the person is erased leaves nothing of its answer', async () => {
  await hook()
  const ada = await deviceOwner(i.s, 'svc_ada')
  await happen(i.s, ada, [{}])
  receiver.respond = async () => {
    await erase('svc_ada')
    return new Response('about a person')
  }
  await run()
  expect(receiver.received).toHaveLength(1)
  const [row] = await deliveryRows(i.s)
  expect([row?.status, row?.lastError, row?.log]).toEqual(['DEAD', 'erased', []])
})

test('what waits about a person who was merged is sent, and is erased with the person', async () => {
  await hook()
  await identify(i.s, 'svc_first', 'ada')
  const first = await deviceOwner(i.s, 'svc_first')
  const second = await deviceOwner(i.s, 'svc_second')
  await happen(i.s, second, [{}])
  await identify(i.s, 'svc_second', 'ada')
  receiver.respond = () => new Response('about a person', { status: 500 })
  await run()
  const told = receiver.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'purchase.renewed')
  expect([first, second]).toContain(told.subscriberId)
  await erase('svc_second')
  for (const { status, log } of await deliveryRows(i.s))
    expect([status, log.flatMap(({ responseSnippet }) => responseSnippet ?? [])]).toEqual(['DEAD', []])
})
