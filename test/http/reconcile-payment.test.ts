import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/lib/clock'
import { reconcile } from '../../src/intake/reconcile/run'
import { subscribe } from '../../src/test-store/stores/payment-billing'
import { NO_FAULTS } from '../../src/test-store/stores/payment-server'
import { cancelAtPeriodEnd, endNow, renew } from '../../src/test-store/stores/payment-turns'
import { access, everything, listenTo, money } from '../support/facts'
import { type PaymentStage, paymentStage, stopSelling } from '../support/payment'

let s: PaymentStage
let ada = ''
let newEvents: () => Promise<string[]>
beforeEach(async () => {
  s = await paymentStage()
  ada = (await s.get('/v1/me', 'svc_ada')).body.data.subscriber.id
  newEvents = listenTo(s, 'svc_ada')
})
afterEach(() => s.close())

async function adaSubscribes(): Promise<string> {
  const { id } = subscribe(s.world, { priceId: 'price_monthly', metadata: { svc_subscriber_id: ada } })
  await s.deliverAll()
  await newEvents()
  return id
}

async function run(isDryRun = false) {
  const { storeRuns } = await reconcile(s.ctx, { isDryRun })
  // One lane for each place; those where nothing is due say nothing.
  const said = storeRuns.filter(({ tally, failed, stop }) => tally.checked + failed > 0 || stop !== null)
  return said.map(({ store, tally, failed, stop }) => ({ store, ...tally, failed, stop }))
}

const answered = (drifted: number) => [{ store: 'PAYMENT', checked: 1, drifted, failed: 0, stop: null }] as const

describe('an event of the provider that was lost', () => {
  const cases: [fact: string, after: number, turn: (id: string) => void, events: string[], charges: number][] = [
    ['a renewal', 30 * DAY, (id) => renew(s.world, id), ['purchase.renewed'], 2],
    ['a cancellation', 2 * DAY, (id) => cancelAtPeriodEnd(s.world, id), ['purchase.cancelled'], 1],
    ['an end', 2 * DAY, (id) => endNow(s.world, id), ['purchase.expired', 'entitlement.revoked'], 1],
  ]
  for (const [fact, after, turn, events, charges] of cases)
    test(`${fact} is made good, once, and says why`, async () => {
      const id = await adaSubscribes()
      s.ctx.clock.advance(after)
      turn(id)
      await s.deliveries() // Takes the deliveries and drops them.
      s.ctx.clock.advance(HOUR)
      expect(await run()).toEqual([...answered(1)])
      expect(await newEvents()).toEqual(events)
      const [event] = (await s.ctx.db.select().from(s.ctx.tables.events).orderBy(s.ctx.tables.events.position)).slice(
        -1,
      )
      expect(event?.cause).toMatchObject({ kind: 'RECONCILE', store: 'PAYMENT' })
      expect(await money(s, ada)).toHaveLength(charges)
      expect(await run()).toEqual([])
      expect(await newEvents()).toEqual([])
    })
})

test('a dry run says what differs and writes nothing', async () => {
  const id = await adaSubscribes()
  s.ctx.clock.advance(2 * DAY)
  endNow(s.world, id)
  const before = await everything(s)
  expect(await run(true)).toEqual([...answered(1)])
  expect(await everything(s)).toEqual(before)
  expect(Object.keys(await access(s, 'svc_ada'))).toEqual(['pro'])
})

test('the provider away, or no account, leaves the purchase due', async () => {
  const id = await adaSubscribes()
  s.ctx.clock.advance(2 * DAY)
  endNow(s.world, id)
  s.server.faults = { ...NO_FAULTS, status: 503 }
  expect(await run()).toMatchObject([{ checked: 0, failed: 1 }])
  s.server.faults = NO_FAULTS
  s.ctx.clock.advance(HOUR)
  expect(await run()).toEqual([...answered(1)])
  await stopSelling(s, s.project)
  s.ctx.clock.advance(2 * DAY)
  for (const lane of await run()) expect(lane).toMatchObject({ checked: 0, stop: 'NO_CREDENTIALS' })
})
