import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/base/config'
import { migrate } from '../../src/base/db/migrate'
import { createContext } from '../../src/create-context'
import { createEndpoint } from '../../src/outward/webhooks/admin'
import { ensureSynthetic } from '../../src/people/subscribers/service'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { type CastProject, makeProject } from '../support/cast'
import { TEST_KEY, type TestContext } from '../support/context'
import { writeEvents } from '../support/probe-kind'
import { type Child, startServer } from './children'
import type { Row } from './report'

interface Plan {
  folder: string
  command: readonly string[]
  isQuick: boolean
  say: (line: string) => void
}

const PER_PROJECT = 10
const EVENTS_MS = 20_000
const SEND_EVERY_MS = 20
const MOST_P99_MS = 250

/**
 * Webhooks of a server in its own process to receivers in this one: how long the first attempt takes while a thousand
 * other endpoints hang or refuse, and how many deliveries a second reach few and many endpoints, beside a loop of bare
 * calls to the same receiver.
 */
export async function benchWebhooks({ folder, command, isQuick, say }: Plan): Promise<Row[]> {
  const rows = [await firstAttempts(join(folder, 'latency'), command, isQuick ? 100 : 1000)]
  say('first attempts')
  for (const endpoints of isQuick ? [1, 100] : [1, 100, 10_000]) {
    rows.push(await throughput(join(folder, `to-${endpoints}`), command, endpoints, isQuick ? 4000 : 20_000))
    say(`deliveries to ${endpoints}`)
  }
  return rows
}

interface Receiver {
  url: string
  /** When each message came, by the label of the subscriber whom it is about. */
  receivedAt: Map<string, number>
  count: number
  stop(): Promise<void>
}

function startReceiver(): Receiver {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      if (request.url.endsWith('/hang')) await new Promise(() => {})
      receiver.count++
      const at = performance.now()
      const key = /bench-\d+/.exec(await request.text())?.[0]
      if (key && !receiver.receivedAt.has(key)) receiver.receivedAt.set(key, at)
      return new Response(null, { status: 204 })
    },
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}`,
    receivedAt: new Map(),
    count: 0,
    stop: () => server.stop(true),
  }
  return receiver
}

const ENV = { SVC_MASTER_KEY: TEST_KEY, SVC_ALLOW_PRIVATE_TARGETS: '1' }

/** A migrated database with projects that have ten endpoints each; `urlOf` gives their addresses. */
async function prepare(
  folder: string,
  endpoints: number,
  urlOf: (index: number) => string,
  fill: (ctx: TestContext, projects: CastProject[]) => Promise<void>,
): Promise<{ first: CastProject; others: CastProject[] }> {
  mkdirSync(folder, { recursive: true })
  const ctx = (await createContext(readConfig({ SVC_DATA_DIR: folder, ...ENV }))) as TestContext
  await migrate(ctx.storage)
  const projects: CastProject[] = []
  for (let n = 0; n * PER_PROJECT < endpoints; n++) projects.push(await makeProject(ctx, n + 1, {}))
  for (let index = 0; index < endpoints; index++) {
    const projectId = projects[Math.floor(index / PER_PROJECT)]?.id ?? ''
    const input = { name: `e${index}`, url: urlOf(index), eventTypes: ['*'] }
    await createEndpoint(ctx, { projectId, actor: CLI_ACTOR }, input)
  }
  await fill(ctx, projects)
  await ctx.close()
  const [first, ...others] = projects
  if (!first) throw new Error('no project')
  return { first, others }
}

/** Five events for each of the projects, written by another process than the server. */
async function burden(folder: string, projects: readonly CastProject[]): Promise<void> {
  const ctx = (await createContext(readConfig({ SVC_DATA_DIR: folder, ...ENV }))) as TestContext
  for (const { id } of projects) await backlog(ctx, id, 5)
  await ctx.close()
}

async function identify(server: Child, { secretKey }: CastProject, label: string): Promise<void> {
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ deviceKey: `device-${label}`, appUserId: label })
  const answer = await fetch(`${server.url}/v1/identify`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Of one healthy endpoint, from the sending of a request to the arrival of what it caused: an upper bound. */
async function firstAttempts(folder: string, command: readonly string[], dead: number): Promise<Row> {
  const receiver = startReceiver()
  const urlOf = (index: number) => {
    if (index < PER_PROJECT) return `${receiver.url}/good`
    return index % 2 === 0 ? `${receiver.url}/hang` : 'http://127.0.0.1:9/closed'
  }
  const { first, others } = await prepare(folder, dead + PER_PROJECT, urlOf, async () => {})
  const server = await startServer(command, folder, ENV)
  try {
    // The healthy endpoints have answered before; the others get their first events now.
    await identify(server, first, 'bench-0')
    while (receiver.count < PER_PROJECT) await Bun.sleep(10)
    await burden(folder, others)
    const latencies = await measureFirst(server, first, receiver)
    const p99 = quantile(latencies, 0.99)
    return {
      what: `first attempt of ${latencies.length} events at 10 endpoints, ${dead} others hang or refuse: p99`,
      result: { value: p99, unit: 'ms', p50Ms: quantile(latencies, 0.5), p99Ms: p99 },
      yardstick: null,
      aim: { of: 'result', is: 'at most', value: MOST_P99_MS },
    }
  } finally {
    await server.stop()
    await receiver.stop()
  }
}

async function measureFirst(server: Child, project: CastProject, receiver: Receiver): Promise<number[]> {
  const sentAt = new Map<string, number>()
  const calls: Promise<unknown>[] = []
  for (const until = performance.now() + EVENTS_MS; performance.now() < until; await Bun.sleep(SEND_EVERY_MS)) {
    const label = `bench-${sentAt.size + 1}`
    sentAt.set(label, performance.now())
    calls.push(identify(server, project, label))
  }
  await Promise.all(calls)
  for (let waited = 0; receiver.receivedAt.size <= sentAt.size && waited < 20_000; waited += 50) await Bun.sleep(50)
  return [...sentAt].map(([label, at]) => (receiver.receivedAt.get(label) ?? Number.POSITIVE_INFINITY) - at)
}

/** Deliveries that wait when the server starts, from its start to the last arrival. */
async function throughput(
  folder: string,
  command: readonly string[],
  endpoints: number,
  deliveries: number,
): Promise<Row> {
  const receiver = startReceiver()
  const perEndpoint = Math.max(1, Math.round(deliveries / endpoints))
  const total = perEndpoint * endpoints
  await prepare(
    folder,
    endpoints,
    () => `${receiver.url}/good`,
    async (ctx, projects) => {
      for (const { id } of projects) await backlog(ctx, id, perEndpoint)
    },
  )
  const server = await startServer(command, folder, ENV)
  try {
    const perSecond = await arrivals(receiver, total)
    const bare = await bareCalls(receiver, Math.min(total, 10_000), endpoints === 1 ? 4 : 64)
    return {
      what: `${total} waiting deliveries to ${endpoints} endpoints`,
      result: { value: perSecond, unit: 'req/s' },
      yardstick: { value: bare, unit: 'req/s' },
      aim: null,
    }
  } finally {
    await server.stop()
    await receiver.stop()
  }
}

async function arrivals(receiver: Receiver, total: number): Promise<number> {
  while (receiver.count === 0) await Bun.sleep(1)
  const startedAt = performance.now()
  const before = receiver.count
  while (receiver.count < total) await Bun.sleep(5)
  return ((total - before) / (performance.now() - startedAt)) * 1000
}

/** Posts a body of the same size, without a connection that is kept, as deliveries are sent. */
async function bareCalls(receiver: Receiver, count: number, atOnce: number): Promise<number> {
  const body = JSON.stringify({ data: 'x'.repeat(600) })
  const startedAt = performance.now()
  let left = count
  const one = async () => {
    while (left-- > 0) await (await fetch(`${receiver.url}/good`, { method: 'POST', body, keepalive: false })).text()
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return (count / (performance.now() - startedAt)) * 1000
}

async function backlog(ctx: TestContext, projectId: string, count: number): Promise<void> {
  const id = await ctx.write(async (tx) => (await ensureSynthetic(tx, projectId, 'bench')).id)
  for (let left = count; left > 0; left -= 100) await writeEvents(ctx, { id, projectId }, Math.min(100, left))
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
