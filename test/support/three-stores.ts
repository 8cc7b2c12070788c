import { AndroidServer } from '../../src/test-store/stores/android-server'
import { type ApiServer, startApiServer } from '../../src/test-store/stores/api-server'
import { addPrice } from '../../src/test-store/stores/payment-billing'
import { PaymentServer } from '../../src/test-store/stores/payment-server'
import { PaymentWorld } from '../../src/test-store/stores/payment-world'
import { PACKAGE } from './android'
import { type ConnectServer, newApp, startConnectServer } from './app-store-connect'
import { type Answer, BUNDLE, type Stage, stage } from './cast'
import { NOW } from './context'
import { SECRET_KEY, WEBHOOK_SECRET } from './payment'
import { type AccountServer, soldAs, startAccountServer } from './payment-account'
import { PubSubServer } from './pubsub'
import { CONNECT_KEY_ID } from './store-setup'

export const PUBLIC_URL = 'https://svc.example.com'

/** What the project sells at the payment provider. */
export const WEB_PRO = 'price_web_pro'

/** A stage with a public address whose three stores are on loopback. No project is connected to one of them. */
export interface StoresStage extends Stage {
  apple: ApiServer
  connect: ConnectServer
  google: AndroidServer
  cloud: PubSubServer
  world: PaymentWorld
  /** Posts the provider's events since the last call to the project's own address. */
  deliverPayments(projectId: string): Promise<Answer[]>
}

export async function storesStage(env: Record<string, string> = {}): Promise<StoresStage> {
  let present = () => NOW
  const clock = { now: () => present() }
  const apple = startApiServer({ bundleId: BUNDLE })
  const connect = startConnectServer(clock.now)
  connect.apps.push(newApp(BUNDLE))
  connect.roles.set(CONNECT_KEY_ID, 'ADMIN')
  const google = await AndroidServer.start({ clock, packageName: PACKAGE })
  const deliver = ({ url, body, authorization }: { url: string; body: string; authorization: string }) =>
    s.call('POST', new URL(url).pathname, { key: null, raw: body, headers: { authorization } })
  const cloud: PubSubServer = new PubSubServer({ google, clock, deliver })
  const world = new PaymentWorld(clock)
  addPrice(world, { id: WEB_PRO, amount: 999, interval: 'month' })
  const provider = startProvider(world)
  const s: Stage = await stage({
    env: {
      SVC_IOS_API_URL: apple.url,
      SVC_IOS_CONNECT_API_URL: connect.url,
      SVC_ANDROID_API_URL: google.apiUrl,
      SVC_ANDROID_TOKEN_URL: google.tokenUrl,
      SVC_PUBSUB_API_URL: cloud.url,
      SVC_PAYMENT_API_URL: provider.url,
      PUBLIC_BASE_URL: PUBLIC_URL,
      ...env,
    },
  })
  present = () => s.ctx.clock.now()
  return Object.assign(s, {
    apple,
    connect,
    google,
    cloud,
    world,
    async deliverPayments(projectId: string) {
      const answers: Answer[] = []
      for (const { body, signature } of await provider.sales.takeDeliveries({ secret: WEBHOOK_SECRET }))
        answers.push(
          await s.call('POST', `/webhooks/payment/${projectId}`, {
            key: null,
            raw: body,
            headers: { 'stripe-signature': signature },
          }),
        )
      return answers
    },
    close: async () => {
      await s.ctx.close()
      await Promise.all([apple.close(), connect.close(), google.close(), cloud.close(), provider.close()])
    },
  })
}

interface Provider {
  url: string
  sales: PaymentServer
  close(): Promise<void>
}

/** One address for what two stand-ins know: one lists what is sold, the other sells. */
function startProvider(world: PaymentWorld): Provider {
  const sales = new PaymentServer(world, SECRET_KEY)
  const account: AccountServer = startAccountServer()
  account.keys.set(SECRET_KEY, 'ALL')
  account.prices.push(soldAs(WEB_PRO, 'Pro on the web', { interval: 'month' }))
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const to = pathname === '/v1/prices' ? account.url : sales.url
      const { method, headers } = request
      const body = method === 'GET' ? {} : { body: await request.text() }
      return fetch(`${to}${pathname}${search}`, { method, headers, ...body })
    },
  })
  return {
    url: `http://127.0.0.1:${front.port}`,
    sales,
    close: async () => {
      await Promise.all([front.stop(true), sales.close(), account.close()])
    },
  }
}
