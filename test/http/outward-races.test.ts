import { afterEach, beforeEach, expect, test } from 'bun:test'
import { fanOut } from '../../src/outward/deliveries/fan-out'
import { lockTargets } from '../../src/outward/deliveries/target-queries'
import { closeTarget } from '../../src/outward/deliveries/targets'
import { disableIntegration } from '../../src/outward/integrations/disable'
import { disableEndpoint } from '../../src/outward/webhooks/disable'
import { delivered, deliveryRows, deviceOwner, endpoint, happen } from '../support/deliveries'
import { AMPLITUDE_BODY, type IntegrationStage, integrationStage } from '../support/integrations/stage'
import { dataOf } from '../support/operator'
import type { StaffCalls } from '../support/staff'

let i: IntegrationStage
let owner: StaffCalls
beforeEach(async () => {
  i = await integrationStage()
  owner = i.team.as('OWNER')
})
afterEach(() => i.close())

/** Lets another request continue as far as it can. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 300; turn++) await new Promise(setImmediate)
}

const targetIds = async () =>
  (await i.s.ctx.db.select().from(i.s.ctx.tables.deliveryTargets)).map(({ targetId }) => targetId)

test('what the server switches off while a person changes it is off, and so it is shown', async () => {
  const { id: connection } = await dataOf(owner.post('/integrations', AMPLITUDE_BODY))
  const hook = await endpoint(i.s)
  const cases = [
    { id: connection, kind: 'INTEGRATION', disable: disableIntegration, path: `/integrations/${connection}` },
    { id: hook, kind: 'WEBHOOK', disable: disableEndpoint, path: `/webhook-endpoints/${hook}` },
  ] as const
  for (const { id, kind, disable, path } of cases) {
    const changed = await i.s.ctx.write(async (tx) => {
      await lockTargets(tx, [id])
      const change = owner.patch(path, kind === 'WEBHOOK' ? { name: 'other' } : { includeSandbox: true })
      await turns()
      await closeTarget(tx, { targetId: id, kind }, 'disabled')
      await disable(tx, { targetId: id, projectId: i.s.project.id }, 'GONE')
      return [change]
    })
    expect((await changed[0])?.body.data).toMatchObject({ isEnabled: false })
    expect(await targetIds()).not.toContain(id)
  }
})

test('an endpoint that is made while the dispatcher finds none gets the events from then on', async () => {
  await dataOf(owner.delete(`/webhook-endpoints/${await endpoint(i.s)}`))
  const ada = await deviceOwner(i.s, 'svc_ada')
  await happen(i.s, ada, [{}])
  const made = await i.s.ctx.write(async (tx) => {
    await fanOut(tx, i.s.project.id, 250)
    const making = endpoint(i.s)
    await turns()
    return [making]
  })
  const id = await made[0]
  i.s.ctx.clock.advance(1)
  const [event] = await happen(i.s, ada, [{}])
  await i.s.ctx.write((tx) => fanOut(tx, i.s.project.id, 250))
  const rows = await deliveryRows(i.s)
  expect(rows.filter(({ eventId }) => eventId === event).map(({ targetId }) => targetId)).toEqual([id ?? ''])
})

test('of two people who retry, dismiss or delete at once only one does', async () => {
  const target = await endpoint(i.s)
  for (const actions of [
    ['retry', 'retry'],
    ['dismiss', 'dismiss'],
    ['retry', 'dismiss'],
  ]) {
    const { id } = await delivered(i.s, { targetId: target })
    const answers = await Promise.all(actions.map((action) => owner.post(`/webhook-deliveries/${id}/${action}`, {})))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(answers.find(({ status }) => status === 400)?.body.error.code).toBe('WEBHOOK_STATE')
  }
  const deleted = await Promise.all([1, 2].map(() => owner.delete(`/webhook-endpoints/${target}`)))
  expect(deleted.map(({ status }) => status).sort()).toEqual([200, 404])
})
