import { toIso } from '../lib/time'
import { DumpError, type DumpHeader, headerLine, rowLines, type TableReader } from './dump'
import { writeDumpFile } from './dump-file'
import { tablesOf } from './dump-tables'
import type { Storage } from './handle'

export interface WriteOptions {
  /** Version of this svc. */
  version: string
  now: number
  signal: AbortSignal
  /** Goes into the header: who was erased, as keyed hashes. */
  erased?: readonly object[]
  /** Written to the header: an archive of stored files belongs to this dump. */
  hasFiles?: boolean
  onRows: (done: number, total: number) => void
}

export interface Written {
  rows: number
  bytes: number
}

const MIGRATIONS = 'svc_migrations'

/** Writes one consistent state of all tables into a file. Others can read and write meanwhile. Throws a `DumpError`. */
export async function writeDump(storage: Storage, path: string, options: WriteOptions): Promise<Written> {
  return storage.snapshot(async (reader) => {
    const header = await readHeader(reader, tablesOf(storage.migrations), options)
    const bytes = await writeDumpFile(path, lines(reader, header, options), options.signal)
    return { rows: totalRows(header), bytes }
  })
}

type Facts = Parameters<typeof headerLine>[0]

async function readHeader(reader: TableReader, known: readonly string[], options: WriteOptions): Promise<Facts> {
  const there = await reader.tableNames()
  if (!there.includes(MIGRATIONS)) throw new DumpError('the database was never set up, so there is nothing to back up')
  const counts: Record<string, number> = {}
  for (const table of known) if (there.includes(table)) counts[table] = await reader.count(table)
  return {
    version: options.version,
    createdAt: toIso(options.now),
    migrations: await readTags(reader),
    counts,
    serials: await reader.serials(),
    erased: [...(options.erased ?? [])],
    ...(options.hasFiles === true && { hasFiles: true }),
  }
}

export async function readTags(reader: TableReader): Promise<string[]> {
  const tags: string[] = []
  for await (const { columns, rows } of reader.pages(MIGRATIONS))
    for (const row of rows) tags.push(String(row[columns.indexOf('tag')]))
  return tags.sort()
}

async function* lines(reader: TableReader, header: Facts, { onRows }: WriteOptions): AsyncGenerator<string> {
  const total = totalRows(header)
  let done = 0
  yield headerLine(header)
  for (const table of Object.keys(header.counts)) {
    for await (const page of reader.pages(table)) {
      yield rowLines(table, page)
      done += page.rows.length
      onRows(done, total)
    }
  }
}

export const totalRows = ({ counts }: Pick<DumpHeader, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
