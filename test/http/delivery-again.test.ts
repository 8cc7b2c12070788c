import { afterEach, beforeEach, expect, test } from 'bun:test'
import { HOUR } from '../../src/base/lib/clock'
import { toIso } from '../../src/base/lib/time'
import { type Stage, stage } from '../support/cast'
import { delivered, deliveryRows, deviceOwner, endpoint, happen } from '../support/deliveries'
import { dataOf } from '../support/operator'
import { type Receiver, startReceiver } from '../support/receiver'
import { type Staff, staff } from '../support/staff'

let s: Stage
let team: Staff
let receiver: Receiver
let ada: string
beforeEach(async () => {
  receiver = startReceiver()
  s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
  ada = await deviceOwner(s, 'svc_ada')
  team = staff(s)
})
afterEach(async () => {
  await s.close()
  await receiver.close()
})

const hook = (more: object = {}) => endpoint(s, { url: `${receiver.url}/hooks`, ...more })
const act = (id: string, action: string) => dataOf(team.as('DEVELOPER').post(`/webhook-deliveries/${id}/${action}`))
const run = () => s.ctx.state.dispatcher.runDue()
const received = () => receiver.received.map(({ headers }) => headers['webhook-id'])

test('a retried delivery reaches the receiver, and is logged behind its earlier attempts', async () => {
  const target = await hook()
  const [event = ''] = await happen(s, ada, [{}])
  await run()
  const { id } = await delivered(s, { targetId: target, event })
  expect((await act(id, 'retry')).status).toBe('PENDING')
  await run()
  expect(received()).toEqual([event, event])
  const shown = await dataOf(team.as('OWNER').get(`/webhook-deliveries/${id}`))
  expect(shown).toMatchObject({ status: 'SUCCEEDED', attempts: 1, lastStatusCode: 200, nextAttemptAt: null })
  expect(shown.attemptsLog.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual([500, 200])
  expect(shown.body).toBe(receiver.received[1]?.body)
})

test('a redelivered one has the same webhook-id, and a body that is equal to the last byte', async () => {
  await hook()
  const [event = ''] = await happen(s, ada, [{}])
  await run()
  const [first] = await deliveryRows(s)
  s.ctx.clock.advance(HOUR)
  const again = await act(first?.id ?? '', 'redeliver')
  await run()
  expect(received()).toEqual([event, event])
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  expect(again.id).not.toBe(first?.id)
  expect((await deliveryRows(s)).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
})

test('a replay on an ordered endpoint arrives in the order of seq, before what happens later', async () => {
  const old = await happen(
    s,
    ada,
    Array.from({ length: 5 }, () => ({})),
  )
  s.ctx.clock.advance(HOUR)
  const target = await hook({ ordered: true })
  const window = { from: toIso(0), to: toIso(s.ctx.clock.now()) }
  const { queued } = await dataOf(
    team.as('DEVELOPER').post('/webhook-deliveries/replay', { endpointId: target, ...window }),
  )
  expect(queued).toBe(5)
  const later = await happen(s, ada, [{}, {}])
  await run()
  expect(received()).toEqual([...old, ...later])
  expect((await deliveryRows(s)).every(({ status, openOrder }) => status === 'SUCCEEDED' && openOrder === null)).toBe(
    true,
  )
})

test('on an ordered endpoint a retried delivery that waited goes out after the open one, and the later ones follow', async () => {
  const target = await hook({ ordered: true })
  const [event = ''] = await happen(s, ada, [{}])
  await run()
  const dead = await delivered(s, { targetId: target, event })
  receiver.respond = () => new Response('no', { status: 500 })
  const [second = '', third = ''] = await happen(s, ada, [{}, {}])
  await run()
  expect((await act(dead.id, 'retry')).nextAttemptAt).toBeNull()
  receiver.respond = () => new Response('ok')
  s.ctx.clock.advance(HOUR)
  await run()
  // The second had failed once before the retry; then it ends, the retried one is the oldest, and the third comes last.
  expect(received()).toEqual([event, second, second, event, third])
})

test('a delivery whose event is gone dies again with the reason', async () => {
  const target = await hook()
  const [event = ''] = await happen(s, ada, [{}])
  await run()
  const { id } = await delivered(s, { targetId: target, event })
  await s.ctx.write((tx) => tx.db.delete(tx.tables.events))
  await act(id, 'retry')
  await run()
  expect(await dataOf(team.as('OWNER').get(`/webhook-deliveries/${id}`))).toMatchObject({
    ...{ status: 'DEAD', lastError: 'event_expired', body: null },
  })
  expect(received()).toEqual([event])
})
