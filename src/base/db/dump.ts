import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** A stored value in the form that all drivers share: booleans are 0 and 1, JSON is its text. */
export type RawValue = string | number | null

/** Rows of one table, their values in the order of the columns. */
export interface Page {
  columns: readonly string[]
  rows: readonly RawValue[][]
}

/** One consistent state of the database, while others write. */
export interface TableReader {
  /** Every table there is, whoever made it. */
  tableNames(): Promise<string[]>
  count(table: string): Promise<number>
  /** By table, the highest number that its serial key has handed out. */
  serials(): Promise<Record<string, number>>
  /** Every row; a page holds about a megabyte. */
  pages(table: string): AsyncIterable<Page>
}

/** One transaction for very many rows. */
export interface TableWriter {
  tableNames(): Promise<string[]>
  isEmpty(table: string): Promise<boolean>
  /** Runs a statement without parameters. */
  run(statement: string): Promise<void>
  insert(table: string, page: Page): Promise<void>
  /** Called once at the end: serial keys go on after these numbers. */
  finish(tables: readonly string[], serials: Readonly<Record<string, number>>): Promise<void>
}

/** A backup that cannot be written or used; one sentence that says why. */
export class DumpError extends Error {}

const FORMAT = 'svc-backup'
const FORMAT_VERSION = 1

const Count = Type.Integer({ minimum: 0 })

const HeaderSchema = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Integer(),
  /** Of the svc that made it. */
  version: Type.String(),
  createdAt: Type.String(),
  migrations: Type.Array(Type.String()),
  /** Rows by table. */
  counts: Type.Record(Type.String(), Count),
  serials: Type.Record(Type.String(), Count),
})

const FooterSchema = Type.Object({ rows: Count, sha256: Type.String() })

export type DumpHeader = Static<typeof HeaderSchema>

/** Totals, and the SHA-256 of every line before this one. */
export type DumpFooter = Static<typeof FooterSchema>

export function headerLine(facts: Omit<DumpHeader, 'format' | 'formatVersion'>): string {
  return `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...facts })}\n`
}

export const footerLine = (footer: DumpFooter): string => `${JSON.stringify(footer)}\n`

/** The first line of a backup; throws a `DumpError` when it is none or of a later format. */
export function parseHeader(line: string): DumpHeader {
  const header = parseJson(line)
  if (!Value.Check(HeaderSchema, header)) throw new DumpError('it is not a backup of svc')
  if (header.formatVersion > FORMAT_VERSION)
    throw new DumpError(`svc ${header.version} made it in a newer format; restore it with that version`)
  return header
}

/** The last line, or null when it is not a footer. */
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

/** A line per row: `{"t":table,"r":{column:value}}`. */
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

/** A row from its line. The hash of the file is checked, so the line is not. */
export function parseRow(line: string): Row {
  const { t, r } = JSON.parse(line) as { t: string; r: Record<string, RawValue> }
  return { table: t, record: r }
}

/** A driver's value in the form that all drivers share; throws for what no column of ours holds. */
export function toRaw(value: unknown, table: string, column: string | undefined): RawValue {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new DumpError(`column ${column} of table ${table} holds a value that a backup cannot carry`)
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
