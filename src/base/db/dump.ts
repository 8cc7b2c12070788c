import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { isInt64, parseExact, type RawJson, toJsonInteger } from '../lib/int64'
import { parseJson } from '../lib/json'

/**
 * A stored value in the form that all drivers share: booleans are 0 and 1, JSON is its text. An integer beyond
 * ±(2^53−1) is a `bigint`.
 */
export type RawValue = string | number | bigint | null

/** Rows of one table. Their values are in the order of the columns. */
export interface Page {
  columns: readonly string[]
  rows: readonly RawValue[][]
}

/** Reads one consistent state of the database while others write. */
export interface TableReader {
  /** Every table in the database, also tables that are not of this product. */
  tableNames(): Promise<string[]>
  count(table: string): Promise<number>
  /** By table, the highest number that its serial key has given. */
  serials(): Promise<Record<string, number>>
  /** The rows of a table, in pages of about a megabyte. With a condition in SQL only those that it is true for. */
  pages(table: string, where?: string): AsyncIterable<Page>
  /** The few rows of a query. */
  rows(statement: string): Promise<unknown[][]>
}

/** Writes very many rows in one transaction. */
export interface TableWriter {
  tableNames(): Promise<string[]>
  isEmpty(table: string): Promise<boolean>
  /** Runs a statement without parameters. */
  run(statement: string): Promise<void>
  insert(table: string, page: Page): Promise<void>
  /** Called once at the end. Serial keys then continue after these numbers. */
  finish(tables: readonly string[], serials: Readonly<Record<string, number>>): Promise<void>
}

/** A backup cannot be written or used. The message says why in one sentence. */
export class DumpError extends Error {}

const FORMAT = 'svc-backup'
const FORMAT_VERSION = 1

const Count = Type.Integer({ minimum: 0 })

const HeaderSchema = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Integer(),
  /** Version of the svc that wrote the backup. */
  version: Type.String(),
  createdAt: Type.String(),
  migrations: Type.Array(Type.String()),
  /** Number of rows by table. */
  counts: Type.Record(Type.String(), Count),
  serials: Type.Record(Type.String(), Count),
  /** Keyed hashes of the people who were erased until then, for a deployment that lost its own list of them. */
  erased: Type.Optional(Type.Array(Type.Unknown())),
  /** An archive of stored files belongs to this dump. */
  hasFiles: Type.Optional(Type.Boolean()),
})

const FooterSchema = Type.Object({ rows: Count, sha256: Type.String() })

export type DumpHeader = Static<typeof HeaderSchema>

/** The last line of a backup: totals, and the SHA-256 of all lines before it. */
export type DumpFooter = Static<typeof FooterSchema>

export function headerLine(facts: Omit<DumpHeader, 'format' | 'formatVersion'>): string {
  return `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...facts })}\n`
}

export const footerLine = (footer: DumpFooter): string => `${JSON.stringify(footer)}\n`

/** Parses the first line of a backup. Throws a `DumpError` when it is not a header or has a later format. */
export function parseHeader(line: string): DumpHeader {
  const header = parseJson(line)
  if (!Value.Check(HeaderSchema, header)) throw new DumpError('it is not a backup of svc')
  if (header.formatVersion > FORMAT_VERSION)
    throw new DumpError(`svc ${header.version} made it in a newer format; restore it with that version`)
  return header
}

/** Parses the last line of a backup. Null when it is not a footer. */
export function parseFooter(line: string): DumpFooter | null {
  const footer = parseJson(line)
  return Value.Check(FooterSchema, footer) ? footer : null
}

/** One line for each row: `{"t":table,"r":{column:value}}`. */
export function rowLines(table: string, { columns, rows }: Page): string {
  let text = ''
  for (const row of rows) {
    text += `${JSON.stringify({ t: table, r: toRecord(columns, row) })}\n`
  }
  return text
}

/** A row as a JSON object. */
export const toRecord = (columns: readonly string[], row: readonly RawValue[]): Record<string, unknown> =>
  Object.fromEntries(columns.map((column, index) => [column, toJson(row[index] ?? null)]))

const toJson = (value: RawValue): unknown => (typeof value === 'bigint' ? toJsonInteger(value) : value)

export interface Row {
  table: string
  record: Record<string, RawValue>
}

/** Parses a row. The line itself is not checked, because the hash of the whole file is. */
export function parseRow(line: string): Row {
  const { t, r } = parseExact(line) as { t: string; r: Record<string, RawValue | RawJson> }
  return { table: t, record: Object.fromEntries(Object.entries(r).map(([column, value]) => [column, fromJson(value)])) }
}

/** A 64-bit integer, or a large number of another kind, which is written without a point too. */
function fromJson(value: RawValue | RawJson): RawValue {
  if (!JSON.isRawJSON(value)) return value
  const integer = BigInt(value.rawJSON)
  return isInt64(integer) ? integer : Number(integer)
}

/** A driver's value in the form that all drivers share. Throws for a value that no column of the product holds. */
export function toRaw(value: unknown, table: string, column: string | undefined): RawValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'bigint') return value
  throw new DumpError(`column ${column} of table ${table} holds a value that a backup cannot carry`)
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
