import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { startCommit, startDryRun } from '../../src/moving/imports/admin'
import { findJob, type ImportJobRow } from '../../src/moving/imports/queries'
import { createImport } from '../../src/moving/imports/receive'
import { openRows } from '../../src/moving/imports/rows/open-rows'
import { performImport } from '../../src/moving/imports/work/perform'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { TEST_KEY } from '../support/context'
import { Peak } from './exports'
import { alternate, pieceRound, type Round } from './measure'
import type { Row } from './report'
import type { Template } from './template'

const SMALL_ROWS = 100_000

interface Plan {
  folder: string
  template: Template
  /** Rows of the larger file. */
  rows: number
  rounds: number
  say: (line: string) => void
}

/** Rows of a file of 44 columns a second: read, and written into an empty database; and the memory of both. */
export async function benchImports({ folder, template, rows, rounds, say }: Plan): Promise<Row[]> {
  const found: Row[] = []
  const memory: { read: number; written: number }[] = []
  for (const size of [SMALL_ROWS, rows]) {
    const own = join(folder, `imports-${size}`)
    mkdirSync(own)
    const database = join(own, 'svc.db')
    copyFileSync(template.path, database)
    const ctx = await createContext(readConfig({ SVC_DATA_DIR: own, SVC_MASTER_KEY: TEST_KEY }), { clock: systemClock })
    try {
      const measured = await measure(ctx, { own, size, projectId: template.project.id, rounds, say })
      found.push(...measured.rows)
      memory.push(measured.megabytes)
    } finally {
      await ctx.close()
      rmSync(own, { recursive: true })
    }
  }
  return [...found, ...(['read', 'written'] as const).map((what) => memoryRow(what, rows, memory))]
}

function memoryRow(what: 'read' | 'written', rows: number, memory: { read: number; written: number }[]): Row {
  const [small = 0, large = 0] = memory.map((one) => one[what])
  return {
    what: `import, ${grouped(rows)} rows ${what} (yardstick: ${grouped(SMALL_ROWS)}): memory at the most`,
    result: { value: large, unit: 'MB' },
    yardstick: { value: small, unit: 'MB' },
    aim: { of: 'ratio', is: 'at most', value: 1.5 },
  }
}

interface Stage {
  own: string
  size: number
  projectId: string
  rounds: number
  say: Plan['say']
}

async function measure(
  ctx: Context,
  stage: Stage,
): Promise<{ rows: Row[]; megabytes: { read: number; written: number } }> {
  const { own, size, projectId, rounds, say } = stage
  const path = join(own, 'history.csv')
  await writeHistory(path, size)
  const job = await upload(ctx, projectId, path)
  const reading = new Peak()
  const { read, plain } = await alternate<'read' | 'plain'>(rounds, {
    read: () => readRound(ctx, job),
    plain: () => plainRound(path, size),
  })
  const megabytes = { read: reading.end(), written: 0 }
  say(`import, ${size} rows read: ${Math.round(read.perSecond)} rows/s`)
  const writing = new Peak()
  const written = await commitRound(ctx, job)
  megabytes.written = writing.end()
  say(`import, ${size} rows written: ${Math.round(written)} rows/s`)
  const yardstick = { value: plain.perSecond, unit: 'rows/s' } as const
  const what = (done: string) => `import, ${grouped(size)} rows of 44 columns ${done} (yardstick: the bytes alone)`
  const readFigure = { value: read.perSecond, unit: 'rows/s' } as const
  const writtenFigure = { value: written, unit: 'rows/s' } as const
  return {
    megabytes,
    rows: [
      { what: what('read'), result: readFigure, yardstick, aim: null, rounds: read.rounds },
      { what: what('written'), result: writtenFigure, yardstick, aim: { of: 'result', is: 'at least', value: 20_000 } },
    ],
  }
}

async function upload(ctx: Context, projectId: string, path: string): Promise<ImportJobRow> {
  const file = Bun.file(path)
  const given = { fileName: 'history.csv', bytes: file.size, body: file.stream() }
  const { id } = await createImport(ctx, { projectId, actor: CLI_ACTOR }, given)
  return required(await findJob(ctx, projectId, id))
}

async function readRound(ctx: Context, job: ImportJobRow): Promise<Round> {
  const startedAt = performance.now()
  let rows = 0
  for await (const batch of openRows(ctx, job, null)) rows += batch.rows.length
  return pieceRound(rows, performance.now() - startedAt)
}

async function plainRound(path: string, rows: number): Promise<Round> {
  const startedAt = performance.now()
  let bytes = 0
  for await (const part of Bun.file(path).stream()) bytes += part.length
  return pieceRound(bytes > 0 ? rows : 0, performance.now() - startedAt)
}

/** Rows a second of the commit alone. The stores are not asked. */
async function commitRound(ctx: Context, { id, projectId }: ImportJobRow): Promise<number> {
  const by = { projectId, actor: CLI_ACTOR }
  const turn = { isStopping: () => false }
  ctx.state.importSteps = { ...ctx.state.importSteps, verifyJob: async () => 'COMPLETED' }
  await startDryRun(ctx, by, id, 'CALLER')
  await performImport(ctx, { projectId, jobId: id }, turn)
  await startCommit(ctx, by, id, 'CALLER')
  const startedAt = performance.now()
  await performImport(ctx, { projectId, jobId: id }, turn)
  const { status, counters, error } = required(await findJob(ctx, projectId, id))
  if (status !== 'COMPLETED') throw new Error(`the import ended as ${status}: ${error}`)
  return counters.rows / ((performance.now() - startedAt) / 1000)
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the import is not there')
  return value
}

export const HEADER =
  'rc_original_app_user_id,rc_last_seen_app_user_id_alias,country,country_source,product_identifier,product_display_name,product_duration,start_time,end_time,grace_period_end_time,effective_end_time,store,is_auto_renewable,is_trial_period,is_in_intro_offer_period,is_sandbox,price_in_usd,purchase_price_in_usd,takehome_percentage,tax_percentage,commission_percentage,store_transaction_id,original_store_transaction_id,refunded_at,unsubscribe_detected_at,billing_issues_detected_at,purchased_currency,price_in_purchased_currency,purchase_price_in_purchased_currency,entitlement_identifiers,renewal_number,is_trial_conversion,presented_offering,ownership_type,reserved_subscriber_attributes,custom_subscriber_attributes,platform,experiment_id,experiment_variant,updated_at,offer,offer_type,first_seen_time,auto_resume_time'

/** Every person has four months of one subscription. */
async function writeHistory(path: string, rows: number): Promise<void> {
  const writer = Bun.file(path).writer()
  writer.write(`${HEADER}\n`)
  for (let n = 0; n < rows; n++) writer.write(rowOf(Math.floor(n / 4), (n % 4) + 1))
  await writer.end()
}

function rowOf(person: number, period: number): string {
  const [start, end] = [`2026-0${period}-01 08:00:00`, `2026-0${period + 1}-01 08:00:00`]
  const transaction = 2_000_000_000_000_000 + person * 10
  return `user_${person},user_${person},US,from_sdk,pro.monthly,Pro Monthly,P1M,${start},${end},,${end},app_store,true,false,false,false,9.99,9.99,0.7,0,0.3,${transaction + period},${transaction + 1},,,,USD,9.99,9.99,"[""pro""]",${period},false,default,PURCHASED,"{""$email"": {""value"": ""u${person}@example.com"", ""updated_at_ms"": 1785000000000}}","{""tier"": {""value"": ""gold"", ""updated_at_ms"": 1785000000000}}",ios,,,${start},,,2026-01-01 08:00:00,\n`
}

const grouped = (count: number): string => count.toLocaleString('en')
