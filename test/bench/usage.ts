import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/app'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { prepared } from '../../src/base/db/prepared'
import { SECOND, systemClock } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { countUsage } from '../../src/projects/usage/service'
import { signTransaction, simulatedPurchase } from '../../src/test-store/stores/ios'
import { BUNDLE, MONTHLY } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { CONNECTIONS, median } from './measure'
import type { Aim, Row } from './report'
import type { Template } from './template'

const BATCH = 200
const SUBSCRIBERS = 500
/** In one transaction, so that what a transaction costs does not count. */
const MANY = 500
const TURNS = 20
const AIM: Aim = { of: 'ratio', is: 'at most', value: 0.02 }

interface Plan {
  folder: string
  template: Template
  rounds: number
  seconds: number
  say: (line: string) => void
}

type Call = [path: string, body: object]

/**
 * What counting costs of a call, in processor time: the statements that count in it, each as long as it takes in a
 * transaction that runs anyway, beside the whole call in the same process.
 */
export async function benchUsage(plan: Plan): Promise<Row[]> {
  const calls = new Calls(plan.template)
  const counted = await openOn(plan, 'usage-statements')
  const measured = await openOn(plan, 'usage')
  try {
    const statements = await countStatements(counted)
    const costs: Cost[] = []
    for (const kind of ['sessions', 'event', 'receipt'] as const) {
      const sent = await statements.during(() => calls.send(counted, calls[kind]()))
      plan.say(`${WORDS[kind]}: ${sent} statements that count`)
      costs.push({ kind, sent, ...(await measure(plan, measured, calls, kind)) })
    }
    // A statement is the same in every call, so all rounds say what it takes.
    const statementMs = median(costs.flatMap(({ statements }) => statements))
    return costs.map((cost) => toRow(cost, statementMs))
  } finally {
    await counted.close()
    await measured.close()
  }
}

const WORDS = {
  sessions: `POST /v1/sdk/sessions, ${BATCH} events`,
  event: 'POST /v1/events',
  receipt: 'POST /v1/receipts/ios, new',
}

type Kind = keyof typeof WORDS

/** Milliseconds of each round. */
interface Times {
  calls: number[]
  statements: number[]
}

interface Cost extends Times {
  kind: Kind
  /** How many statements of a call count. */
  sent: number
}

const toRow = ({ kind, sent, calls }: Cost, statementMs: number): Row => ({
  what: `counting in ${WORDS[kind]} (yardstick: the whole call; processor time)`,
  result: { value: sent * statementMs, unit: 'ms' },
  yardstick: { value: median(calls), unit: 'ms' },
  aim: AIM,
})

async function measure({ rounds, seconds, template }: Plan, ctx: Context, calls: Calls, kind: Kind): Promise<Times> {
  const times: Times = { calls: [], statements: [] }
  const perRound = Math.ceil(seconds * (kind === 'sessions' ? 100 : 600))
  for (let round = 0; round <= rounds; round++) {
    const bodies = Array.from({ length: perRound }, () => calls[kind]())
    const call = await cpuOf(perRound, () => allOf(bodies, (body) => calls.send(ctx, body)))
    const one = await cpuOf(TURNS, () => repeat(TURNS, () => countMany(ctx, template.project.id, 1)))
    const many = await cpuOf(TURNS, () => repeat(TURNS, () => countMany(ctx, template.project.id, MANY + 1)))
    if (round === 0) continue // The first round compiles.
    times.calls.push(call)
    times.statements.push((many - one) / MANY)
  }
  return times
}

/** Milliseconds of the processor for each of so many. */
async function cpuOf(count: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}

/** So many at once as under load, so that they share their commits. */
async function allOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const workers = Array.from({ length: CONNECTIONS }, async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  })
  await Promise.all(workers)
}

async function repeat(count: number, work: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done++) await work()
}

const countMany = (ctx: Context, projectId: string, count: number): Promise<void> =>
  ctx.write(async (tx) => {
    for (let done = 0; done < count; done++) await countUsage(tx, projectId, 'events', tx.clock.now(), 1)
  })

/** Takes the place of the statement that counts, and notes how often it is executed. */
async function countStatements(ctx: Context) {
  let count = 0
  const noted = { execute: async () => void count++ }
  await ctx.write(async (tx) => prepared(tx, 'usage.add', () => noted))
  return {
    async during(work: () => Promise<void>): Promise<number> {
      const before = count
      await work()
      return count - before
    },
  }
}

async function openOn({ folder, template }: Plan, name: string): Promise<Context> {
  const own = join(folder, name)
  mkdirSync(own)
  cpSync(template.path, join(own, 'svc.db'))
  const rates = { SVC_RATE_KEY: '0', SVC_RATE_IP: '0', SVC_RATE_NEW: '0', SVC_FX_URL: 'off' }
  const config = readConfig({ SVC_DATA_DIR: own, SVC_MASTER_KEY: TEST_KEY, ...rates })
  return createContext(config, { log: createLog({ level: 'off', now: () => systemClock.now() }) })
}

/** Calls of apps, each with what nobody has sent before. */
class Calls {
  private turn = 0
  private readonly apps = new WeakMap<Context, ReturnType<typeof createApp>>()

  constructor(private readonly template: Template) {}

  sessions(): Call {
    const now = systemClock.now()
    const occurredAt = (index: number) => new Date(now - (BATCH - index) * SECOND - (this.turn % 1000)).toISOString()
    const events = Array.from({ length: BATCH }, (_, index) => ({ type: 'open', occurredAt: occurredAt(index) }))
    return ['/v1/sdk/sessions', { subscriberId: this.next(), events }]
  }

  event(): Call {
    const subscriberId = this.next()
    const occurredAt = new Date(systemClock.now()).toISOString()
    return ['/v1/events', { eventType: 'step', eventId: `usage-${this.turn}`, occurredAt, subscriberId }]
  }

  receipt(): Call {
    const appUserId = this.next()
    const transactionId = String(5000000000000000 + this.turn)
    const now = systemClock.now()
    const payload = simulatedPurchase({ bundleId: BUNDLE, product: MONTHLY, transactionId, now })
    const receipt = signTransaction(this.template.keys, payload)
    return ['/v1/receipts/ios', { receipt, appUserId, productId: MONTHLY.productId }]
  }

  async send(ctx: Context, [path, body]: Call): Promise<void> {
    const app = this.apps.get(ctx) ?? createApp(ctx)
    this.apps.set(ctx, app)
    const headers = {
      authorization: `Bearer ${this.template.project.publicKey}`,
      'content-type': 'application/json',
    }
    const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { status } = await app.handle(request)
    if (status !== 200 && status !== 202) throw new Error(`POST ${path} was answered with ${status}`)
  }

  private next(): string {
    return `usage-${++this.turn % SUBSCRIBERS}`
  }
}
