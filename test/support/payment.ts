import { eq } from 'drizzle-orm'
import type { Tx } from '../../src/base/context'
import type { Slice } from '../../src/base/slice'
import type { ProjectSettings } from '../../src/core/project/schema'
import { removeStoreSettings, saveStoreSettings } from '../../src/projects/connections/credentials'
import { nextRevision } from '../../src/projects/project/queries'
import { addPrice } from '../../src/test-store/stores/payment-billing'
import type { DeliveryOptions, SignedDelivery } from '../../src/test-store/stores/payment-events'
import { PaymentServer } from '../../src/test-store/stores/payment-server'
import { PaymentWorld } from '../../src/test-store/stores/payment-world'
import { type Answer, type CastProject, type Stage, stage } from './cast'
import { NOW, TestClock } from './context'

export const SECRET_KEY = 'sk_test_stage'
export const WEBHOOK_SECRET = 'whsec_stage'
/** The webhook secret of the platform, for connected accounts. */
export const CONNECT_SECRET = 'whsec_connect_test'
export const CONNECT_LIVE_SECRET = 'whsec_connect_live'

/** Prices of the test products at the provider, in cents; `price_nobody` belongs to no product. */
export const PRICES = {
  price_monthly: { amount: 999, interval: 'month' },
  price_yearly: { amount: 7999, interval: 'year' },
  price_coins: { amount: 99, interval: null },
  price_lifetime: { amount: 19999, interval: null },
  price_nobody: { amount: 500, interval: 'month' },
} as const

const PRODUCTS: [identifier: string, paymentId: keyof typeof PRICES][] = [
  ['pro_monthly', 'price_monthly'],
  ['pro_yearly', 'price_yearly'],
  ['coins_100', 'price_coins'],
  ['lifetime', 'price_lifetime'],
]

export const SUCCESS_URL = 'https://app.example.com/done?session={CHECKOUT_SESSION_ID}'
export const CANCEL_URL = 'https://app.example.com/back'

/** A stage whose project sells through an account of the payment provider, with the provider on loopback. */
export interface PaymentStage extends Stage {
  server: PaymentServer
  /** The state of the provider. Change it with the functions of `src/test-store/stores/payment-*.ts`. */
  world: PaymentWorld
  /** Posts an event as the provider does, by default to the project's own address. */
  deliver(delivery: SignedDelivery, path?: string): Promise<Answer>
  /** The deliveries of events since the last call, not yet posted. */
  deliveries(options?: Partial<DeliveryOptions>): Promise<SignedDelivery[]>
  /** Delivers all events since the last call, one after the other. */
  deliverAll(options?: Partial<DeliveryOptions>): Promise<Answer[]>
  /** Opens a checkout as a device does. */
  checkout(device: string, packageIdentifier?: string, more?: CheckoutMore): Promise<Answer>
  portal(device: string, options?: { key?: string; headers?: Record<string, string> }): Promise<Answer>
  /**
   * The path to which the provider posts: the one of the project, or for a connected account the one of the platform.
   */
  path: string
  secret: string
}

interface CheckoutMore {
  key?: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
}

interface Options {
  settings?: Partial<ProjectSettings>
  env?: Record<string, string>
  /** Sells through a connected account instead of the project's own keys. */
  account?: string | null
  slices?: readonly Slice[]
}

export async function paymentStage({
  settings = {},
  env = {},
  account = null,
  slices,
}: Options = {}): Promise<PaymentStage> {
  const clock = new TestClock(NOW)
  let present = () => clock.now()
  const world = new PaymentWorld({ now: () => present() }, account)
  const server = new PaymentServer(world, SECRET_KEY)
  const s = await stage({
    settings,
    env: { SVC_PAYMENT_API_URL: server.url, ...CONNECT_ENV, ...env },
    ...(slices && { slices }),
  })
  present = () => s.ctx.clock.now()
  for (const [id, price] of Object.entries(PRICES)) addPrice(world, { id, ...price })
  await sellThrough(s, s.project, account)
  const path = account === null ? `/webhooks/payment/${s.project.id}` : '/webhooks/payment/connect'
  const secret = account === null ? WEBHOOK_SECRET : CONNECT_SECRET
  const deliver = (delivery: SignedDelivery, to = path) => post(s, delivery, to)
  const deliveries = (options: Partial<DeliveryOptions> = {}) => server.takeDeliveries({ secret, ...options })
  return Object.assign(s, {
    server,
    world,
    path,
    secret,
    deliver,
    deliveries,
    async deliverAll(options: Partial<DeliveryOptions> = {}) {
      const answers: Answer[] = []
      for (const delivery of await deliveries(options)) answers.push(await deliver(delivery))
      return answers
    },
    checkout: (device: string, packageIdentifier = '$svc_monthly', { key, headers, body }: CheckoutMore = {}) =>
      s.post(
        '/v1/checkout',
        { offeringIdentifier: 'default', packageIdentifier, successUrl: SUCCESS_URL, cancelUrl: CANCEL_URL, ...body },
        { ...(key && { key }), headers: { 'x-svc-app-user-id': device, ...headers } },
      ),
    portal: (device: string, { key, headers }: { key?: string; headers?: Record<string, string> } = {}) =>
      s.post(
        '/v1/billing-portal',
        { returnUrl: CANCEL_URL },
        { ...(key && { key }), headers: { 'x-svc-app-user-id': device, ...headers } },
      ),
    close: async () => {
      await s.ctx.close()
      await server.close()
    },
  })
}

const CONNECT_ENV = {
  SVC_PAYMENT_CONNECT_TEST_KEY: SECRET_KEY,
  SVC_PAYMENT_CONNECT_TEST_WEBHOOK_SECRET: CONNECT_SECRET,
  SVC_PAYMENT_CONNECT_LIVE_KEY: 'sk_live_platform',
  SVC_PAYMENT_CONNECT_LIVE_WEBHOOK_SECRET: CONNECT_LIVE_SECRET,
}

const post = (s: Stage, { body, signature }: SignedDelivery, path: string): Promise<Answer> =>
  s.call('POST', path, {
    key: null,
    raw: body,
    headers: signature === '' ? {} : { 'stripe-signature': signature },
  })

/** Saves an account for a project (its own keys, or a connected account) and sets the prices of the test products. */
export async function sellThrough(
  s: Pick<Stage, 'ctx'>,
  { id }: CastProject,
  account: string | null,
  mode: 'test' | 'live' = 'test',
  publishableKey: string | null = null,
): Promise<void> {
  const { products: p } = s.ctx.tables
  const secrets: Record<string, string> =
    account === null ? { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET } : {}
  await s.ctx.write(async (tx) => {
    await saveStoreSettings(tx, id, 'payment', { config: { mode, accountId: account, publishableKey }, secrets })
    const rows = await tx.db.select().from(p).where(eq(p.projectId, id))
    for (const [identifier, paymentId] of PRODUCTS) {
      const row = rows.find((one) => one.identifier === identifier)
      if (row) await tx.db.update(p).set({ paymentId }).where(eq(p.id, row.id))
    }
    await touch(tx, id)
  })
  s.ctx.state.projects.forget(id)
}

/** Removes the account. */
export async function stopSelling(s: Stage, { id }: CastProject): Promise<void> {
  await s.ctx.write(async (tx) => {
    await removeStoreSettings(tx, id, 'payment')
    await touch(tx, id)
  })
  s.ctx.state.projects.forget(id)
}

/** Changes the configuration version as every change does. It is above the versions with which the test data begins. */
async function touch(tx: Tx, id: string): Promise<void> {
  const { projects } = tx.tables
  const configVersion = 100 + (await nextRevision(tx))
  await tx.db.update(projects).set({ configVersion }).where(eq(projects.id, id))
}
