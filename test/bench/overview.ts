import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import { DAY, systemClock } from '../../src/base/lib/clock'
import { sha256Hex } from '../../src/base/lib/hash'
import { createContext } from '../../src/create-context'
import { VALUE_NAMES } from '../../src/insight/figures/model'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { TEST_KEY } from '../support/context'
import { Batches } from './batch'
import { Chains } from './chains'
import { type Child, startServer } from './children'
import { alternate, median } from './measure'
import { OverviewStreams } from './overview-streams'
import { toPost } from './receipts'
import { loadRow, type Row } from './report'
import { deviceOf, seed } from './seed'
import { settleFigures } from './settled-figures'
import type { Template } from './template'

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  /** Each has a purchase and its entries over three years. */
  subscribers: number
  rounds: number
  seconds: number
  say: (line: string) => void
}

const STREAMS = 100
const CALLS = 200
const PURCHASES = 40

/** The overview of a large project: how fast it answers, how soon it tells a purchase, and what open ones cost. */
export async function benchOverview(plan: Plan): Promise<Row[]> {
  const folder = join(plan.folder, 'overview')
  seed(plan.template, folder, plan.subscribers, plan.say)
  addEntries(join(folder, 'svc.db'), plan.say)
  const tokens = await makeMembers(folder, plan.template.project.id)
  const server = await startServer(plan.command, folder, { SVC_RATE_USER: '0' })
  const chains = new Chains(plan.template.keys, 'overview')
  try {
    const bench: Bench = { ...plan, server, tokens, chains }
    const told = [...(await benchAnswers(bench)), ...(await benchTold(bench))]
    return [...told, ...(await benchBeside(bench)), ...(await benchStorm(bench))]
  } finally {
    await server.stop()
  }
}

interface Bench extends Plan {
  server: Child
  tokens: readonly string[]
  chains: Chains
}

/** Months that a subscription is paid for; the same number is charged. */
const MONTHS = [1, 3, 6, 12, 24]
const SPREAD_DAYS = 1095
const PRICE = 9_990_000

/** What figures are made of, for each seeded purchase: it begins at some day of three years, is charged, and most end. */
export function addEntries(path: string, say: Plan['say']): void {
  const database = new Database(path)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -1000000'])
    database.exec(`PRAGMA ${pragma}`)
  const now = Date.now()
  const started = `${now} - (p.rowid * 7919 % ${SPREAD_DAYS}) * ${DAY} - p.rowid % ${DAY}`
  for (const [index, months] of MONTHS.entries()) {
    const isOwn = `p.rowid % ${MONTHS.length} = ${index}`
    insert(database, isOwn, `'STATE'`, started, { paidIn: 1, mrrNew: PRICE })
    for (let month = 0; month < months; month++)
      insert(database, isOwn, `'LINE'`, `${started} + ${month * 30 * DAY}`, { gross: PRICE, charges: 1 })
    insert(database, isOwn, `'STATE'`, `${started} + ${months * 30 * DAY}`, { paidOut: 1, mrrChurn: PRICE })
  }
  const { entries } = database.prepare('SELECT count(*) AS entries FROM figure_entries').get() as { entries: number }
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
  say(`${entries} entries of figures`)
}

function insert(
  database: Database.Database,
  isOwn: string,
  kind: string,
  at: string,
  values: Partial<Record<(typeof VALUE_NAMES)[number], number>>,
): void {
  const columns = VALUE_NAMES.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  database.exec(`
    INSERT INTO figure_entries (project_id, environment, purchase_id, transaction_id, kind, key, at, known_at, store,
      store_product_id, product, country, platform, pending_until, ${columns.join()})
    SELECT p.project_id, 'PRODUCTION', p.id, NULL, ${kind}, '', ${at}, ${at}, p.store, 'com.x.pro.monthly', 'pro_monthly',
      CASE p.rowid % 3 WHEN 0 THEN 'US' WHEN 1 THEN 'DE' ELSE 'JP' END, 'ios', NULL,
      ${VALUE_NAMES.map((name) => values[name] ?? 0).join()}
    FROM purchases p WHERE ${isOwn}`)
}

const PER_MEMBER = 20

/** Enough people that each has no more streams than allowed; the tokens with which they call. */
async function makeMembers(folder: string, projectId: string): Promise<string[]> {
  const config = readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY })
  const ctx = await createContext(config, { clock: systemClock })
  const stamps = { createdAt: Date.now(), updatedAt: Date.now() }
  const tokens = Array.from({ length: STREAMS / PER_MEMBER + 1 }, (_, index) => `svc_pat_${index}`.padEnd(48, 'a'))
  // The entries are not those of the purchases, so nothing may make them so.
  await settleFigures(ctx)
  await ctx.write(async ({ db, tables: { users, memberships, accessTokens } }) => {
    for (const [index, token] of tokens.entries()) {
      const [id, email] = [`usr_bench${index}`, `bench${index}@example.com`]
      const person = { id, email, emailKey: email, name: 'Bench', emailVerifiedAt: Date.now() }
      await db.insert(users).values({ ...person, ...stamps })
      await db.insert(memberships).values({ id: `mem_bench${index}`, projectId, userId: id, role: 'OWNER', ...stamps })
      const held = { id: `pat_bench${index}`, userId: id, name: 'bench', prefix: 'svc_pat_', createdAt: Date.now() }
      await db.insert(accessTokens).values({ ...held, tokenHash: sha256Hex(token) })
    }
  })
  await rollUp(ctx)
  await ctx.close()
  return tokens
}

const urlOf = ({ server, template }: Bench, path = ''): string =>
  `${server.url}/dashboard/projects/${template.project.id}/overview${path}`

async function benchAnswers(bench: Bench): Promise<Row[]> {
  const headers = { authorization: `Bearer ${bench.tokens[0]}` }
  const call = async (): Promise<number> => {
    const startedAt = performance.now()
    const answer = await fetch(urlOf(bench), { headers })
    if (!answer.ok) throw new Error(`the overview answered ${answer.status}: ${await answer.text()}`)
    await answer.json()
    return performance.now() - startedAt
  }
  bench.say(`the first overview took ${Math.round(await call())} ms`)
  for (let index = 0; index < 20; index++) await call()
  const quiet: number[] = []
  while (quiet.length < CALLS) quiet.push(await call())
  const changed: number[] = []
  while (changed.length < PURCHASES) {
    await buy(bench)
    changed.push(await call())
  }
  const size = `${bench.subscribers.toLocaleString('en')} purchases`
  return [
    ...spanRows(`overview, ${size}, nothing new since`, quiet, 20),
    ...spanRows(`overview, ${size}, right behind a purchase`, changed, 20),
  ]
}

let bought = 0

/** Posts a purchase of a new subscriber; the time at which it was answered. */
async function buy({ server, template, chains }: Bench): Promise<number> {
  const answer = await fetch(`${server.url}/v1/receipts/ios`, {
    method: 'POST',
    headers: { authorization: `Bearer ${template.project.publicKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      receipt: chains.sign(chains.buy()),
      appUserId: `overview-${++bought}`,
      productId: 'pro_monthly',
    }),
  })
  if (!answer.ok) throw new Error(`a receipt was answered ${answer.status}: ${await answer.text()}`)
  return performance.now()
}

/** The test store sells in the sandbox, so the figure that changes is that of new subscribers; all are read anew. */
async function benchTold(bench: Bench): Promise<Row[]> {
  const streams = await OverviewStreams.open(urlOf(bench, '/live'), bench.tokens, 1)
  const spans: number[] = []
  for (let index = 0; index < PURCHASES; index++) {
    await Bun.sleep(1100 + Math.random() * 300)
    const told = streams.nextFigure('newSubscribers30d')
    const at = await buy(bench)
    spans.push(Math.max(0, (await told) - at))
  }
  await streams.close()
  return spanRows('from the answer of a purchase to its figure on an open overview', spans, null)
}

async function benchBeside(bench: Bench): Promise<Row[]> {
  const { server, template, chains, rounds, seconds } = bench
  const [alone, beside] = [new Batches(server, seconds), new Batches(server, seconds)]
  let turn = 0
  const post = () =>
    toPost({ template }, deviceOf((++turn % Math.min(bench.subscribers, 10_000)) + 1), chains.sign(chains.buy()))
  let frames = 0
  const measured = await alternate<'alone' | 'beside'>(rounds, {
    alone: () => alone.send(alone.fill(post)),
    beside: async () => {
      const streams = await OverviewStreams.open(urlOf(bench, '/live'), bench.tokens.slice(1), PER_MEMBER)
      const round = await beside.send(beside.fill(post))
      frames += streams.frames
      await streams.close()
      return round
    },
  })
  bench.say(`${frames} frames on ${STREAMS} streams`)
  const { perSecond: value, p50Ms, p99Ms } = measured.alone
  const yardstick = { value, unit: 'req/s', p50Ms, p99Ms } as const
  const what = `receipts beside ${STREAMS} open overviews (yardstick: without them)`
  return [loadRow(what, measured.beside, yardstick, { of: 'ratio', is: 'at least', value: 0.9 })]
}

/** Each asks for one chart after the other, without a pause. */
const CALLERS = 4
const STORM = [
  'revenue',
  'mrr-movement',
  'active-subscriptions',
  'paying-subscribers',
  'arpu',
  'churn-rate',
  'proceeds',
]

/** Receipts while people look at charts of three years. */
async function benchStorm(bench: Bench): Promise<Row[]> {
  const { server, template, chains, rounds, seconds } = bench
  const [alone, beside] = [new Batches(server, seconds), new Batches(server, seconds)]
  let turn = 0
  const post = () =>
    toPost({ template }, deviceOf((++turn % Math.min(bench.subscribers, 10_000)) + 1), chains.sign(chains.buy()))
  let charts = 0
  const measured = await alternate<'alone' | 'beside'>(rounds, {
    alone: () => alone.send(alone.fill(post)),
    beside: async () => {
      const posts = beside.fill(post)
      const storm = beginStorm(bench)
      const round = await beside.send(posts)
      charts += await storm.end()
      return round
    },
  })
  bench.say(`${charts} charts were answered`)
  const { perSecond: value, p50Ms, p99Ms } = measured.alone
  const yardstick = { value, unit: 'req/s', p50Ms, p99Ms } as const
  const what = `receipts while ${CALLERS} ask for charts of 36 months without a pause (yardstick: without them)`
  return [loadRow(what, measured.beside, yardstick, { of: 'ratio', is: 'at least', value: 0.9 })]
}

function beginStorm({ server, template, tokens }: Bench): { end: () => Promise<number> } {
  let isOn = true
  const from = new Date(Date.now() - 1094 * DAY).toISOString().slice(0, 10)
  const ask = async (caller: number): Promise<number> => {
    let answered = 0
    for (let turn = caller; isOn; turn++, answered++) {
      const chart = STORM[turn % STORM.length]
      const url = `${server.url}/dashboard/projects/${template.project.id}/charts/${chart}?from=${from}&grain=month`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens[caller % tokens.length]}` } })
      if (!answer.ok) throw new Error(`a chart was answered ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
    return answered
  }
  const callers = Array.from({ length: CALLERS }, (_, caller) => ask(caller))
  return {
    end: async () => {
      isOn = false
      return (await Promise.all(callers)).reduce((sum, one) => sum + one, 0)
    },
  }
}

function spanRows(what: string, spans: readonly number[], most: number | null): Row[] {
  const sorted = spans.toSorted((a, b) => a - b)
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0
  const aim = most === null ? null : ({ of: 'result', is: 'at most', value: most } as const)
  return [
    { what: `${what}: p50`, result: { value: median(spans), unit: 'ms' }, yardstick: null, aim: null },
    { what: `${what}: p95`, result: { value: p95, unit: 'ms' }, yardstick: null, aim },
  ]
}
