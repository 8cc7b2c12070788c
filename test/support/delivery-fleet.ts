import { and, eq, gte, isNotNull, max } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { createEndpoint } from '../../src/outward/webhooks/admin'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { type CastProject, makeProject } from './cast'
import { TEST_KEY, type TestContext } from './context'
import { type Received, type Receiver, startReceiver } from './receiver'

/** The environment of a server that sends to the receiver of the tests. */
export const SENDING = { SVC_MASTER_KEY: TEST_KEY, SVC_ALLOW_PRIVATE_TARGETS: '1' }

/** One request to the receiver. */
export interface Receipt {
  path: string
  eventId: string
  subscriberId: string
  seq: number
  /** Its place among all receipts. */
  order: number
  /** Null until it was answered. */
  status: number | null
  /** How many receipts there were when it was answered. */
  answeredBefore: number
  at: number
}

/** What a receiver answers to a receipt; `earlier` are the receipts of the same event at the same path. */
export type Manner = (receipt: Receipt, earlier: readonly Receipt[]) => number | Promise<number>

export interface Endpoint {
  path: string
  isOrdered?: boolean
  manner?: Manner
}

const good: Manner = () => 200

/** Endpoints at one receiver in one project, and what each of them got. */
export class Fleet {
  readonly receipts: Receipt[] = []
  /** Receipts whose signature is not that of their endpoint. */
  readonly unsigned: string[] = []
  readonly pathOf = new Map<string, string>()
  private readonly byKey = new Map<string, Receipt[]>()
  private readonly secrets = new Map<string, Webhook>()

  private constructor(
    private readonly env: Record<string, string>,
    private readonly receiver: Receiver,
    readonly endpoints: readonly Endpoint[],
    readonly project: CastProject,
  ) {}

  static async make(env: Record<string, string>, endpoints: readonly Endpoint[]): Promise<Fleet> {
    const receiver = startReceiver()
    const ctx = await openContext(env)
    try {
      await migrate(ctx.storage)
      const project = await makeProject(ctx as TestContext, 1, {})
      const fleet = new Fleet(env, receiver, endpoints, project)
      for (const one of endpoints) await fleet.add(ctx, one)
      receiver.respond = (request) => fleet.take(request)
      return fleet
    } finally {
      await ctx.close()
    }
  }

  private async add(ctx: Context, { path, isOrdered = false }: Endpoint): Promise<void> {
    const by = { projectId: this.project.id, actor: CLI_ACTOR }
    const url = `${this.receiver.url}${path}`
    const { id, secret } = await createEndpoint(ctx, by, { name: path, url, eventTypes: ['*'], isOrdered })
    this.pathOf.set(id, path)
    this.secrets.set(path, new Webhook(secret))
  }

  private async take({ path, headers, body }: Received): Promise<Response> {
    try {
      this.secrets.get(path)?.verify(body, headers)
    } catch {
      this.unsigned.push(path)
    }
    const { id: eventId, subscriberId, seq } = JSON.parse(body)
    const earlier = [...this.of(path, eventId)]
    const order = this.receipts.length
    const kept: Receipt = { path, eventId, subscriberId, seq, order, status: null, answeredBefore: 0, at: Date.now() }
    this.receipts.push(kept)
    this.byKey.set(`${path} ${eventId}`, [...earlier, kept])
    const manner = this.endpoints.find((one) => one.path === path)?.manner ?? good
    kept.status = await manner(kept, earlier)
    kept.answeredBefore = this.receipts.length
    return new Response(null, { status: kept.status })
  }

  /** The receipts of an event at a path, in their order. */
  of(path: string, eventId: string): readonly Receipt[] {
    return this.byKey.get(`${path} ${eventId}`) ?? []
  }

  /** Reads with a context of this process, which sends nothing. */
  async look<Result>(work: (ctx: Context) => Promise<Result>): Promise<Result> {
    const ctx = await openContext(this.env)
    try {
      return await work(ctx)
    } finally {
      await ctx.close()
    }
  }

  close(): Promise<void> {
    return this.receiver.close()
  }
}

export const openContext = (env: Record<string, string>): Promise<Context> =>
  createContext(readConfig({ ...SENDING, ...env }), { log: createLog({ level: 'off', now: () => 0 }) })

/** Waits until no delivery of the project is open and every event has been turned into deliveries. */
export async function untilNoneOpen(fleet: Fleet, ctx: Context): Promise<void> {
  const { deliveries: d } = ctx.tables
  const open = and(eq(d.projectId, fleet.project.id), isNotNull(d.openOrder))
  for (;;) {
    const rows = await ctx.db.select({ id: d.id }).from(d).where(open).limit(1)
    if (rows.length === 0 && (await isReadToTheEnd(ctx))) return
    await Bun.sleep(50)
  }
}

async function isReadToTheEnd(ctx: Context): Promise<boolean> {
  const [events] = await ctx.db.select({ last: max(ctx.tables.events.position) }).from(ctx.tables.events)
  const [cursor] = await ctx.db.select().from(ctx.tables.deliveryCursors)
  return (cursor?.position ?? 0) >= (events?.last ?? 0)
}

/** The keys (path and event) of deliveries that ended well since an instant. */
export async function succeededSince(fleet: Fleet, ctx: Context, since: number): Promise<[string, string][]> {
  const { deliveries: d } = ctx.tables
  const columns = { targetId: d.targetId, eventId: d.eventId }
  const rows = await ctx.db
    .select(columns)
    .from(d)
    .where(and(eq(d.status, 'SUCCEEDED'), gte(d.endedAt, since)))
  return rows.map(({ targetId, eventId }) => [fleet.pathOf.get(targetId) ?? '', eventId ?? ''])
}

/** The keys of deliveries whose attempt is under way, or was when its process ended. */
export async function underWay(fleet: Fleet, ctx: Context): Promise<string[]> {
  const { deliveries: d } = ctx.tables
  const rows = await ctx.db.select().from(d).where(eq(d.status, 'DELIVERING'))
  return rows.map(({ targetId, eventId }) => `${fleet.pathOf.get(targetId) ?? ''} ${eventId}`)
}

/** What breaks the order of a path: a receipt of an event before every earlier one of its subscriber was taken. */
export function brokenOrder(fleet: Fleet, path: string): string[] {
  const own = fleet.receipts.filter((receipt) => receipt.path === path)
  return [...Map.groupBy(own, ({ subscriberId }) => subscriberId).values()].flatMap((receipts) => {
    /** The highest `seq` that began, and the order at which its first success was answered. */
    let reached = 0
    let takenAt: number | null = 0
    const broken: string[] = []
    for (const { seq, status, order, answeredBefore } of receipts) {
      const isNext = seq === reached + 1 && takenAt !== null && takenAt <= order
      if (seq !== reached && !isNext) broken.push(`${path}: ${seq} at ${order} after ${reached}`)
      if (seq !== reached) takenAt = null
      reached = Math.max(reached, seq)
      if (status === 200) takenAt ??= answeredBefore
    }
    return broken
  })
}

/** Posts transactions of many subscribers at a steady rate, each subscriber one after the other. */
export class Load {
  /** The keys of the transactions that were answered 200. */
  readonly acknowledged: string[] = []
  private count = 0
  private isOver = false
  private running: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly project: CastProject,
    private readonly subscribers: number,
    private readonly perSecond: number,
  ) {}

  /** Makes the subscribers. */
  async prepare(url: string): Promise<void> {
    for (let n = 0; n < this.subscribers; n++)
      await this.post(
        url,
        '/v1/identify',
        { deviceKey: `svc_load_${n}`, appUserId: `load-${n}` },
        this.project.publicKey,
      )
  }

  /** Posts until `end`. Calls that fail are not repeated. */
  begin(urls: readonly string[]): void {
    this.isOver = false
    this.running = Promise.all(Array.from({ length: this.subscribers }, (_, n) => this.keepPosting(urls, n)))
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.running
  }

  async once(url: string, n: number): Promise<string | null> {
    const idempotencyKey = `load-${n}-${++this.count}`
    const path = `/v1/virtual-currencies/svc_load_${n}/gems/transactions`
    const body = { amount: 1, idempotencyKey }
    const answer = await this.post(url, path, body, this.project.secretKey).catch(() => null)
    if (answer?.status !== 200) return null
    this.acknowledged.push(idempotencyKey)
    return idempotencyKey
  }

  private async keepPosting(urls: readonly string[], n: number): Promise<void> {
    const everyMs = (1000 * this.subscribers) / this.perSecond
    for (let turn = n; !this.isOver; turn++) {
      const pause = Bun.sleep(everyMs)
      await this.once(urls[turn % urls.length] ?? '', n)
      await pause
    }
  }

  private post(url: string, path: string, body: object, key: string): Promise<Response> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
}
