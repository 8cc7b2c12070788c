import { toReport } from '../../src/intake/payment/report'
import { present } from '../../src/intake/recording/model'
import { recordChain } from '../../src/intake/recording/record-chain'
import { causeOf } from '../../src/people/events/model'
import { listByChain } from '../../src/people/purchases/queries'
import { ensureSubscriber, findSubscriber } from '../../src/people/subscribers/service'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { decodeEvent, readerOf } from '../../src/stores/payment/world.fixtures'
import { addPrice } from '../../src/test-store/stores/payment-billing'
import { PaymentServer } from '../../src/test-store/stores/payment-server'
import { PaymentWorld, type SimulatedEvent } from '../../src/test-store/stores/payment-world'
import { type Stage, stage } from './cast'
import { NOW, TestClock } from './context'

const KEY = 'sk_test_simulated'

/** Price ids at the provider. They are also the identifiers of two products that no other store sells. */
export const WEB_MONTHLY = 'web_monthly'
export const WEB_COURSE = 'web_course'

/** A stage whose project sells through the payment provider, with the provider on loopback. */
export interface PaymentStage extends Stage {
  server: PaymentServer
  world: PaymentWorld
  /** The provider answers nothing until `release` is called. `asked` resolves when the first request has arrived. */
  hold(): { asked: Promise<void>; release: () => void }
  /** Records all events of the provider since the last call, for the buyer or the purchase's owner. */
  deliverAll(buyer?: string): Promise<void>
}

export async function paymentStage(): Promise<PaymentStage> {
  const clock = new TestClock(NOW)
  let present_ = () => clock.now()
  const world = new PaymentWorld({ now: () => present_() })
  const server = new PaymentServer(world, KEY)
  const s = await stage({ env: { SVC_PAYMENT_API_URL: server.url } })
  present_ = () => s.ctx.clock.now()
  addPrice(world, { id: WEB_MONTHLY, amount: 999, interval: 'month' })
  addPrice(world, { id: WEB_COURSE, amount: 4900, interval: null })
  await connect(s)
  let deliveredCount = 0
  return Object.assign(s, {
    server,
    world,
    hold() {
      const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const { push } = server.requests
      server.requests.push = (...requests) => {
        asked.resolve()
        return push.apply(server.requests, requests)
      }
      server.faults = { ...server.faults, until: released.promise }
      return { asked: asked.promise, release: released.resolve }
    },
    async deliverAll(buyer = 'svc_ada') {
      const events = world.events.slice(deliveredCount)
      deliveredCount = world.events.length
      for (const event of events) await record(s, world, event, buyer)
    },
    close: async () => {
      await s.ctx.close()
      await server.close()
    },
  })
}

/** Saves the key of the account, and adds the products that are sold through it. */
async function connect(s: Stage): Promise<void> {
  const { products } = s.ctx.tables
  const stamps = { createdAt: NOW, updatedAt: NOW }
  const pro = `acc_${1}pro`.padEnd(30, '0')
  const product = (identifier: string, type: 'SUBSCRIPTION' | 'NON_CONSUMABLE') => ({
    ...{ id: `prd_${1}${identifier}`.padEnd(30, '0'), projectId: s.project.id, identifier, type },
    ...{ displayName: identifier, paymentId: identifier, accessIds: [pro], isActive: true, metadata: {} },
    ...stamps,
  })
  await s.ctx.write(async (tx) => {
    const secrets = { secretKey: KEY, webhookSecret: 'whsec_simulated' }
    await saveStoreSettings(tx, s.project.id, 'payment', { config: { mode: 'test' }, secrets })
    await tx.db.insert(products).values([product(WEB_MONTHLY, 'SUBSCRIPTION'), product(WEB_COURSE, 'NON_CONSUMABLE')])
  })
  s.ctx.state.projects.forget(s.project.id)
}

async function record(s: Stage, world: PaymentWorld, event: SimulatedEvent, buyer: string): Promise<void> {
  const decoded = await decodeEvent(readerOf(world), event, s.ctx.clock.now())
  if (!decoded.ok) return
  const { purchase } = decoded
  const project = await s.ctx.state.projects.get(s.project.id)
  await s.ctx.write(async (tx) => {
    const rows = await listByChain(tx, project.id, 'PAYMENT', purchase.chainKey)
    const [held] = rows
    const owner = held && (await findSubscriber(tx, project.id, held.subscriberId))
    const { row } = owner ? { row: owner } : await ensureSubscriber(tx, project.id, buyer, null)
    const cause = causeOf('STORE_NOTIFICATION', null, 'PAYMENT', event.type)
    await recordChain(tx, project, present(row), rows, toReport(project, purchase), cause)
  })
}
