import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { ERRORS } from '../../src/base/error-codes'
import type { ErrorCode } from '../../src/base/errors'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import rows from '../support/error-codes.json'
import { probeOf } from '../support/probe'

let s: Stage
beforeAll(async () => {
  s = await stage()
})
afterAll(() => s.close())

/** Served under `/v1` and, the same, under `/v1/web/:publicKey`. */
const API = [
  'GET /config',
  'GET /config/stream',
  'GET /events',
  'GET /events/listen-secret',
  'GET /dsar/:id',
  'GET /dsar/:id/download',
  'POST /dsar/erasure',
  'POST /dsar/export',
  'GET /me/access-lease',
  'GET /me/bootstrap',
  'GET /subscribers/:appUserId/access/:identifier/explain',
  'POST /ios-offer-signature',
  'POST /purchases/ios-offer-signature',
  'POST /receipts/android',
  'POST /subscribers/:appUserId/restore',
  'POST /subscribers/transfer',
  'POST /subscribers/transfer/:id/undo',
  'GET /fonts/:faceId/:contentHash/file',
  'GET /me',
  'GET /me/access',
  'GET /me/entitlements',
  'GET /offerings',
  'GET /offerings/:identifier',
  'GET /placements/:identifier',
  'GET /subscribers/:appUserId/access',
  'GET /virtual-currencies/:appUserId',
  'GET /virtual-currencies/me',
  'POST /billing-portal',
  'POST /checkout',
  'POST /config',
  'GET /experiments/:id/results',
  'POST /experiments/:id/expose',
  'POST /events',
  'POST /experiments/track',
  'POST /identify',
  'POST /me/attributes',
  'POST /receipts/ios',
  'POST /sdk/claim-install',
  'POST /sdk/claim-via-email',
  'POST /sdk/sessions',
  'POST /subscribers/:appUserId/attributes',
  'POST /subscribers/claim-funnel-token',
  'POST /virtual-currencies/:appUserId/:code/transactions',
]

const BESIDE = [
  'GET /.well-known/apple-app-site-association',
  'GET /.well-known/apple-developer-merchantid-domain-association',
  'GET /.well-known/assetlinks.json',
  'GET /.well-known/jwks.json',
  'POST /webhooks/android/:projectId',
  'POST /webhooks/ios/:projectId',
  'POST /webhooks/payment/:projectId',
  'POST /webhooks/payment/connect',
  'POST /billing/webhook',
  'GET /billing/card-form',
  'GET /billing/card-form.:hash.js',
  'GET /docs',
  'GET /docs/example',
  'POST /docs/example/purchases',
  'GET /docs/guide',
  'GET /docs/guide/',
  'GET /docs/guide/*',
  'GET /docs/guide/files/:name',
  'GET /docs/start.js',
  'GET /f/-/block/:hash',
  'GET /f/-/canvas',
  'GET /f/-/preview',
  'GET /f/-/preview/block/:hash',
  'GET /f/:project/manage',
  'POST /f/:project/manage',
  'GET /public/magic/:nonce',
  'POST /public/magic/:nonce',
  'GET /universal/funnels/open/:token',
  'GET /f/-/animation.:hash.js',
  'GET /f/-/page.:hash.js',
  'GET /f/-/pay.:hash.js',
  'GET /f/-/player/:version/LICENSE.txt',
  'GET /f/-/player/:version/lottie.js',
  'GET /f/-/return',
  'GET /f/:project/:funnel',
  'POST /f/:project/:funnel',
  'GET /f/:project/:funnel/',
  'POST /f/:project/:funnel/',
  'GET /public/host/ask',
  'GET /public/host/lookup',
  'GET /public/funnel-sessions/:id/state',
  'GET /public/funnels/:slug',
  'GET /public/placements/:identifier',
  'POST /public/funnel-sessions/:id/advance',
  'POST /public/funnel-sessions/:id/answers',
  'POST /public/funnel-sessions/:id/back',
  'POST /public/funnel-sessions/:id/confirm',
  'POST /public/funnel-sessions/:id/payment-intent',
  'POST /public/funnel-sessions/:id/test-payment',
  'POST /public/funnels/:slug/sessions',
  'GET /assets/:projectId/:assetId/:hash',
  'GET /assets/:projectId/fonts/:faceId/:file',
  'GET /docs/:version/LICENSE.txt',
  'GET /docs/:version/swagger-ui-bundle.js',
  'GET /docs/:version/swagger-ui.css',
  'GET /health',
  'GET /mcp',
  'POST /mcp',
  'DELETE /mcp',
  'GET /health/ready',
  'GET /health/stores',
  'GET /openapi-dashboard.json',
  'GET /openapi.json',
  'GET /sdk/:build/:name',
  'GET /sdk/svc.iife.js',
  'GET /sdk/svc.js',
  'GET /svc.schema.json',
]

/** Served at the root and, the same, under `/v1/web/:publicKey`. */
const OFREP = ['POST /ofrep/v1/evaluate/flags', 'POST /ofrep/v1/evaluate/flags/:key']

const METRICS = [
  'active',
  'churn',
  'ltv',
  'mrr',
  'mrr-movement',
  'proceeds',
  'refunds',
  'retention',
  'revenue',
  'summary',
  'trials',
]

/** Routes for the people who run projects. `operator-matrix.test.ts` has their table. */
const OF_OPERATORS = /^[A-Z]+ \/(dashboard|admin|api\/auth|invitations|unsubscribe|webhooks\/mail)(\/|$)/

test('the routes are these and no others', () => {
  const under = (mount: string) => API.map((route) => route.replace(' ', ` ${mount}`))
  const beside = s.app.routes.filter((route) => !OF_OPERATORS.test(route))
  const found = beside.map((route) =>
    route
      .replace(/\/\d+\.\d+\.\d+\//, '/:version/')
      .replace(/(animation|page|pay|card-form)\.[\da-f]{16}\.js/, '$1.:hash.js'),
  )
  const onWeb = OFREP.map((route) => route.replace(' ', ' /v1/web/:publicKey'))
  expect(found.sort()).toEqual(
    [
      ...BESIDE,
      ...METRICS.map((name) => `GET /metrics/${name}`),
      ...OFREP,
      ...onWeb,
      ...under('/v1'),
      ...under('/v1/web/:publicKey'),
    ].sort(),
  )
})

interface Row {
  status: readonly number[]
  details?: readonly string[]
  retryAfter?: number
}

const rowOf = (code: string): Row => ERRORS[code as ErrorCode]

describe('the table of errors', () => {
  const codes = Object.keys(ERRORS)
  test('has the 131 codes of the specification', () => {
    expect(rows).toHaveLength(131)
    expect([...codes].sort()).toEqual(rows.map(({ code }) => code).sort())
  })

  test('gives each its statuses and the keys of its details', () => {
    for (const { code, status, details } of rows) {
      const row = rowOf(code)
      expect([code, ...(row.details ?? [])]).toEqual([code, ...details])
      if (status[0] === '4xx') expect(row.status.every((one) => one >= 400 && one < 500)).toBe(true)
      else expect([code, ...row.status]).toEqual([code, ...status])
    }
  })

  test('tells to wait where waiting helps, and nowhere else', () => {
    const waits = Object.fromEntries(
      codes.flatMap((code) => (rowOf(code).retryAfter ? [[code, rowOf(code).retryAfter]] : [])),
    )
    expect<Record<string, unknown>>(waits).toEqual({
      STORE_UNAVAILABLE: 60,
      DATABASE_UNAVAILABLE: 5,
      CACHE_UNAVAILABLE: 5,
      QUEUE_UNAVAILABLE: 5,
      ANALYTICS_UNREACHABLE: 5,
      TELEMETRY_UNAVAILABLE: 5,
      WEBHOOK_IN_PROGRESS: 5,
      IOS_APP_ID_MISSING: 3600,
    })
  })
})

type Scenario = [name: string, status: number, details: string[], call: () => Promise<Answer>]

const onStage = async (env: Record<string, string>, call: (own: Stage) => Promise<Answer>): Promise<Answer> => {
  const own = await stage({ env })
  try {
    return await call(own)
  } finally {
    await own.close()
  }
}

const web = (key: string, headers: Record<string, string>) =>
  s.call('GET', `/v1/web/${s.project.publicKey}/offerings`, { key, headers })

const book = (amount: number, key = s.project.secretKey) => {
  const body = { amount, idempotencyKey: `contract ${amount}` }
  return s.post('/v1/virtual-currencies/svc_contract/coins/transactions', body, { key })
}

async function bookForKnown(amount: number): Promise<Answer> {
  await s.get('/v1/me', 'svc_contract')
  return book(amount)
}

async function probeTwice(): Promise<Answer> {
  const probe = probeOf(s)
  await probe.post('contract')
  return probe.post('contract', { body: '{}' })
}

const failWith = (error: Error): Promise<Answer> =>
  probeOf(s, () => {
    throw error
  }).post(null)

async function askUnresolvable(): Promise<Answer> {
  const { subscribers } = s.ctx.tables
  const { id } = (await s.get('/v1/me', 'svc_cycle')).body.data.subscriber
  await s.ctx.write((tx) => tx.db.update(subscribers).set({ mergedInto: id }).where(eq(subscribers.id, id)))
  return s.get('/v1/me', 'svc_cycle')
}

async function showReceiptOfAnother(): Promise<Answer> {
  for (const name of ['ada', 'bo']) await s.post('/v1/identify', { deviceKey: `svc_${name}`, appUserId: name })
  const payload = s.buy(MONTHLY)
  await s.receipt('svc_ada', payload)
  return s.receipt('svc_bo', payload)
}

async function postWithoutApp(): Promise<Answer> {
  const { storeSettings } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.delete(storeSettings).where(eq(storeSettings.projectId, s.other.id)))
  return s.receipt('svc_ada', s.buy(MONTHLY), { key: s.other.publicKey })
}

async function postWithoutRoot(): Promise<Answer> {
  const { iosStore } = s.ctx.state
  Object.assign(s.ctx.state, { iosStore: { isReady: false } })
  const answer = await s.receipt('svc_ada', s.buy(MONTHLY))
  Object.assign(s.ctx.state, { iosStore })
  return answer
}

const SCENARIOS: Partial<Record<ErrorCode, Scenario>> = {
  HTTP_ERROR: ['an Idempotency-Key with another body', 422, [], probeTwice],
  VALIDATION_ERROR: ['a body that breaks its schema', 400, [], () => s.post('/v1/identify', {})],
  INTERNAL_ERROR: ['a bug', 500, [], () => failWith(new Error('with a secret cause'))],
  FORBIDDEN: ['a public key on a secret route', 403, [], () => book(1, s.project.publicKey)],
  NOT_FOUND: ['an offering that does not exist', 404, [], () => s.get('/v1/offerings/none')],
  CONFLICT: ['a spend beyond the balance', 409, [], () => bookForKnown(-1)],
  RATE_LIMITED: [
    'the second request of one a minute',
    429,
    ['retryAfterSeconds'],
    () => onStage({ SVC_RATE_KEY: '1' }, async (own) => (await own.get('/v1/offerings')) && own.get('/v1/offerings')),
  ],
  PAYLOAD_TOO_LARGE: [
    'a declared body of 2 MiB',
    413,
    [],
    () => s.post('/v1/identify', {}, { headers: { 'content-length': '2097152' } }),
  ],
  SUBSCRIBER_UNRESOLVABLE: ['a row merged into itself', 409, [], askUnresolvable],
  BEARER_REQUIRED: ['no key', 401, [], () => s.call('GET', '/v1/me', { key: null })],
  INVALID_API_KEY_FORMAT: ['a key without a known prefix', 401, [], () => s.call('GET', '/v1/me', { key: 'x' })],
  INVALID_API_KEY: ['a key that nobody has', 401, [], () => s.call('GET', '/v1/me', { key: 'svc_sec_x' })],
  API_KEY_KIND_MISMATCH: ['a secret key in a browser', 403, ['required'], () => web(s.project.secretKey, {})],
  ORIGIN_NOT_ALLOWED: ['a page that is not listed', 403, ['origin'], () => web(s.project.publicKey, {})],
  STORE_NOT_CONFIGURED: ['a receipt for a project without an app', 400, [], postWithoutApp],
  RECEIPT_INVALID: [
    'a receipt that is no signed transaction',
    400,
    [],
    () => s.post('/v1/receipts/ios', { receipt: 'x', appUserId: 'svc_ada', productId: 'pro_monthly' }),
  ],
  RECEIPT_PRODUCT_UNKNOWN: [
    'a receipt named by a product that does not exist',
    404,
    ['productId'],
    () => s.receipt('svc_ada', s.buy(MONTHLY), { productId: 'nothing' }),
  ],
  RECEIPT_IN_USE: ['a receipt of another labelled person', 409, [], showReceiptOfAnother],
  DATABASE_UNAVAILABLE: [
    'a full disk',
    503,
    [],
    () => failWith(Object.assign(new Error('full'), { code: 'SQLITE_FULL' })),
  ],
  FEATURE_NOT_CONFIGURED: ['a receipt where no root is trusted', 503, ['feature'], postWithoutRoot],
}

/** Codes in the source that no route of this release answers, each with the reason. */
const NOT_BY_HTTP: Partial<Record<ErrorCode, string>> = {
  NOT_IMPLEMENTED: 'reserved: never sent',
}

/** Codes that the suite of their slice checks over HTTP. */
const IN_SUITE: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'notifications',
  COPILOT_INTENT_SETTLED: 'assistant-intents',
  ASSISTANT_NOT_CONFIGURED: 'assistant-threads',
  ASSISTANT_QUOTA_EXCEEDED: 'assistant-quotas',
  CONFIRM_EMAIL_MISMATCH: 'accounts-own',
  OWNS_PROJECTS: 'accounts-own',
  IOS_APP_ID_MISSING: 'notifications',
  NOTIFICATION_FORWARD_LIMIT: 'notification-forwards',
  WEBHOOK_URL_REJECTED: 'notification-forwards',
  IOS_APP_ID_MISMATCH: 'notifications',
  WEBHOOK_IN_PROGRESS: 'notifications-replay',
  ios_offer_signing_unavailable: 'offer-signature',
  ios_offer_signing_failed: 'offer-signature',
  purchase_not_paid: 'android-receipts',
  STORE_API_ERROR: 'android-receipts',
  STORE_UNAVAILABLE: 'android-receipts',
  PAYMENT_NOT_CONNECTED: 'billing-portal',
  PAYMENT_CUSTOMER_NOT_FOUND: 'billing-portal',
  CACHE_UNAVAILABLE: 'shared-cache',
  STORE_CREDENTIALS_INVALID: 'store-credentials-ios',
  STORE_KEY_WRONG_TYPE: 'store-credentials-ios',
  STORE_KEY_INSUFFICIENT_ROLE: 'store-notification-url',
  STORE_NOTIFICATION_URL_IN_USE: 'store-notification-url',
  STORE_NOTIFICATION_URL_NOT_PUBLIC: 'store-notification-url',
  STORE_NOTIFICATION_URL_REJECTED: 'store-notification-url',
  STORE_LOOKUP_UNAVAILABLE: 'store-lookup',
  PUBSUB_API_DISABLED: 'android-pubsub-refusals',
  PUBSUB_PERMISSION_MISSING: 'android-pubsub-refusals',
  PUBSUB_ORG_POLICY: 'android-pubsub-refusals',
  PUBSUB_TOPIC_NOT_FOUND: 'android-pubsub-refusals',
  PUBSUB_ENDPOINT_NOT_HTTPS: 'android-pubsub-refusals',
  PUBSUB_CONNECT_IN_PROGRESS: 'android-pubsub-refusals',
  PAYMENT_ALREADY_CONNECTED: 'payment-connection',
  PAYMENT_PRICE_NOT_FOUND: 'store-catalog',
  STORE_KEY_MISSING: 'store-notification-url',
  STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN: 'store-test-notification',
  exposure_out_of_range: 'experiments-expose',
  EXPERIMENT_NOT_RUNNING: 'experiments-expose',
  ANALYTICS_UNAVAILABLE: 'experiments-results',
  ANALYTICS_UNREACHABLE: 'clickhouse-trouble',
  window_too_large: 'metrics',
  QUERY_REJECTED: 'sql-editor',
  PROJECT_SUSPENDED: 'doors',
  SUPPORT_ACCESS_READ_ONLY: 'doors',
  ROLE_REQUIRED: 'doors',
  CAPABILITY_REQUIRED: 'doors',
  ADMIN_EMAIL_DOMAIN: 'doors',
  ADMIN_2FA_REQUIRED: 'doors',
  ADMIN_SESSION_EXPIRED: 'doors',
  LEGAL_URL_IN_USE: 'projects',
  ORIGIN_INVALID: 'projects',
  asset_missing: 'projects',
  ALREADY_MEMBER: 'members-invitations',
  ALREADY_OWNER: 'members',
  INVITATION_NOT_SENDABLE: 'members-invitations',
  INVITATION_ALREADY_ACCEPTED: 'members-invitations',
  INVITATION_EMAIL_MISMATCH: 'members-invitations',
  REFUND_NOT_POSSIBLE: 'money-operator-refund',
  SCHEDULED_ACTION_CONFLICT: 'money-operator-schedule',
  STORE_CANCEL_UNSUPPORTED: 'money-operator-schedule',
  REVOKE_IMMEDIATELY_UNSUPPORTED: 'money-operator-schedule',
  STORE_ID_TAKEN: 'catalog-operator',
  CURRENCY_GRANT_INVALID: 'catalog-operator',
  UNKNOWN_REFERENCES: 'catalog-operator',
  IDENTIFIER_TAKEN: 'catalog-operator',
  TELEMETRY_UNAVAILABLE: 'telemetry-unavailable',
  STALE_BATCH: 'telemetry-sessions',
  audience_in_use: 'targeting-operator',
  EXPERIMENT_STATE: 'targeting-operator-actions',
  promote_requires_flag_experiment: 'targeting-operator-actions',
  INVALID_ROW_REF: 'targeting-operator-actions',
  INTEGRATION_ALREADY_CONNECTED: 'integrations',
  INTEGRATION_CREDENTIALS_REJECTED: 'integrations',
  WEBHOOK_STATE: 'delivery-log',
  WEBHOOK_EVENT_EXPIRED: 'delivery-log',
  WEBHOOK_EVENT_UNMAPPABLE: 'delivery-log',
  TEST_DELIVERY_NOT_REDELIVERABLE: 'delivery-log',
  QUEUE_UNAVAILABLE: 'delivery-log',
  WEBHOOK_ENDPOINT_LIMIT: 'webhook-endpoints',
  IMPORT_FILE_TOO_LARGE: 'imports',
  IMPORT_STORAGE_UNAVAILABLE: 'imports',
  IMPORT_JOB_STATE: 'imports-jobs',
  IMPORT_MAPPING_INCOMPLETE: 'imports',
  FONT_FORMAT_UNSUPPORTED: 'fonts',
  FONT_FILE_TOO_LARGE: 'fonts',
  FONT_QUOTA_EXCEEDED: 'fonts',
  FONT_FAMILY_NOT_FOUND: 'fonts',
  ASSET_FORMAT_UNSUPPORTED: 'assets',
  ASSET_FILE_TOO_LARGE: 'assets',
  ASSET_QUOTA_EXCEEDED: 'assets',
  ASSET_STORAGE_UNAVAILABLE: 'assets',
  ASSET_INVALID_NAME: 'assets',
  ASSET_PROCESSING_FAILED: 'assets',
  asset_in_use: 'assets',
  PAYMENT_UNVERIFIABLE: 'funnel-payments',
  PAYMENT_PROVIDER_REJECTED: 'funnel-payments-stripe',
  PAYMENT_NOT_SETTLED_YET: 'funnel-claims',
  PAYMENT_IN_FLIGHT: 'funnel-payments',
  PAYMENT_TEMPORARILY_UNAVAILABLE: 'funnel-payments-stripe',
  PAYMENT_ALREADY_RECORDED: 'funnel-payments',
  ROOT_FUNNEL_INVALID: 'custom-domains',
  HOSTNAME_TAKEN: 'custom-domains',
  HOSTNAME_INVALID: 'custom-domains',
  CUSTOM_DOMAIN_LIMIT_REACHED: 'custom-domains',
  USAGE_LIMIT_EXCEEDED: 'billing-plans',
  BILLING_CARD_IN_USE: 'plan-billing',
  BILLING_CARD_OPEN_INVOICE: 'plan-billing',
  BILLING_NOTHING_TO_CANCEL: 'plan-billing',
  BILLING_ALREADY_ACTIVE: 'plan-billing',
  BILLING_UPGRADE_REQUIRED: 'plan-billing',
}

/** Codes of later releases: their routes do not exist yet. */
const LATER: ErrorCode[] = []

describe('every code of this release is raised over HTTP', () => {
  for (const [code, [name, status, details, call]] of Object.entries(SCENARIOS))
    test(`${code} by ${name}`, async () => {
      const { status: answered, body, headers } = await call()
      expect([answered, body.error?.code]).toEqual([status, code])
      expect(Object.keys(body)).toEqual(['error'])
      expect(Object.keys(body.error.details ?? {}).sort()).toEqual([...details].sort())
      expect(body.error.message).toMatch(/^\w.{10,}/)
      expect(JSON.stringify(body)).not.toContain('secret cause')
      const { retryAfter } = rowOf(code)
      if (code !== 'RATE_LIMITED') expect(headers.get('retry-after')).toBe(retryAfter ? String(retryAfter) : null)
    })

  for (const [code, suite] of Object.entries(IN_SUITE))
    test(`${code} in ${suite}.test.ts`, () => {
      expect(readFileSync(join(import.meta.dir, `${suite}.test.ts`), 'utf8')).toContain(`'${code}'`)
    })

  test('and the others are listed with the reason why not', () => {
    const listed = [...Object.keys(SCENARIOS), ...Object.keys(IN_SUITE), ...Object.keys(NOT_BY_HTTP), ...LATER]
    expect(listed.sort()).toEqual(rows.map(({ code }) => code).sort())
  })

  test('and nothing in the source throws what is said to be later', () => {
    const folder = join(import.meta.dir, '../../src')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
    const thrown = texts.flatMap((text) => [...text.matchAll(/new AppError\(\s*'(\w+)'/g)].map(([, code]) => code))
    expect(thrown.length).toBeGreaterThan(20)
    expect(LATER.filter((code) => thrown.includes(code))).toEqual([])
  })
})
