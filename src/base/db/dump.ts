import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** A stored value in the form that all drivers share: booleans are 0 and 1, JSON is its text. */
export type RawValue = string | number | null

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
  /** Every row of a table, in pages of about a megabyte. */
  pages(table: string): AsyncIterable<Page>
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

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** One line for each row: `{"t":table,"r":{column:value}}`. */
export function rowLines(table: string, { columns, rows }: Page): string {
  let text = ''
  for (const row of rows) {
    const record: Record<string, RawValue> = {}
    for (const [index, column] of columns.entries()) record[column] = row[index] ?? null
    text += `${JSON.stringify({ t: table, r: record })}\n`
  }
  return text
}

export interface Row {
  table: string
  record: Record<string, RawValue>
}

/** Parses a row. The line itself is not checked, because the hash of the whole file is. */
export function parseRow(line: string): Row {
  const { t, r } = JSON.parse(line) as { t: string; r: Record<string, RawValue> }
  return { table: t, record: r }
}

/** A driver's value in the form that all drivers share. Throws for a value that no column of the product holds. */
export function toRaw(value: unknown, table: string, column: string | undefined): RawValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new DumpError(`column ${column} of table ${table} holds a value that a backup cannot carry`)
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
