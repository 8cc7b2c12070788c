import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { saveStoreSettings } from '../../src/projects/connections/credentials'
import { CONNECT_PEM } from '../support/app-store-connect'
import { type Answer, type Stage, stage } from '../support/cast'
import { configured } from '../support/operator'
import { type Staff, staff } from '../support/staff'
import { IOS_BODY, refusalOf } from '../support/store-setup'

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const ANDROID_BODY = {
  packageName: 'com.example.sleep',
  serviceAccount: {
    type: 'service_account',
    project_id: 'sleep-app-1',
    client_email: 'svc@sleep-app-1.iam.gserviceaccount.com',
    private_key: RSA,
  },
}
const PAYMENT_BODY = { secretKey: 'sk_test_swordfish', webhookSecret: 'whsec_marlin', mode: 'test' }
const SECRETS = [lineOf(CONNECT_PEM), lineOf(RSA), PAYMENT_BODY.secretKey, PAYMENT_BODY.webhookSecret]

/** A line in the middle of a key, as it would be in any text that has the key. */
function lineOf(pem: string): string {
  return pem.split('\n')[2] ?? pem
}

let s: Stage
let team: Staff
let store: ReturnType<typeof startStore>
beforeEach(async () => {
  store = startStore()
  const names = ['IOS_API', 'IOS_CONNECT_API', 'ANDROID_API', 'ANDROID_TOKEN', 'PUBSUB_API', 'PAYMENT_API']
  const env = Object.fromEntries([...names, 'PAYMENT_CONNECT'].map((name) => [`SVC_${name}_URL`, store.url]))
  s = await stage({
    env: {
      ...env,
      PUBLIC_BASE_URL: 'https://svc.example.com',
      SVC_PAYMENT_CONNECT_TEST_KEY: 'sk_test_platform',
      SVC_PAYMENT_CONNECT_TEST_WEBHOOK_SECRET: 'whsec_platform',
      SVC_PAYMENT_CONNECT_TEST_CLIENT_ID: 'ca_test',
    },
  })
  team = staff(s)
})
afterEach(async () => {
  await s.close()
  await store.close()
})

/** Every store in one: it answers nothing until it is released, and then that it is out of order. */
function startStore() {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      asked.resolve()
      await released.promise
      return new Response('{}', { status: 500 })
    },
  })
  return {
    url: listener.url.origin,
    asked: asked.promise,
    release: () => released.resolve(),
    close: () => listener.stop(true),
  }
}

const owner = () => team.as('OWNER')
const without = { headers: { 'idempotency-key': 'once' } }
const savedIos = () => owner().put('/credentials/ios?probe=false', IOS_BODY)
const savedAndroid = () => owner().put('/credentials/android?probe=false', ANDROID_BODY)
const savedPayment = () => owner().put('/credentials/payment?probe=false', PAYMENT_BODY)
const connected = () =>
  s.ctx.write((tx) =>
    saveStoreSettings(tx, s.project.id, 'payment', { config: { mode: 'test', accountId: 'acct_1' }, secrets: {} }),
  )
const product = {
  identifier: 'web',
  type: 'NON_CONSUMABLE',
  displayName: 'Web',
  storeIds: { payment: 'price_1' },
}

const calls: [name: string, prepare: () => Promise<unknown>, call: () => Promise<Answer>][] = [
  ['PUT credentials/ios', async () => {}, () => owner().put('/credentials/ios', IOS_BODY, without)],
  ['PUT credentials/android', async () => {}, () => owner().put('/credentials/android', ANDROID_BODY, without)],
  ['PUT credentials/payment', async () => {}, () => owner().put('/credentials/payment', PAYMENT_BODY, without)],
  ['DELETE payment/connection', connected, () => owner().delete('/payment/connection')],
  [
    'POST apps/ios/notification-url',
    savedIos,
    () => owner().post('/apps/ios/notification-url', { environment: 'both', replaceExisting: true }, without),
  ],
  [
    'POST apps/ios/test-notification',
    savedIos,
    () => owner().post('/apps/ios/test-notification', { environment: 'sandbox' }, without),
  ],
  ['POST apps/android/pubsub/connect', savedAndroid, () => owner().post('/apps/android/pubsub/connect', {}, without)],
  ['GET apps/ios/catalog', savedIos, () => owner().get('/apps/ios/catalog')],
  ['POST products', savedPayment, () => owner().post('/products', product, without)],
  [
    'POST products/import',
    savedPayment,
    () => owner().post('/products/import', { store: 'payment', storeIds: ['price_1'] }, without),
  ],
]

describe('while a store does not answer', () => {
  test.each(calls)(
    '%s keeps nobody from changing the project, and then saves nothing',
    async (_name, prepare, call) => {
      await prepare()
      const waiting = call()
      await store.asked
      const other = await team.as('DEVELOPER').post('/access', { identifier: 'gold', displayName: 'Gold' })
      expect(other.status).toBe(201)
      const before = await everything()
      store.release()
      expect(refusalOf(await waiting)).toEqual([503, 'STORE_UNAVAILABLE'])
      expect(await everything()).toEqual(before)
    },
  )
})

const everything = async () => [
  await configured(s),
  await s.ctx.db.select().from(s.ctx.tables.storeSettings),
  await s.ctx.db.select().from(s.ctx.tables.pubsubSetups),
]

test('keys and secrets are in no answer, no log line and no row of the database', async () => {
  const answers: Answer[] = []
  for (const [path, body, damaged] of [
    ['/credentials/ios', IOS_BODY, { ...IOS_BODY, bundleId: '' }],
    ['/credentials/android', ANDROID_BODY, { ...ANDROID_BODY, more: true }],
    ['/credentials/payment', PAYMENT_BODY, { ...PAYMENT_BODY, mode: 'live' }],
  ] as const) {
    store.release()
    answers.push(await owner().put(path, body, without), await owner().put(path, damaged, without))
    answers.push(await owner().put(`${path}?probe=false`, body, without), await owner().get('/credentials'))
  }
  answers.push(await owner().get('/audit-log'))
  expect(answers.map(({ status }) => status)).toEqual([503, 400, 200, 200, 503, 400, 200, 200, 503, 400, 200, 200, 200])
  const bodies = answers.map(({ body }) => body)
  const told = JSON.stringify([bodies, s.ctx.lines, await rows()], (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  expect(told).toContain('svc@sleep-app-1.iam.gserviceaccount.com')
  for (const secret of SECRETS) expect(told).not.toContain(secret)
})

/** The rows of all tables, because a secret may be in any of them. */
async function rows(): Promise<unknown[]> {
  const found: unknown[] = []
  for (const table of Object.values(s.ctx.tables)) found.push(await s.ctx.db.select().from(table as never))
  return found
}
