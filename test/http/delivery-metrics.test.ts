import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, SECOND } from '../../src/base/lib/clock'
import { retryDelivery } from '../../src/outward/deliveries/reopen'
import { SERVER_ACTOR } from '../../src/projects/audit/audit'
import { type Stage, stage } from '../support/cast'
import { arrive, PLATFORM_DOMAIN } from '../support/crew'
import { deliveryRows, deviceOwner } from '../support/deliveries'
import { answer, type Probe, probeKind, writeEvents } from '../support/probe-kind'

const TARGET = 'whe_00000000000000000000000001'

let s: Stage
let probe: Probe
beforeEach(async () => {
  probe = probeKind()
  s = await stage({ slices: probe.slices, env: { SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN } })
  await probe.open(s.ctx, TARGET, s.project.id)
})
afterEach(() => s.close())

const run = () => s.ctx.state.dispatcher.runDue()
const happen = async (count = 1) =>
  writeEvents(s.ctx, { id: await deviceOwner(s, 'svc_ada'), projectId: s.project.id }, count)

/** How many attempts the histogram has counted, and their seconds. */
async function lag(): Promise<[count: number, seconds: number]> {
  const text = await s.ctx.metrics.text()
  const [count = 0, sum = 0] = ['count', 'sum'].map((part) =>
    Number(
      new RegExp(`^svc_webhook_delivery_lag_seconds_${part}\\{kind="WEBHOOK"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0,
    ),
  )
  return [count, sum]
}

test('the lag is measured once for each delivery, from the event to its first attempt', async () => {
  await happen(2)
  s.ctx.clock.advance(3 * SECOND)
  probe.respond = () => answer(500)
  await run()
  expect(await lag()).toEqual([2, 6])
  for (let n = 0; n < 9; n++) {
    s.ctx.clock.advance(2 * DAY)
    await run()
  }
  expect((await deliveryRows(s)).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['DEAD', 10],
    ['DEAD', 10],
  ])
  const by = { projectId: s.project.id, kind: 'WEBHOOK', actor: SERVER_ACTOR } as const
  for (const { id } of await deliveryRows(s)) await retryDelivery(s.ctx, by, id)
  await run()
  expect(probe.sent).toHaveLength(22)
  expect(await lag()).toEqual([2, 6])
})

test('the figures of the platform say for how long the oldest attempt is overdue', async () => {
  const root = await arrive(s, 'root', { isAdmin: true })
  const overdue = async () => (await root.browser.get('/admin/metrics')).body.data.webhookLagSeconds
  expect(await overdue()).toBe(0)
  probe.respond = () => answer(500)
  await happen()
  await run()
  expect(await overdue()).toBe(0) // The next attempt is not due yet.
  s.ctx.clock.advance(60 * SECOND)
  expect(await overdue()).toBeGreaterThan(50)
  probe.respond = () => answer(200)
  await run()
  expect(await overdue()).toBe(0)
})
