import type { Migrations } from '../../src/base/db/migrations'
import { sha256Hex } from '../../src/base/lib/hash'
import { addPeriod } from '../../src/base/lib/period'
import type { Slice } from '../../src/base/slice'
import type { ProjectSettings } from '../../src/core/project/schema'
import { SLICES } from '../../src/slices'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import { makeSimulatorKeys, type SimulatorKeys } from '../../src/stores/test-keys/keys'
import { simulatorKeys } from '../../src/stores/test-keys/service'
import { insertDefaultAudience } from '../../src/targeting/audiences/service'
import { type SimulatedProduct, signTransaction, simulatedPurchase } from '../../src/test-store/stores/ios'
import { type Content, type TestApp, type TestContext, testApp, testContext } from './context'

export const BUNDLE = 'com.example.sleep'

/** Store products of the test catalogue; prices in thousandths. */
export const MONTHLY: SimulatedProduct = {
  productId: 'com.x.pro.monthly',
  type: 'Auto-Renewable Subscription',
  period: 'P1M',
  price: 9990,
  currency: 'USD',
  trialPeriod: 'P1W',
}
export const YEARLY: SimulatedProduct = {
  productId: 'com.x.pro.yearly',
  type: 'Auto-Renewable Subscription',
  period: 'P1Y',
  price: 79990,
  currency: 'USD',
}
export const COINS: SimulatedProduct = {
  productId: 'com.x.coins.100',
  type: 'Consumable',
  period: null,
  price: 990,
  currency: 'USD',
}
export const LIFETIME: SimulatedProduct = {
  productId: 'com.x.lifetime',
  type: 'Non-Consumable',
  period: null,
  price: 199990,
  currency: 'USD',
}

/** A project with its keys; `n` makes the ids of several projects different. */
export interface CastProject {
  id: string
  publicKey: string
  secretKey: string
  keyId: string
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes; the schemas are checked elsewhere.
  body: any
}

interface CallOptions {
  key?: string | null
  body?: unknown
  raw?: string
  headers?: Record<string, string>
  /** Aborted when the caller closes its connection. */
  signal?: AbortSignal
}

/**
 * A deployment with one project (a second can be added), its app, and functions that call it as a device or a server
 * does.
 */
export interface Stage {
  ctx: TestContext
  app: TestApp
  project: CastProject
  other: CastProject
  keys: SimulatorKeys
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  get(path: string, device?: string, options?: CallOptions): Promise<Answer>
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>
  /** Buys at the test store and returns the signed payload; posts nothing. */
  buy(product: SimulatedProduct, options?: Partial<Parameters<typeof simulatedPurchase>[0]>): TransactionPayload
  sign(payload: TransactionPayload): string
  /** Signs as the test store of a project does. */
  signIn(project: CastProject, payload: TransactionPayload): Promise<string>
  /** Posts a payload as a device does, signed by the test store of the project whose key is used. */
  receipt(device: string, payload: TransactionPayload, options?: CallOptions & { productId?: string }): Promise<Answer>
  events(subscriberId: string): Promise<
    {
      seq: number | null
      type: string
      data: Record<string, unknown>
      environment: string
      before: unknown
      after: unknown
    }[]
  >
  close(): Promise<void>
}

interface StageOptions {
  settings?: Partial<ProjectSettings>
  env?: Record<string, string>
  now?: number
  slices?: readonly Slice[]
  migrations?: Migrations
}

/** Sets the stage: catalogue `pro`, `coach`; `pro_monthly`, `pro_yearly`, `coins_100`, `lifetime`; currency `coins`. */
export async function stage({
  settings = {},
  env = {},
  now,
  slices = SLICES,
  migrations,
}: StageOptions = {}): Promise<Stage> {
  const content = castWith(settings)
  const ctx = await testContext({
    env,
    content,
    slices,
    ...(now === undefined ? {} : { now }),
    ...(migrations && { migrations }),
  })
  const [project, other] = [castProject(1), castProject(2)]
  // Without a master key there is no test store, and nothing accepts what these keys sign.
  const keys = await (ctx.vault ? simulatorKeys(ctx, project.id) : makeSimulatorKeys(ctx.clock.now()))
  const app = testApp(ctx, slices)
  let count = 0
  const stage: Stage = {
    ctx,
    app,
    project,
    other,
    keys,
    async call(method, path, { key = project.publicKey, body, raw, headers = {}, signal } = {}) {
      const text = raw ?? (body === undefined ? undefined : JSON.stringify(body))
      const all = {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }
      const response = await app.handle(
        new Request(`http://localhost${path}`, {
          ...{ method, headers: all },
          ...(text !== undefined && { body: text }),
          ...(signal && { signal }),
        }),
      )
      const isFile = /^(application\/octet-stream|text\/csv)/.test(response.headers.get('content-type') ?? '')
      const answer = isFile ? '' : await response.text()
      return { status: response.status, headers: response.headers, body: answer === '' ? null : JSON.parse(answer) }
    },
    get: (path, device, options = {}) =>
      stage.call('GET', path, {
        ...options,
        headers: { ...(device === undefined ? {} : { 'x-svc-app-user-id': device }), ...options.headers },
      }),
    post: (path, body, options = {}) => stage.call('POST', path, { body, ...options }),
    buy: (product, options = {}) =>
      simulatedPurchase({
        bundleId: BUNDLE,
        product,
        transactionId: String(2000000000000000 + ++count),
        now: ctx.clock.now(),
        ...options,
      }),
    sign: (payload) => signTransaction(keys, payload),
    signIn: async ({ id }, payload) => signTransaction(await simulatorKeys(ctx, id), payload),
    async receipt(device, payload, { productId = payload.productId, ...options } = {}) {
      const isOthers = options.key === other.publicKey || options.key === other.secretKey
      const receipt = isOthers ? await stage.signIn(other, payload) : stage.sign(payload)
      return stage.post('/v1/receipts/ios', { receipt, appUserId: device, productId }, options)
    },
    async events(subscriberId) {
      const { events } = ctx.tables
      const rows = await ctx.db.select().from(events)
      return rows.filter((row) => row.subscriberId === subscriberId).sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    },
    close: () => ctx.close(),
  }
  return stage
}

/** Both projects, and the keys of their test stores. */
const castWith = (settings: Partial<ProjectSettings>): Content => ({
  name: JSON.stringify(settings),
  async fill(ctx) {
    await makeProject(ctx, 1, settings)
    await makeProject(ctx, 2, {})
    if (!ctx.vault) return
    for (const n of [1, 2]) await simulatorKeys(ctx, castProject(n).id)
  },
})

/** The project with this number; its ids and keys are always the same. */
const castProject = (n: number): CastProject => ({
  id: `prj_${String(n).padStart(26, '0')}`,
  publicKey: `svc_pub_${String(n).repeat(32)}`,
  secretKey: `svc_sec_${String(n).repeat(43)}`,
  keyId: `key_${String(n).padStart(26, '0')}`,
})

/** Writes a project with a fixed pair of keys and the test catalogue directly into the tables. */
export async function makeProject(
  ctx: TestContext,
  n: number,
  settings: Partial<ProjectSettings>,
): Promise<CastProject> {
  const made = castProject(n)
  const { id, publicKey, secretKey, keyId } = made
  const at = ctx.clock.now()
  const stamps = { createdAt: at, updatedAt: at }
  const ids = (prefix: string, name: string) => `${prefix}_${n}${name}`.padEnd(30, '0')
  await ctx.write(async (tx) => {
    const t = tx.tables
    await tx.db.insert(t.projects).values({
      id,
      slug: `project-${n}`,
      name: `Project ${n}`,
      timezone: 'UTC',
      allowedOrigins: ['https://app.example.com'],
      settings,
      configVersion: n,
      ...stamps,
    })
    await insertDefaultAudience(tx, id)
    await tx.db.insert(t.apiKeys).values({
      id: keyId,
      projectId: id,
      label: 'default',
      kind: 'pair',
      publicKey,
      secretHash: sha256Hex(secretKey),
      secretLast4: secretKey.slice(-4),
      environment: 'PROD',
      ...stamps,
    })
    await tx.db
      .insert(t.storeSettings)
      .values({ projectId: id, section: 'ios', config: { bundleId: BUNDLE }, ...stamps })
    const [pro, coach] = [ids('acc', 'pro'), ids('acc', 'coach')]
    await tx.db.insert(t.access).values(
      [pro, coach].map((accessId, index) => ({
        id: accessId,
        projectId: id,
        identifier: index === 0 ? 'pro' : 'coach',
        displayName: 'Access',
        metadata: {},
        ...stamps,
      })),
    )
    const product = (
      identifier: string,
      iosId: string,
      type: 'SUBSCRIPTION' | 'CONSUMABLE' | 'NON_CONSUMABLE',
      period: string | null,
      accessIds: string[],
    ) => ({
      id: ids('prd', identifier),
      projectId: id,
      identifier,
      type,
      displayName: identifier,
      iosId,
      period,
      accessIds,
      isActive: true,
      metadata: {},
      ...stamps,
    })
    await tx.db
      .insert(t.products)
      .values([
        product('pro_monthly', MONTHLY.productId, 'SUBSCRIPTION', 'P1M', [pro]),
        product('pro_yearly', YEARLY.productId, 'SUBSCRIPTION', 'P1Y', [pro, coach]),
        product('coins_100', COINS.productId, 'CONSUMABLE', null, []),
        product('lifetime', LIFETIME.productId, 'NON_CONSUMABLE', null, [pro]),
      ])
    const coins = ids('vcy', 'coins')
    await tx.db.insert(t.virtualCurrencies).values([
      { id: coins, projectId: id, code: 'coins', name: 'Coins', ...stamps },
      { id: ids('vcy', 'gems'), projectId: id, code: 'gems', name: 'Gems', ...stamps },
    ])
    await tx.db.insert(t.currencyGrants).values([
      { projectId: id, productId: ids('prd', 'coins_100'), currencyId: coins, amount: 100n, grantOn: 'PURCHASE' },
      { projectId: id, productId: ids('prd', 'pro_yearly'), currencyId: coins, amount: 500n, grantOn: 'BOTH' },
    ])
    const pack = (identifier: string, productId: string, order: number) => ({
      identifier,
      productId: ids('prd', productId),
      order,
      isPromoted: false,
      metadata: {},
    })
    await tx.db.insert(t.offerings).values({
      id: ids('off', 'default'),
      projectId: id,
      identifier: 'standard',
      isDefault: true,
      packages: [pack('$svc_annual', 'pro_yearly', 1), pack('$svc_monthly', 'pro_monthly', 0)],
      metadata: { headline: 'Sleep better' },
      ...stamps,
    })
  })
  return made
}

/** The instant one billing period after another. */
export const after = (instant: number, period: string): number => addPeriod(instant, period)
