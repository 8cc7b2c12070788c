import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { ANDROID_MONTHLY, type AndroidStage, androidStage } from '../support/android'
import { type Answer, BUNDLE, type CastProject, MONTHLY, type Stage, stage } from '../support/cast'
import { give, identify } from '../support/facts'
import { type FunnelStage, funnelStage, sell } from '../support/funnel-claims'
import { publishPaidFunnel } from '../support/funnel-payments'
import { begin, choice, funnelPage, slugOf, type VisitorSession } from '../support/funnels'
import { dataOf } from '../support/operator'
import { type PaymentStage, paymentStage } from '../support/payment'
import { configure } from '../support/remote'

// Each test posts the example of the document as it stands there. Only what exists nowhere else is replaced: a receipt
// that a store has signed, and the id of a transfer.

const ADA = 'svc_8fK2mQ7xLw'
const DEVICE = { 'x-svc-app-user-id': ADA, 'x-svc-user-id': ADA }

interface Operation {
  operationId: string
  requestBody?: { content: { 'application/json': { example: Record<string, unknown> } } }
}

let s: Stage
let web: PaymentStage
let android: AndroidStage
let funnels: FunnelStage
let posts: { path: string; operation: Operation }[]

beforeAll(async () => {
  ;[s, web, android, funnels] = await Promise.all([stage(), paymentStage(), androidStage(), funnelStage()])
  const { body } = await s.call('GET', '/openapi.json', { key: null })
  posts = Object.entries(body.paths as Record<string, { post?: Operation }>).flatMap(([path, { post }]) =>
    post ? [{ path, operation: post }] : [],
  )
  await publishPaidFunnel(s, {
    pages: [
      funnelPage('goal', 'pay', { fields: [choice('goal', ['sleep', 'focus'])] }),
      funnelPage('pay', 'done', { type: 'payment' }),
      funnelPage('done', null, { type: 'success' }),
    ],
  })
  const variants = ['treatment', 'control'].map((id) => ({ id, name: id, weight: 0.5, value: id }))
  await configure(s, { flags: [{ key: 'new_paywall' }], experiments: [{ key: 'checkout_test', variants }] })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const config = { bundleId: BUNDLE, inAppPurchaseKey: { keyId: 'ABC123DEFG', issuerId: '57246542' } }
  const secrets = { 'inAppPurchaseKey.privateKey': pem }
  await s.ctx.write((tx) => saveStoreSettings(tx, s.project.id, 'ios', { config, secrets }))
  s.ctx.state.projects.forget(s.project.id)
})

afterAll(() => Promise.all([s.close(), web.close(), android.close(), funnels.close()]))

const receipt = () => s.sign(s.buy(MONTHLY))

interface Way {
  /** The path with its parameters filled in. */
  path?: string | (() => Promise<string>)
  at?: () => Stage
  isServer?: boolean
  /** The header that presents the session of a visitor. */
  isVisitor?: true
  /** 200 unless given. */
  status?: number
  /** Prepares the world, and gives what replaces members of the example. */
  prepare?: () => object | Promise<unknown>
}

let visitor: VisitorSession

/** A call of a new session, which `prepare` leads to the page of the example. */
const ofVisitor = (command: string, prepare: () => Promise<unknown>): Way => ({
  path: async () => `/public/funnel-sessions/${visitor.id}/${command}`,
  isVisitor: true,
  prepare: async () => {
    const replaced = await prepare()
    return replaced === visitor ? {} : replaced
  },
})

async function visitAt(page: 'goal' | 'pay'): Promise<VisitorSession> {
  visitor = await begin(s, 'sleep')
  if (page === 'pay') await dataOf(visitor.go('goal', { goal: 'sleep' }))
  return visitor
}

async function beginPaying(): Promise<string> {
  await visitAt('pay')
  const order = { package_identifier: 'monthly', page_id: 'pay', email: 'ada@example.com' }
  return (await dataOf(visitor.post('payment-intent', order))).payment_id
}

const WAYS: Record<string, Way> = {
  ofrepEvaluateFlags: {},
  ofrepEvaluateFlag: { path: '/ofrep/v1/evaluate/flags/new_paywall' },
  createCheckout: { at: () => web },
  claimFunnelToken: { at: () => funnels, prepare: async () => ({ token: (await sell(funnels)).token }) },
  claimFunnelInstall: {
    at: () => funnels,
    prepare: async () => ({
      platform: 'android',
      install_referrer: `svc_funnel_token=${(await sell(funnels)).token}`,
    }),
  },
  claimFunnelEmail: { at: () => funnels, status: 202 },
  createBillingPortal: {
    at: () => web,
    prepare: async () => {
      expect((await web.checkout(ADA)).status).toBe(200)
    },
  },
  beginFunnelSession: { path: async () => `/public/funnels/sleep/sessions?project=${await slugOf(s)}`, status: 201 },
  answerFunnelSession: ofVisitor('answers', () => visitAt('goal')),
  advanceFunnelSession: ofVisitor('advance', async () => {
    const visitor = await visitAt('goal')
    await dataOf(visitor.post('answers', { page_id: 'goal', answers: { goal: 'sleep' } }))
  }),
  goBackInFunnelSession: ofVisitor('back', () => visitAt('pay')),
  createFunnelPaymentIntent: ofVisitor('payment-intent', () => visitAt('pay')),
  createFunnelTestPayment: ofVisitor('test-payment', async () => ({ payment_id: await beginPaying() })),
  confirmFunnelPayment: ofVisitor('confirm', async () => {
    const payment_id = await beginPaying()
    await dataOf(visitor.post('test-payment', { payment_id, outcome: 'pays' }))
    return { payment_id }
  }),
  postConfig: {},
  trackExperimentEvents: {},
  reportSessions: { status: 202 },
  trackEvent: { status: 202 },
  exposeExperiment: { path: '/v1/experiments/checkout_test/expose' },
  identify: {},
  signIosOffer: {},
  signIosOfferAlias: {},
  setMyAttributes: {},
  setSubscriberAttributes: { path: `/v1/subscribers/${ADA}/attributes` },
  submitIosReceipt: { prepare: () => ({ receipt: receipt() }) },
  submitAndroidReceipt: {
    at: () => android,
    prepare: () => ({ receipt: android.server.store.subscribe(ANDROID_MONTHLY) }),
  },
  restorePurchases: {
    path: `/v1/subscribers/${ADA}/restore`,
    prepare: () => ({ receipts: [{ store: 'IOS_STORE', receipt: receipt(), productId: 'pro_monthly' }] }),
  },
  openDataExport: { isServer: true, prepare: makeUsers },
  openErasure: { isServer: true, prepare: makeUsers },
  transferSubscriber: { isServer: true, prepare: makeUsers },
  undoTransfer: { isServer: true, path: async () => `/v1/subscribers/transfer/${await transferOnce()}/undo` },
  postCurrencyTransaction: {
    path: `/v1/virtual-currencies/${ADA}/gems/transactions`,
    isServer: true,
    prepare: async () => {
      await identify(s, ADA, 'user_9')
    },
  },
}

async function makeUsers() {
  await identify(s, 'svc_first', 'user_1')
  await identify(s, 'svc_second', 'user_2')
  await give(s, 'user_1', 42, 'gift')
}

const keyOf = (project: CastProject, isServer = false) => (isServer ? project.secretKey : project.publicKey)

async function postExample({ path, operation }: (typeof posts)[number], way: Way): Promise<Answer> {
  const at = way.at?.() ?? s
  const replaced = await way.prepare?.()
  const example = operation.requestBody?.content['application/json'].example
  const body = { ...example, ...(replaced as object | undefined) }
  const filled = typeof way.path === 'function' ? await way.path() : (way.path ?? path)
  if (way.isVisitor) return at.post(filled, body, { key: null, headers: { 'x-svc-funnel-session': visitor.token } })
  return at.post(filled, body, { key: keyOf(at.project, way.isServer), headers: DEVICE })
}

test('every POST of the document has its way here', () => {
  expect(posts.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(WAYS).sort())
})

for (const [name, way] of Object.entries(WAYS))
  test(`${name} takes its documented example`, async () => {
    const found = posts.find(({ operation }) => operation.operationId === name)
    if (!found) throw new Error(`the document has no ${name}`)
    const { status, body } = await postExample(found, way)
    expect([status, body?.error]).toEqual([way.status ?? 200, undefined])
  })

async function transferOnce(): Promise<string> {
  await identify(s, 'svc_third', 'user_3')
  await identify(s, 'svc_fourth', 'user_4')
  const order = { fromAppUserId: 'user_3', toAppUserId: 'user_4' }
  return (await s.post('/v1/subscribers/transfer', order, { key: s.project.secretKey })).body.data.transferId
}
