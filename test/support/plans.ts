import { spyOn } from 'bun:test'
import { sql } from 'drizzle-orm'
import { LibSQLSession } from 'drizzle-orm/libsql'
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Context } from '../../src/base/context'

/** One step of a statement's plan that reads a table. */
export interface Step {
  table: string
  /** Whether the step reads all rows (or the whole index). */
  isScan: boolean
  /** Names of the columns that limit the rows. */
  by: string[]
}

/** Collects the text of every statement that is built from now on, each once, until `stop`. */
export function recordStatements(): { statements: Set<string>; stop(): void } {
  const statements = new Set<string>()
  const watch = (session: { prepareQuery(...args: never[]): unknown }) => {
    const real = session.prepareQuery
    return spyOn(session, 'prepareQuery').mockImplementation(function (this: unknown, ...args: never[]) {
      statements.add((args as unknown as [{ sql: string }])[0].sql)
      return real.apply(this, args)
    })
  }
  const spies = [watch(LibSQLSession.prototype as never), watch(PostgresJsSession.prototype as never)]
  const stop = () => {
    for (const spy of spies) spy.mockRestore()
  }
  return { statements, stop }
}

/** Whether the statement reads or writes rows, so that a database can show a plan for it. */
const hasPlan = (statement: string): boolean => /^(with|select|insert|update|delete)\b/i.test(statement)

/** The plan of the context's database for each statement, with any values. */
export async function explain(ctx: Context, statements: Iterable<string>): Promise<Map<string, Step[]>> {
  const queries = [...statements].filter(hasPlan)
  return ctx.storage.driver === 'postgres' ? explainPostgres(ctx, queries) : explainSqlite(ctx, queries)
}

async function explainSqlite({ db }: Context, statements: readonly string[]): Promise<Map<string, Step[]>> {
  const plans = new Map<string, Step[]>()
  for (const statement of statements) {
    const rows = await db.values<[number, number, number, string]>(sql.raw(`EXPLAIN QUERY PLAN ${statement}`))
    plans.set(
      statement,
      rows.flatMap(([, , , detail]) => readSqlite(detail)),
    )
  }
  return plans
}

/** `SEARCH p USING INDEX x (a=? AND b>?)`, `SCAN p`. */
function readSqlite(detail: string): Step[] {
  const [, how, name = '', columns = ''] = /^(SEARCH|SCAN) (\w+)(?:[^(]*\((.*)\))?/.exec(detail) ?? []
  if (how === undefined) return []
  const by = [...columns.matchAll(/(\w+)[=<>]/g)].map(([, column = '']) => column)
  return [{ table: name, isScan: how === 'SCAN', by }]
}

/** Plans for any values, with the present statistics of the tables. */
async function explainPostgres({ config }: Context, statements: readonly string[]): Promise<Map<string, Step[]>> {
  const url = config.database.kind === 'postgres' ? config.database.url : ''
  const client = postgres(url, { max: 1, onnotice: () => {} })
  const plans = new Map<string, Step[]>()
  try {
    await client.unsafe('analyze; set plan_cache_mode = force_generic_plan')
    for (const [index, statement] of statements.entries()) plans.set(statement, await plan(client, index, statement))
  } finally {
    await client.end()
  }
  return plans
}

async function plan(client: postgres.Sql, index: number, statement: string): Promise<Step[]> {
  const numbers = [...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  const count = Math.max(0, ...numbers)
  await client.unsafe(`prepare asked_${index} as ${statement}`)
  const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`
  const [row] = await client.unsafe(`explain (format json) execute asked_${index}${values}`)
  return readPostgres(row?.['QUERY PLAN'][0].Plan)
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: PlanNode[]
}

function readPostgres(node: PlanNode): Step[] {
  const table = node['Relation Name']
  const condition = node['Index Cond'] ?? node['Recheck Cond'] ?? ''
  const by = [...condition.matchAll(/\b([a-z_]+)"? [=<>]/g)].map(([, column = '']) => column)
  const own = table === undefined || !/Scan$/.test(node['Node Type']) ? [] : [{ table, isScan: by.length === 0, by }]
  return [...own, ...(node.Plans ?? []).flatMap(readPostgres)]
}

/** The columns of a table that need a new value in each copy of a row. */
type Copied = Record<string, readonly string[]>

/** Every table that grows with the number of subscribers, with the columns that must differ between two rows. */
export const GROWING: Copied = {
  subscribers: ['id', 'device_key', 'app_user_id', 'merged_into'],
  purchases: ['id', 'subscriber_id', 'chain_key', 'original_transaction_id', 'account_token'],
  purchase_observations: ['purchase_id'],
  transactions: ['id', 'purchase_id', 'subscriber_id', 'revenue_key'],
  ledger: ['id', 'subscriber_id', 'grant_reference', 'idempotency_key'],
  balances: ['subscriber_id'],
  events: ['id', 'subscriber_id', 'position'],
  store_events: ['id', 'notification_id'],
  refund_shield_responses: ['id', 'notification_id', 'transaction_id'],
  transfers: ['id', 'from_subscriber_id', 'to_subscriber_id'],
  idempotency_keys: ['scope'],
  experiment_assignments: ['subscriber_id'],
  experiment_events: ['subscriber_id', 'position'],
}

/** Postgres chooses plans by its statistics, so this makes many copies of all rows. SQLite plans without statistics. */
export async function multiplyRows(ctx: Context, copies: number): Promise<void> {
  if (ctx.storage.driver !== 'postgres') return
  await ctx.storage.bulk(async (writer) => {
    for (const [table, columns] of Object.entries(GROWING)) {
      const changes = columns.map((column) =>
        column === 'position' ? "'position', -n * 100000 - p.position" : `'${column}', p.${column} || '-' || n`,
      )
      const row = `jsonb_populate_record(p, jsonb_build_object(${changes.join(', ')}))`
      // A merge chain is found through an index only when most rows belong to no chain.
      const times = table === 'subscribers' ? copies * 10 : copies
      await writer.run(`insert into ${table} select (${row}).* from ${table} p, generate_series(1, ${times}) n`)
    }
  })
}
