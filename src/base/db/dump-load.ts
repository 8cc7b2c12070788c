import { sql } from 'drizzle-orm'
import {
  DumpError,
  type DumpHeader,
  type Page,
  parseHeader,
  parseRow,
  quoteName,
  type RawValue,
  type Row,
  type TableWriter,
} from './dump'
import { type ReadOptions, readDumpFile } from './dump-file'
import { functionsOf, tablesOf } from './dump-tables'
import { isBusy } from './errors'
import type { Storage } from './handle'
import { migrate, migrationStatus } from './migrate'

/** Tables that a server writes to without any request, so their rows do not matter. */
const HOUSEKEEPING = ['jobs', 'cron_runs']

/** Reads a whole backup, so that nothing is written from an incomplete one. Throws a `DumpError`. */
export async function checkDump(path: string, options: ReadOptions): Promise<DumpHeader> {
  let header: DumpHeader | undefined
  await readDumpFile(
    path,
    (block) => {
      header ??= parseHeader(block.subarray(0, block.indexOf(10)).toString())
    },
    options,
  )
  if (header === undefined) throw new DumpError('it is not a backup of svc')
  return header
}

export interface LoadOptions {
  signal: AbortSignal
  onRows: (done: number) => void
}

/**
 * Fills an empty database from a checked backup, all rows in one transaction. The database then has the migrations of
 * the backup; `migrate` applies the newer ones. An interruption leaves the database empty. Throws a `DumpError`.
 */
export async function loadDump(
  storage: Storage,
  path: string,
  header: DumpHeader,
  options: LoadOptions,
): Promise<void> {
  refuseNewer(storage, header)
  await prepare(storage, header)
  const older = storage.migrations.filter(({ tag }) => header.migrations.includes(tag))
  await migrate(storage, older)
  await patiently(() => storage.bulk((writer) => fill(storage, writer, path, header, options)))
  // All rows are in the write-ahead log. Without this, the first commit of the server would have to copy them.
  if (storage.driver === 'file') await storage.db.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
}

/** Throws a `DumpError` where `loadDump` would refuse the database. Writes nothing. */
export async function assertLoadable(storage: Storage, header: DumpHeader): Promise<void> {
  refuseNewer(storage, header)
  await patiently(() => storage.bulk((writer) => assertEmpty(storage, writer)))
}

function refuseNewer(storage: Storage, { migrations, version }: DumpHeader): void {
  const known = storage.migrations.map(({ tag }) => tag)
  const stranger = migrations.find((tag) => !known.includes(tag))
  if (stranger === undefined) return
  throw new DumpError(
    `svc ${version} made it with migration ${stranger}, which this svc does not know; restore it with svc ${version} or newer`,
  )
}

/** Throws when rows would be lost. Drops the empty tables of a newer schema, so that the backup's can be created. */
async function prepare(storage: Storage, header: DumpHeader): Promise<void> {
  const applied = (await migrationStatus(storage)).filter(({ isApplied }) => isApplied)
  const isNewer = applied.some(({ tag }) => !header.migrations.includes(tag))
  await patiently(() =>
    storage.bulk(async (writer) => {
      await assertEmpty(storage, writer)
      if (isNewer) await dropTables(storage, writer)
    }),
  )
}

async function dropTables(storage: Storage, writer: TableWriter): Promise<void> {
  const cascade = storage.driver === 'postgres' ? ' cascade' : ''
  for (const table of tablesOf(storage.migrations))
    await writer.run(`drop table if exists ${quoteName(table)}${cascade}`)
  for (const name of functionsOf(storage.migrations))
    await writer.run(`drop function if exists ${quoteName(name)}${cascade}`)
  await writer.run('delete from svc_migrations')
}

/** Throws when a table of the product has rows that may be needed. */
async function assertEmpty(storage: Storage, writer: TableWriter): Promise<void> {
  const there = await writer.tableNames()
  for (const table of ['projects', ...tablesOf(storage.migrations)]) {
    if (!there.includes(table) || HOUSEKEEPING.includes(table) || (await writer.isEmpty(table))) continue
    const what = table === 'projects' ? 'it has projects already' : `there are rows in its table ${table}`
    throw new DumpError(`the database is not empty (${what}); only an empty one is filled, nothing is overwritten`)
  }
}

async function fill(
  storage: Storage,
  writer: TableWriter,
  path: string,
  header: DumpHeader,
  { signal, onRows }: LoadOptions,
): Promise<void> {
  await assertEmpty(storage, writer)
  const there = await writer.tableNames()
  for (const table of HOUSEKEEPING) if (there.includes(table)) await writer.run(`delete from ${quoteName(table)}`)
  const loader = new Loader(writer, there, onRows)
  await readDumpFile(path, (block) => loader.take(block), { signal })
  await loader.flush()
  signal.throwIfAborted()
  await writer.finish(Object.keys(header.counts), header.serials)
}

const BATCH_ROWS = 500
const BATCH_CHARACTERS = 2_000_000

/** Collects rows of a table and inserts them in batches. */
class Loader {
  private waiting: Row[] = []
  private characters = 0
  private done = 0
  private isFirst = true

  constructor(
    private readonly writer: TableWriter,
    private readonly there: readonly string[],
    private readonly onRows: (done: number) => void,
  ) {}

  async take(block: Buffer): Promise<void> {
    const lines = block
      .toString()
      .split('\n')
      .slice(this.isFirst ? 1 : 0, -1)
    this.isFirst = false
    for (const line of lines) {
      const row = parseRow(line)
      if (row.table !== this.waiting[0]?.table || this.isFull()) await this.flush()
      this.waiting.push(row)
      this.characters += line.length
    }
  }

  async flush(): Promise<void> {
    const [first] = this.waiting
    if (!first) return
    if (!this.there.includes(first.table)) throw new DumpError(`the database has no table ${first.table}`)
    await this.writer.insert(first.table, toPage(first, this.waiting)).catch((error) => explain(first.table, error))
    this.done += this.waiting.length
    this.waiting = []
    this.characters = 0
    this.onRows(this.done)
  }

  private isFull(): boolean {
    return this.waiting.length >= BATCH_ROWS || this.characters >= BATCH_CHARACTERS
  }
}

function explain(table: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new DumpError(`a row of the table ${table} cannot be stored (${reason})`, { cause: error })
}

function toPage(first: Row, rows: readonly Row[]): Page {
  const columns = Object.keys(first.record)
  return { columns, rows: rows.map(({ record }) => columns.map((column): RawValue => record[column] ?? null)) }
}

const PATIENCE_MS = 10_000
const PAUSE_MS = 50

/** Waits while the file is locked, because another process may be writing to it when the transaction starts. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || waitedMs >= PATIENCE_MS) throw error
      await Bun.sleep(PAUSE_MS)
    }
  }
}
