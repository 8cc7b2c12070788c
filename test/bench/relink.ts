import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { FIRST_LOOK_MS } from '../../src/intake/relink/jobs'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { createProduct } from '../../src/projects/catalog/admin/products'
import { MONTHLY } from '../support/cast'
import { TEST_KEY } from '../support/context'
import { Chains } from './chains'
import { type Child, startServer, untilQuiet } from './children'
import { type Round, runRound } from './measure'
import { COMMITS, toPost } from './receipts'
import type { Row } from './report'
import { once } from './requests'
import { deviceOf, seed } from './seed'
import type { Template } from './template'
import { Committer } from './yardsticks'

/** So many are posted at the most. */
const RECEIPTS = 40_000
const LATER = 'com.x.later'
const TABLES = ['subscribers', 'purchases', 'purchase_observations', 'transactions']

interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  /** How many wait for their product. */
  purchases: number
  seconds: number
  say: (line: string) => void
}

/**
 * Purchases a second that a server links after an edit has brought their product: first while devices post receipts, and
 * then while nothing else happens; and what these receipts feel.
 */
export async function benchRelink(plan: Plan): Promise<Row[]> {
  const committer = new Committer(plan.folder)
  try {
    const commits = rate(1000 / committer.time(COMMITS))
    const { beside, alone } = await inOwn(plan, async (stage) => {
      const linked = await linkBeside(plan, stage)
      return { beside: linked, alone: await linkRest(plan, stage) }
    })
    const what = `relink of ${plan.purchases.toLocaleString('en')} purchases`
    return [
      { what: `${what} (yardstick: a commit each)`, result: rate(alone), yardstick: commits, aim: null },
      {
        what: `${what}, beside receipts (yardstick: without)`,
        result: rate(beside.linked),
        yardstick: rate(alone),
        aim: null,
      },
      receiptRow(beside),
    ]
  } finally {
    committer.close()
  }
}

const rate = (value: number) => ({ value, unit: 'rows/s' }) as const

const receiptRow = ({ before, meanwhile }: Beside): Row => ({
  what: 'POST /v1/receipts/ios, new transaction, during the relink (yardstick: without it)',
  result: figure(meanwhile),
  yardstick: figure(before),
  aim: null,
  faults: meanwhile.faults,
})

const figure = ({ perSecond, p50Ms, p99Ms }: Round) => ({ value: perSecond, unit: 'req/s', p50Ms, p99Ms }) as const

interface Stage {
  server: Child
  /** Adds the product that all seeded purchases wait for. */
  edit(): Promise<void>
  waiting(): number
}

async function inOwn<Result>(plan: Plan, work: (stage: Stage) => Promise<Result>): Promise<Result> {
  const folder = join(plan.folder, 'relink')
  seed(plan.template, folder, plan.purchases, plan.say, TABLES)
  makeWait(join(folder, 'svc.db'))
  const ctx = await createContext(readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY }), {
    clock: systemClock,
  })
  const server = await startServer(plan.command, folder)
  const reader = new Database(join(folder, 'svc.db'), { readonly: true })
  const left = reader.prepare('SELECT count(*) AS left FROM purchases WHERE product_id IS NULL AND access_ids IS NULL')
  try {
    await withoutFigures(join(folder, 'svc.db'), plan.say)
    await untilQuiet(server)
    const by = { projectId: plan.template.project.id, actor: CLI_ACTOR }
    return await work({ server, waiting: () => countOf(left), edit: () => addProduct(ctx, by, plan.purchases) })
  } finally {
    reader.close()
    await server.stop()
    await ctx.close()
    rmSync(folder, { recursive: true })
  }
}

/**
 * The first start would count the figures of all seeded purchases, which takes longer than what is measured. Each purchase
 * that is linked is counted then in any case.
 */
async function withoutFigures(path: string, say: Plan['say']): Promise<void> {
  const database = new Database(path)
  database.exec('PRAGMA busy_timeout = 10000')
  const rebuilds = database.prepare("SELECT count(*) AS left FROM jobs WHERE name = 'figures.rebuild'")
  const projects = database.prepare('SELECT count(*) AS left FROM figure_projects')
  while (countOf(projects) === 0 || countOf(rebuilds) > 0) {
    database.exec('UPDATE figure_projects SET done_until = NULL')
    await Bun.sleep(500)
  }
  database.close()
  say('the figures of the seeded purchases are left out')
}

const countOf = (query: ReturnType<Database.Database['prepare']>): number =>
  Number((query.get([]) as { left: number }).left)

/** All purchases become those of a store product that the catalogue lacks, and nobody was told of an access. */
function makeWait(path: string): void {
  const database = new Database(path)
  const named = (column: string) => `${column} = replace(${column}, '${MONTHLY.productId}', '${LATER}')`
  database.exec(`UPDATE purchases SET product_id = NULL, store_product_id = '${LATER}', ${named('fold')}`)
  database.exec(`UPDATE purchase_observations SET ${named('payload')}`)
  database.exec(`UPDATE transactions SET product_id = NULL, store_product_id = '${LATER}'`)
  database.exec(`UPDATE subscribers SET told_access = '{}'`)
  // The project of the template has version 1 without having counted it.
  database.exec("INSERT INTO revisions VALUES ('config', 100) ON CONFLICT (name) DO UPDATE SET value = 100")
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

async function addProduct(
  ctx: Awaited<ReturnType<typeof createContext>>,
  by: { projectId: string; actor: typeof CLI_ACTOR },
  awaited: number,
): Promise<void> {
  const [access] = await ctx.db.select().from(ctx.tables.access)
  const product = { identifier: 'later', type: 'SUBSCRIPTION', displayName: 'Later', period: 'P1M' } as const
  const more = { storeIds: { ios: LATER }, accessIds: access ? [access.id] : [] }
  const { waitingPurchases } = await createProduct(ctx, by, { ...product, ...more })
  if (waitingPurchases < awaited) throw new Error(`${waitingPurchases} purchases waited`)
}

/** Purchases a second until none is left. */
async function linkRest({ say }: Plan, { waiting }: Stage): Promise<number> {
  const [startedAt, first] = [performance.now(), waiting()]
  while (waiting() > 0) await Bun.sleep(500)
  const perSecond = (first * 1000) / (performance.now() - startedAt)
  say(`relink of ${first} without receipts: ${Math.round(perSecond)} purchases/s`)
  return perSecond
}

interface Beside {
  before: Round
  meanwhile: Round
  linked: number
}

async function linkBeside({ template, seconds, say }: Plan, { server, edit, waiting }: Stage): Promise<Beside> {
  const chains = new Chains(template.keys)
  let turn = 0
  const posts = Array.from({ length: RECEIPTS }, () =>
    toPost({ template }, deviceOf(++turn), chains.sign(chains.buy())),
  )
  const next = once(posts)
  const round = () => runRound(server, { next, durationMs: seconds * 1000 })
  await round() // Warms up.
  const before = await round()
  say(`receipts alone: ${Math.round(before.perSecond)}/s`)
  const all = waiting()
  await edit()
  await Bun.sleep(FIRST_LOOK_MS)
  // Each look counts all that waits, so more of them would take the processor from the server.
  while (waiting() === all) await Bun.sleep(500)
  say('the relink has begun')
  const [startedAt, first] = [performance.now(), waiting()]
  const meanwhile = await round()
  const linked = ((first - waiting()) * 1000) / (performance.now() - startedAt)
  say(
    `beside receipts: ${Math.round(linked)} purchases/s; receipts ${Math.round(meanwhile.perSecond)}/s, without ${Math.round(before.perSecond)}/s`,
  )
  return { before, meanwhile, linked }
}
