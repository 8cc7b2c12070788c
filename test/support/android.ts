import { eq } from 'drizzle-orm'
import type { ProjectSettings } from '../../src/core/project/schema'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import type { SimulatedPlan } from '../../src/test-store/stores/android'
import { aboutSubscription, pushBody, type SimulatedPush } from '../../src/test-store/stores/android-push'
import { AndroidServer } from '../../src/test-store/stores/android-server'
import { type Answer, type Stage, stage } from './cast'
import { NOW, TestClock } from './context'
import { PubSubServer } from './pubsub'

export const PACKAGE = 'com.example.sleep'
const BASE = 'https://svc.example.com'

/** Plans of the test products at Google Play: one subscription with two base plans, and one prepaid. */
export const ANDROID_MONTHLY: SimulatedPlan = {
  productId: 'pro',
  basePlanId: 'monthly',
  period: 'P1M',
  price: { amountMicros: 9_990_000, currency: 'USD' },
  trialPeriod: 'P1W',
}
export const ANDROID_YEARLY: SimulatedPlan = {
  ...ANDROID_MONTHLY,
  basePlanId: 'yearly',
  period: 'P1Y',
  price: { amountMicros: 79_990_000, currency: 'USD' },
}

export const PREPAID: SimulatedPlan = { ...ANDROID_MONTHLY, isPrepaid: true }

/** A stage whose project has an Android app, with the Google Play server of the test store on loopback. */
export interface AndroidStage extends Stage {
  server: AndroidServer
  cloud: PubSubServer
  /** Posts a purchase token as a device does. */
  token(device: string, token: string, productId: string, more?: Record<string, unknown>, key?: string): Promise<Answer>
  /** The pushes since the last call, not yet delivered. */
  pushes(): Promise<SimulatedPush[]>
  deliver(push: SimulatedPush, projectId?: string): Promise<Answer>
  /** Delivers all pushes since the last call, one after the other. */
  deliverAll(): Promise<Answer[]>
  identity: { audience: string; email: string }
  /** Number of API calls so far, without the requests for tokens and keys. */
  calls(): number
}

interface Options {
  settings?: Partial<ProjectSettings>
  env?: Record<string, string>
}

export async function androidStage({ settings = {}, env = {} }: Options = {}): Promise<AndroidStage> {
  const clock = new TestClock(NOW)
  let present = () => clock.now()
  const server = await AndroidServer.start({ clock: { now: () => present() }, packageName: PACKAGE })
  const cloud: PubSubServer = new PubSubServer({
    google: server,
    clock: { now: () => present() },
    deliver: ({ url, body, authorization }) =>
      s.call('POST', new URL(url).pathname, { key: null, raw: body, headers: { authorization } }),
  })
  const urls = {
    SVC_ANDROID_API_URL: server.apiUrl,
    SVC_ANDROID_TOKEN_URL: server.tokenUrl,
    SVC_PUBSUB_API_URL: cloud.url,
    PUBLIC_BASE_URL: BASE,
  }
  const s = await stage({ settings, env: { ...urls, ...env } })
  present = () => s.ctx.clock.now()
  const file = await server.serviceAccountFile()
  const email = file.client_email ?? ''
  await addAndroidApp(s, file)
  const identity = { audience: `${BASE}/webhooks/android/${s.project.id}`, email }
  const deliver = (push: SimulatedPush, projectId = s.project.id) =>
    s.call('POST', `/webhooks/android/${projectId}`, {
      key: null,
      raw: push.body,
      headers: push.authorization === '' ? {} : { authorization: push.authorization },
    })
  const pushes = () => server.takePushes(identity)
  return Object.assign(s, {
    server,
    cloud,
    identity,
    deliver,
    pushes,
    token: (device: string, receipt: string, productId: string, more = {}, key = s.project.publicKey) =>
      s.post('/v1/receipts/android', { receipt, appUserId: device, productId, ...more }, { key }),
    async deliverAll() {
      const answers: Answer[] = []
      for (const push of await pushes()) answers.push(await deliver(push))
      return answers
    },
    calls: () => server.requests.filter(({ path }) => path.startsWith('/androidpublisher/')).length,
    close: async () => {
      await s.ctx.close()
      await server.close()
      await cloud.close()
    },
  })
}

/** Saves the app's credentials and sets the Android ids of the test products. */
async function addAndroidApp(s: Stage, file: Record<string, string>): Promise<void> {
  const { products: p } = s.ctx.tables
  const config = { packageName: PACKAGE, clientEmail: file.client_email }
  const ids: [identifier: string, androidId: string, androidBasePlanId: string | null][] = [
    ['pro_monthly', 'pro', 'monthly'],
    ['pro_yearly', 'pro', 'yearly'],
    ['coins_100', 'coins.100', null],
    ['lifetime', 'lifetime.one', null],
  ]
  await s.ctx.write(async (tx) => {
    await saveStoreSettings(tx, s.project.id, 'android', { config, secrets: { serviceAccount: JSON.stringify(file) } })
    const rows = await tx.db.select().from(p).where(eq(p.projectId, s.project.id))
    for (const [identifier, androidId, androidBasePlanId] of ids) {
      const row = rows.find((one) => one.identifier === identifier)
      if (row) await tx.db.update(p).set({ androidId, androidBasePlanId }).where(eq(p.id, row.id))
    }
  })
  s.ctx.state.projects.forget(s.project.id)
}

/** A push of a type that the test store never sends by itself. */
export async function aboutToken(s: AndroidStage, notificationType: number, token: string): Promise<SimulatedPush> {
  const messageId = `message-${notificationType}-${s.ctx.clock.now()}`
  const notification = aboutSubscription('ANY', notificationType, token)
  const body = pushBody(PACKAGE, notification, { messageId, now: s.ctx.clock.now() })
  return { messageId, type: 'ANY', body, authorization: `Bearer ${await s.server.pushToken(s.identity)}` }
}
