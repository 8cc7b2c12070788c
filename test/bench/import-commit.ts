import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { startCommit, startDryRun } from '../../src/moving/imports/admin'
import type { ImportJobRow } from '../../src/moving/imports/queries'
import { createImport } from '../../src/moving/imports/receive'
import { openRows } from '../../src/moving/imports/rows/open-rows'
import { commitRows } from '../../src/moving/imports/work/commit-rows'
import { takeJob } from '../../src/moving/imports/work/own-job'
import { performImport } from '../../src/moving/imports/work/perform'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { TEST_KEY } from '../support/context'
import { writeHistory } from './import-history'
import { makeTemplate } from './template'

const HELP = `bun test/bench/import-commit.ts [--rows N] [--scattered] [--plain]

Rows of a history a second, from the uploaded file to the committed batch, in this process and without a server.
--scattered  the rows of a person do not stand together
--plain      also writes the same rows as they are into an empty database`

/** Tables that an import fills. */
const TABLES = [
  ...['subscribers', 'purchases', 'purchase_observations', 'transactions', 'figure_entries'],
  ...['import_subscribers', 'import_purchases', 'import_anchors'],
]
const ROWS_AT_ONCE = 64

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000' },
      scattered: { type: 'boolean', default: false },
      plain: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const folder = mkdtempSync(join(tmpdir(), 'svc-import-commit-'))
  try {
    await measure(folder, Number(values.rows), values.scattered, values.plain)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(folder: string, size: number, isScattered: boolean, isPlain: boolean): Promise<void> {
  mkdirSync(join(folder, 'template'))
  const template = await makeTemplate(join(folder, 'template'))
  const own = join(folder, 'own')
  mkdirSync(own)
  copyFileSync(template.path, join(own, 'svc.db'))
  const ctx = await createContext(readConfig({ SVC_DATA_DIR: own, SVC_MASTER_KEY: TEST_KEY }), { clock: systemClock })
  try {
    const path = join(own, 'history.csv')
    const rows = await writeHistory(path, size, isScattered)
    const job = await runnableJob(ctx, template.project.id, path)
    await readAll(ctx, job, rows)
    await commitAll(ctx, job, rows)
  } finally {
    await ctx.close()
  }
  if (isPlain) writePlain(template.path, join(own, 'svc.db'), join(folder, 'plain.db'), size)
}

async function runnableJob(ctx: Context, projectId: string, path: string): Promise<ImportJobRow> {
  const file = Bun.file(path)
  const by = { projectId, actor: CLI_ACTOR }
  const { id } = await createImport(ctx, by, { fileName: 'history.csv', bytes: file.size, body: file.stream() })
  await startDryRun(ctx, by, id, 'CALLER')
  await performImport(ctx, { projectId, jobId: id }, { isStopping: () => false })
  await startCommit(ctx, by, id, 'CALLER')
  const job = await takeJob(ctx, projectId, id)
  if (job === null || job === 'HELD') throw new Error('the import is not there')
  return job
}

async function readAll(ctx: Context, job: ImportJobRow, rows: number): Promise<void> {
  const spent = stopwatch()
  for await (const _batch of openRows(ctx, job, null));
  say('read', rows, spent())
}

async function commitAll(ctx: Context, job: ImportJobRow, rows: number): Promise<void> {
  const turns: number[] = []
  const project = await ctx.state.projects.find(job.projectId)
  if (!project) throw new Error('the project is not there')
  const steps = ctx.state.importSteps
  const timed: typeof steps.commitBatch = async (...args) => {
    const startedAt = performance.now()
    const result = await steps.commitBatch(...args)
    turns.push(performance.now() - startedAt)
    return result
  }
  const spent = stopwatch()
  const memory: string[] = []
  let later = null as { rows: number; spent: ReturnType<typeof stopwatch> } | null
  const done = await commitRows(ctx, job, {
    steps: { ...steps, commitBatch: timed },
    project: async () => project,
    afterBatch: ({ counters }) => {
      if (counters.rows >= ((memory.length + 1) * rows) / TENTHS) memory.push(residentMegabytes())
      if (later === null && counters.rows >= rows / 2) later = { rows: rows - counters.rows, spent: stopwatch() }
      return new Promise(setImmediate)
    },
  })
  say('committed', rows, spent())
  if (later !== null) say('  the second half', later.rows, later.spent())
  const sorted = turns.toSorted((a, b) => a - b)
  const [median, longest] = [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
  console.log(
    `  ${turns.length} turns: median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms; resident MB along the way ${memory.join(' ')}; ${JSON.stringify(done.counters)}`,
  )
}

const TENTHS = 10

const residentMegabytes = (): string => String(Math.round(process.memoryUsage.rss() / 1e6))

/** The rows that the import has written, into a database that lacks them, with the same indexes and nothing else. */
function writePlain(template: string, imported: string, path: string, rows: number): void {
  copyFileSync(template, path)
  const source = new Database(imported)
  const target = new Database(path)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -16384', 'secure_delete = ON'])
    target.exec(`PRAGMA ${pragma}`)
  for (const table of TABLES) target.exec(`DELETE FROM ${table}`)
  const turns = Math.ceil(rows / 1000)
  const parts = TABLES.map((table) => partsOf(source, target, table, turns))
  let written = 0
  const perTable = TABLES.map(() => 0)
  const spent = stopwatch()
  for (let turn = 0; turn < turns; turn++) {
    target.exec('BEGIN IMMEDIATE')
    for (const [index, part] of parts.entries()) {
      const startedAt = performance.now()
      written += part(turn)
      perTable[index] = (perTable[index] ?? 0) + performance.now() - startedAt
    }
    target.exec('COMMIT')
  }
  say(`plain inserts of ${written} rows of ${TABLES.length} tables`, rows, spent())
  console.log(`  ${TABLES.map((table, index) => `${table} ${Math.round(perTable[index] ?? 0)} ms`).join(', ')}`)
  source.close()
  target.close()
}

function partsOf(source: Database.Database, target: Database.Database, table: string, turns: number) {
  const all = source.prepare(`SELECT * FROM ${table} ORDER BY rowid`).raw(true).all() as unknown[][]
  const width = all[0]?.length ?? 0
  const insertOf = (count: number) =>
    target.prepare(
      `INSERT INTO ${table} VALUES ${Array(count)
        .fill(`(${Array(width).fill('?').join()})`)
        .join()}`,
    )
  const many = insertOf(ROWS_AT_ONCE)
  const one = insertOf(1)
  const each = Math.ceil(all.length / turns)
  return (turn: number): number => {
    const rows = all.slice(turn * each, (turn + 1) * each)
    let at = 0
    for (; at + ROWS_AT_ONCE <= rows.length; at += ROWS_AT_ONCE) many.run(rows.slice(at, at + ROWS_AT_ONCE).flat())
    for (const row of rows.slice(at)) one.run(row)
    return rows.length
  }
}

interface Spent {
  ms: number
  cpuMs: number
  /** Of the thread that writes: without compilers and collectors of memory, which end or run beside it. */
  ownMs: number
}

function stopwatch(): () => Spent {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const ownBefore = ownCpuMs()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000, ownMs: ownCpuMs() - ownBefore }
  }
}

const TICK_MS = 10

/** Processor time of the main thread so far (Linux). */
function ownCpuMs(): number {
  const text = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
  const [user, system] = text.slice(text.lastIndexOf(')')).split(' ').slice(12)
  return (Number(user) + Number(system)) * TICK_MS
}

function say(what: string, rows: number, { ms, cpuMs, ownMs }: Spent): void {
  const rate = (spentMs: number) => Math.round((rows * 1000) / spentMs)
  console.log(
    `${what}: ${rate(ms)} rows/s; ${rate(cpuMs)} per second of processor time, ${rate(ownMs)} of its main thread; ${((ownMs * 1000) / rows).toFixed(1)} us each`,
  )
}

await main()
