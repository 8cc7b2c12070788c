import { spyOn } from 'bun:test'
import type { Context } from '../../src/base/context'
import { SECOND } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { causeOf } from '../../src/people/events/model'
import { recordEvents } from '../../src/people/events/service'
import { type Stage, stage } from './cast'
import type { Endpoint, Occurrence, Seen } from './delivery-model'
import { staff } from './staff'

/** What a receiver answers, by the time since the beginning. */
export type Behaviour =
  | { kind: 'good' }
  | { kind: 'slow' }
  | { kind: 'dead'; status: number }
  | { kind: 'failing'; forMs: number }
  | { kind: 'gone'; afterMs: number; before: 200 | 500 }
  | { kind: 'limiting'; status: 429 | 503; seconds: number; isDate: boolean; forMs: number }

interface Reply {
  status: number
  retryAt?: number
  headers?: Record<string, string>
}

export interface Plan {
  isOrdered: boolean
  behaviour: Behaviour
}

class Target implements Endpoint {
  readonly seen: Seen[] = []
  readonly turns: number[]
  id = ''
  constructor(
    readonly plan: Plan,
    bench: { turns: number[] },
  ) {
    this.turns = bench.turns
  }
  get isOrdered(): boolean {
    return this.plan.isOrdered
  }
}

/** A stage with receivers on a loopback port. Every attempt is written down with its place among all others. */
export class Bench {
  readonly turns: number[] = []
  readonly targets: Target[]
  readonly occurrences: Occurrence[] = []
  private readonly fresh: { id: string; subscriberId: string | null }[] = []
  private readonly startedAt: number
  private place = 0
  /** While a process is about to end: attempts wait for it, and nothing of them is saved. */
  private crash: Promise<void> | null = null
  private held = 0
  private readonly server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.answer(request) })

  private constructor(
    readonly s: Stage,
    readonly subscribers: readonly string[],
    plans: readonly Plan[],
  ) {
    this.startedAt = s.ctx.clock.now()
    this.targets = plans.map((plan) => new Target(plan, this))
  }

  static async open(plans: readonly Plan[], subscriberCount: number): Promise<Bench> {
    const s = await stage({ env: { SVC_ALLOW_PRIVATE_TARGETS: '1' } })
    const subscribers: string[] = []
    for (let n = 0; n < subscriberCount; n++)
      subscribers.push((await s.get('/v1/me', `svc_${n}`)).body.data.subscriber.id)
    const bench = new Bench(s, subscribers, plans)
    await bench.createEndpoints()
    return bench
  }

  private async createEndpoints(): Promise<void> {
    const developer = staff(this.s).as('DEVELOPER')
    for (const [index, target] of this.targets.entries()) {
      const url = `http://127.0.0.1:${this.server.port}/${index}`
      const body = { name: `Receiver ${index}`, url, eventTypes: ['*'], ordered: target.isOrdered }
      const { status, body: made } = await developer.post('/webhook-endpoints', body)
      if (status !== 201) throw new Error(JSON.stringify(made))
      target.id = made.data.id
    }
  }

  async close(): Promise<void> {
    await this.server.stop(true)
    await this.s.close()
  }

  /** Records an event of a subscriber, or of the project alone. */
  async record(subscriber: number | null, isPoisoned = false): Promise<void> {
    const { ctx, project } = this.s
    const data = isPoisoned ? { isPoisoned } : {}
    const subscriberId = subscriber === null ? null : (this.subscribers[subscriber % this.subscribers.length] ?? null)
    if (subscriberId === null) await this.recordOfProject(data)
    else
      await ctx.write(async (tx) => {
        const image = { access: {}, balances: {} }
        const draft = { type: 'purchase.renewed', occurredAt: tx.clock.now(), environment: 'PRODUCTION' as const, data }
        const subject = { id: subscriberId, projectId: project.id, appUserId: null }
        await recordEvents(tx, { subject, cause: causeOf('CLI', null), before: image, after: image }, [draft])
      })
    const { events } = ctx.tables
    const rows = await ctx.db.select().from(events)
    const newest = rows.toSorted((a, b) => a.position - b.position).at(-1)
    this.fresh.push({ id: newest?.id ?? '', subscriberId })
  }

  private recordOfProject(data: Record<string, unknown>): Promise<void> {
    const { ctx, project } = this.s
    return ctx.write(async (tx) => {
      const now = tx.clock.now()
      await tx.db.insert(tx.tables.events).values({
        ...{ id: tx.ids.next('evt'), projectId: project.id, type: 'import.committed', environment: 'PRODUCTION' },
        ...{ before: null, after: null, data, cause: causeOf('CLI', null), occurredAt: now, recordedAt: now },
      })
    })
  }

  /** Sends everything that is due now. */
  async turn(): Promise<void> {
    const now = this.s.ctx.clock.now()
    for (const one of this.fresh.splice(0)) this.occurrences.push({ ...one, turnedAt: now })
    await this.s.ctx.state.dispatcher.runDue()
    this.turns.push(now)
  }

  /** What another process of the same database has. */
  otherProcess(): Promise<Context> {
    const { config, clock, log } = this.s.ctx
    return createContext(config, { clock, log })
  }

  /**
   * Another process of the same database begins what is due, and ends before it can save an outcome. The receivers hold
   * their answers until it has ended.
   */
  async crashNow(): Promise<void> {
    const other = await this.otherProcess()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.crash = promise
    this.held = 0
    let isOver = false
    const running = other.state.dispatcher
      .runDue()
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
    // The claims of one transaction all begin in the same step, so a moment after the first one all are there.
    for (let quiet = 0, seen = 0; !isOver && quiet < 20; quiet++) {
      await Bun.sleep(1)
      if (this.held === 0 || this.held !== seen) quiet = 0
      seen = this.held
    }
    await other.close()
    resolve()
    await running
    this.crash = null
  }

  private async answer(request: Request): Promise<Response> {
    const target = this.targets[Number(new URL(request.url).pathname.slice(1))]
    if (!target) throw new Error(`no receiver for ${request.url}`)
    const { id } = (await request.json()) as { id: string }
    const { status, headers } = await this.see(target, id, () => this.reply(target.plan.behaviour))
    return new Response(null, { status: status ?? 500, headers: headers ?? {} })
  }

  /** Writes an attempt down. */
  async see(target: Target, eventId: string, reply: () => Reply | null) {
    const isLost = this.crash !== null
    const begun = { eventId, at: this.s.ctx.clock.now(), begin: ++this.place, isLost }
    const seen: Seen = { ...begun, end: Number.POSITIVE_INFINITY, status: null, retryAt: null }
    target.seen.push(seen)
    if (this.crash) {
      this.held++
      await this.crash
    }
    if (target.plan.behaviour.kind === 'slow') for (let n = 0; n < 5; n++) await new Promise(setImmediate)
    const answer = reply()
    Object.assign(seen, { end: ++this.place, status: answer?.status ?? null, retryAt: answer?.retryAt ?? null })
    return { status: answer?.status, headers: answer?.headers }
  }

  private reply(behaviour: Behaviour): Reply {
    const now = this.s.ctx.clock.now()
    const passed = now - this.startedAt
    if (behaviour.kind === 'dead') return { status: behaviour.status }
    if (behaviour.kind === 'failing') return { status: passed < behaviour.forMs ? 500 : 200 }
    if (behaviour.kind === 'gone') return { status: passed < behaviour.afterMs ? behaviour.before : 410 }
    if (behaviour.kind !== 'limiting' || passed >= behaviour.forMs) return { status: 204 }
    const wanted = now + behaviour.seconds * SECOND
    // Dates of HTTP have no milliseconds.
    const retryAt = behaviour.isDate ? wanted - (wanted % SECOND) : wanted
    const text = behaviour.isDate ? new Date(retryAt).toUTCString() : String(behaviour.seconds)
    return { status: behaviour.status, retryAt, headers: { 'retry-after': text } }
  }

  /** Lets the attempts of poisoned events throw. Returns the function that ends it. */
  poison(): () => void {
    const kind = this.s.ctx.hooks.deliveryKind?.find(({ kind: name }) => name === 'WEBHOOK')
    if (!kind) throw new Error('nothing sends webhooks')
    const send = kind.attempt
    const spy = spyOn(kind, 'attempt').mockImplementation(async (ctx, delivery, call) => {
      if (!delivery.event?.data.isPoisoned) return send(ctx, delivery, call)
      const target = this.targets.find(({ id }) => id === delivery.targetId)
      if (target) await this.see(target, delivery.event.id, () => null)
      throw new Error('poison')
    })
    return () => spy.mockRestore()
  }

  /** The next instant at which something is due, as the product has planned it; null = nothing is. */
  async nextDue(): Promise<number | null> {
    const { deliveries } = this.s.ctx.tables
    const rows = await this.s.ctx.db.select({ dueAt: deliveries.dueAt }).from(deliveries)
    const due = rows.flatMap(({ dueAt }) => dueAt ?? [])
    return due.length === 0 ? null : Math.min(...due)
  }

  /** The deliveries of an endpoint by the ids of their events. */
  async deliveriesOf({ id }: Target) {
    const { deliveries } = this.s.ctx.tables
    const rows = await this.s.ctx.db.select().from(deliveries)
    return new Map(rows.filter(({ targetId }) => targetId === id).map((row) => [row.eventId ?? '', row]))
  }
}
