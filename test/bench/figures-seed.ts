import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { DAY } from '../../src/base/lib/clock'
import { stage } from '../support/cast'
import { ONE_TIME, type Sold, SUBSCRIPTIONS, storeProductIdOf } from '../support/figures/catalog'
import type { History, Purchase } from '../support/figures/history'
import { type LifePlan, liveOf, type Step, soldOnce } from '../support/figures/life'
import { seedHistory } from '../support/figures/seed'

/** How long the history of the project is. */
export const DAYS = 1095
export const COUNTRIES =
  'US DE GB FR JP BR IN CA AU MX IT ES NL SE PL TR KR ID TH VN PH AR CL CO PE ZA NG EG AE SA IL CH AT BE DK FI'.split(
    ' ',
  )

/** A kind of customer: how often a product is charged. */
interface Pattern {
  product: string
  charges: number
  isOngoing: boolean
  isTrial: boolean
  isRefunded: boolean
}

const pattern = (product: string, charges: number, more: Partial<Pattern> = {}): Pattern => ({
  ...{ product, charges, isOngoing: false, isTrial: false, isRefunded: false },
  ...more,
})

const PATTERNS: readonly Pattern[] = [
  pattern('monthly', 1, { isTrial: true }),
  pattern('monthly', 2, { isRefunded: true }),
  pattern('monthly', 4, { isTrial: true }),
  pattern('monthly_plus', 8, { isOngoing: true }),
  pattern('monthly', 14),
  pattern('monthly', 22, { isOngoing: true, isTrial: true }),
  pattern('monthly_plus', 34, { isOngoing: true }),
  pattern('weekly', 6),
  pattern('weekly', 20, { isTrial: true }),
  pattern('weekly', 44, { isOngoing: true }),
  pattern('quarterly', 3),
  pattern('quarterly', 7, { isOngoing: true }),
  pattern('yearly', 1, { isRefunded: true }),
  pattern('yearly', 2),
  pattern('yearly', 3, { isOngoing: true, isTrial: true }),
  pattern('monthly', 0, { isTrial: true }),
  pattern('coins', 1),
  pattern('lifetime', 1),
]

const STORES = ['IOS_STORE', 'ANDROID_STORE', 'PAYMENT'] as const

interface Kind {
  purchase: Purchase
  /** Days that its copies can begin later, and the least. */
  shift: { least: number; most: number }
}

/**
 * Fills a folder's database with purchases of three years: the product itself writes one purchase of each kind, and the
 * database copies its rows with other names, times and countries. The rows of entries are in the order of the news.
 */
export async function seedFigures(
  folder: string,
  purchases: number,
  now: number,
  say: (line: string) => void,
): Promise<{ projectId: string; publicKey: string; secretKey: string }> {
  const start = now - DAYS * DAY
  const s = await stage({ now: start - DAY })
  const kinds = STORES.flatMap((store) => PATTERNS.map((one, index) => kindOf(store, one, index, start)))
  const history: History = { timezone: 'UTC', rates: [], purchases: kinds.map(({ purchase }) => purchase) }
  const { purchases: ids } = await seedHistory(s, history, { together: 1 })
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'svc.db')
  rmSync(path, { force: true })
  const source = new Database(join(s.ctx.config.dataDir, 'svc.db'))
  source.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  source.close()
  copyFileSync(join(s.ctx.config.dataDir, 'svc.db'), path)
  const { id: projectId, publicKey, secretKey } = s.project
  await s.close()
  const database = new Database(path)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -2000000', 'temp_store = FILE'])
    database.exec(`PRAGMA ${pragma}`)
  copyKinds(
    database,
    kinds.map(({ purchase, shift }) => ({ id: ids.get(purchase.id) ?? '', shift })),
    purchases,
    say,
  )
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
  return { projectId, publicKey, secretKey }
}

function kindOf(store: (typeof STORES)[number], one: Pattern, index: number, start: number): Kind {
  const sold = [...SUBSCRIPTIONS, ...ONE_TIME].find(({ identifier }) => identifier === one.product) as Sold
  const period = sold.days ?? 0
  const trial = one.isTrial ? 7 : 0
  const id = `pur_${store}_${String(index).padStart(3, '0')}`
  const plan: LifePlan = {
    ...{
      name: `9${STORES.indexOf(store)}${String(index).padStart(4, '0')}`,
      store,
      currency: 'USD',
      start,
      product: sold,
    },
    ...{
      first: one.isTrial ? ('TRIAL' as const) : ('PAID' as const),
      isShared: false,
      delay: 4000,
      steps: stepsOf(one),
    },
  }
  const lastCharge = trial + Math.max(0, one.charges - 1) * period
  const least = one.isOngoing ? DAYS - lastCharge - period + 1 : 1
  const most = one.isOngoing ? DAYS - lastCharge - 1 : DAYS - lastCharge - period - 12
  const observations = sold.type === 'SUBSCRIPTION' ? liveOf(plan) : soldOnce(plan)
  const purchase: Purchase = {
    ...{ id, subscriberId: `kind_${store}_${index}`, store, environment: 'PRODUCTION', productType: sold.type },
    ...{ storeProductId: storeProductIdOf(store, sold), productPeriod: sold.period, country: 'US', platform: null },
    observations: observations.map((one, number) => ({ ...one, id: `${id} ${number}` })),
  }
  return { purchase, shift: { least: Math.max(0, least), most: Math.max(1, most) } }
}

function stepsOf({ charges, isTrial, isRefunded, isOngoing }: Pattern): Step[] {
  const base = { gap: 0, isEarlier: false, product: 1, delay: 4000, lag: 0, again: null }
  const renewals = Math.max(0, charges - (isTrial ? 0 : 1))
  return [
    ...Array.from({ length: renewals }, (): Step => ({ ...base, step: 'RENEW' })),
    ...(isRefunded ? [{ ...base, step: 'REFUND' as const, gap: 3 }] : []),
    ...(isOngoing || renewals === 0 ? [] : [{ ...base, step: 'CANCEL' as const, gap: 2 }]),
  ]
}

interface Copied {
  id: string
  shift: { least: number; most: number }
}

type Say = (line: string) => void

function copyKinds(database: Database.Database, kinds: readonly Copied[], purchases: number, say: Say): void {
  const each = Math.floor(purchases / kinds.length)
  database.exec('CREATE TEMP TABLE copies (i INTEGER PRIMARY KEY, kind TEXT, shift INTEGER, country TEXT)')
  const countries = `substr('${COUNTRIES.join('')}', 1 + 2 * ((i * 7919 + i / 11) % ${COUNTRIES.length}), 2)`
  database.exec('BEGIN')
  for (const [index, { id, shift }] of kinds.entries()) {
    // Golden ratio: evenly spread, in no order.
    const days = `(${shift.least} + (${shift.most} - ${shift.least}) * ((i * 0.6180339887498949) - cast(i * 0.6180339887498949 as integer)))`
    database.exec(`WITH RECURSIVE n(i) AS (SELECT ${index * each + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ${(index + 1) * each})
      INSERT INTO copies SELECT i, '${id}', cast(${days} * ${DAY} as integer), ${countries} FROM n`)
  }
  database.exec('COMMIT')
  for (const { table, kind, texts, times } of TABLES) copyTable(database, { table, kind, texts, times }, say)
  copyEntries(database, say)
}

interface CopiedTable {
  table: string
  /** The column with the id of the purchase, as SQL. */
  kind: string
  texts: readonly string[]
  times: readonly string[]
}

const TABLES: readonly CopiedTable[] = [
  {
    table: 'subscribers',
    kind: '(SELECT p.id FROM main.purchases p WHERE p.subscriber_id = r.id)',
    texts: ['id', 'device_key', 'app_user_id'],
    times: ['created_at', 'updated_at'],
  },
  {
    table: 'purchases',
    kind: 'r.id',
    texts: ['id', 'subscriber_id', 'chain_key', 'original_transaction_id'],
    times: ['effective_end', 'created_at', 'updated_at'],
  },
  {
    table: 'transactions',
    kind: 'r.purchase_id',
    texts: ['id', 'purchase_id', 'subscriber_id', 'revenue_key', 'store_transaction_id'],
    times: ['occurred_at', 'created_at'],
  },
]

const columnsOf = (database: Database.Database, table: string): string[] =>
  (database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[]).map(
    ({ name }) => name,
  )

/** A column of a copy: ids with the number behind, times later. */
const copied = (name: string, texts: readonly string[], times: readonly string[]): string => {
  if (texts.includes(name)) return `r.${name} || '-' || c.i`
  if (!times.includes(name)) return name === 'sweep_at' || name === 'recheck_at' ? 'NULL' : `r.${name}`
  return `CASE WHEN r.${name} > 8000000000000000 THEN r.${name} ELSE r.${name} + c.shift END`
}

/** Fills a table without its indexes, and creates them afterwards. */
function withoutIndexes(database: Database.Database, table: string, fill: () => void): void {
  const indexes = database
    .prepare(`SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`)
    .all([table]) as { name: string; sql: string }[]
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`)
  fill()
  for (const { sql } of indexes) database.exec(sql)
}

function copyTable(database: Database.Database, { table, kind, texts, times }: CopiedTable, say: Say): void {
  const columns = columnsOf(database, table)
  database.exec(`CREATE TEMP TABLE kind_${table} AS SELECT ${kind} AS kind_of, r.* FROM main.${table} r`)
  database.exec(`CREATE INDEX temp.kind_${table}_of ON kind_${table} (kind_of)`)
  withoutIndexes(database, table, () => {
    database.exec('BEGIN')
    database.exec(`INSERT INTO main.${table} (${columns.join()}) SELECT ${columns.map((name) => copied(name, texts, times)).join()}
      FROM copies c CROSS JOIN kind_${table} r ON r.kind_of = c.kind`)
    database.exec('COMMIT')
  })
  say(`${table}: ${countOf(database, table)}`)
}

export const countOf = (database: Database.Database, table: string): number =>
  (database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count

function copyEntries(database: Database.Database, say: Say): void {
  const columns = columnsOf(database, 'figure_entries').filter((name) => name !== 'position')
  database.exec('CREATE TEMP TABLE kind_entries AS SELECT r.* FROM main.figure_entries r')
  database.exec('CREATE INDEX temp.kind_entries_of ON kind_entries (purchase_id)')
  database.exec(`CREATE TEMP TABLE ordered AS SELECT r.rowid AS row, c.i AS i, c.shift AS shift, c.country AS country
    FROM copies c CROSS JOIN kind_entries r ON r.purchase_id = c.kind ORDER BY r.known_at + c.shift`)
  say('entries are in the order of the news')
  const sourceOf = (name: string): string =>
    name === 'country'
      ? 'c.country'
      : copied(name, ['purchase_id', 'transaction_id'], ['at', 'known_at', 'pending_until'])
  withoutIndexes(database, 'figure_entries', () => {
    database.exec('BEGIN')
    database.exec(`INSERT INTO main.figure_entries (${columns.join()}) SELECT ${columns.map(sourceOf).join()}
      FROM ordered c CROSS JOIN kind_entries r ON r.rowid = c.row ORDER BY c.rowid`)
    database.exec('COMMIT')
    say('entries are written')
  })
  database.exec('DROP TABLE temp.ordered')
  say(`entries: ${countOf(database, 'figure_entries')}`)
}
