import { Column, type DriverValueDecoder, DrizzleQueryError, is, Param, Placeholder, SQL } from 'drizzle-orm'
import type { Row } from './connection'

/** What drizzle hands to its driver for a prepared query; the parts that are used here. */
interface QueryText {
  sql: string
  params: unknown[]
}
interface SelectedField {
  path: string[]
  field: unknown
}
type Values = Record<string, unknown>

/** A prepared query of drizzle. */
interface PreparedQuery {
  execute(values?: Values): Promise<unknown>
  /**
   * Of an insert of many rows, whose placeholders are named by column and number of the row: the same with the rows
   * themselves. Absent where the driver needs the values by name.
   */
  executeRows?(rows: readonly Values[]): Promise<unknown>
  /** The same with at most one row as result, or by itself; see `executeOne` and `executeAlone`. */
  executeOne?(values: Values): Promise<unknown>
  executeAlone?(values: Values): Promise<unknown>
}
type PrepareQuery = (
  query: QueryText,
  fields: SelectedField[] | undefined,
  method: string,
  isInArrays: boolean,
  mapper?: unknown,
  ...rest: unknown[]
) => PreparedQuery

/** The part of drizzle's session where queries are prepared; a query that is used once comes in another way. */
export interface QuerySession {
  prepareQuery: PrepareQuery
  prepareOneTimeQuery: PrepareQuery
}

/** `ONE`: it has at most one row. `ALONE`: a read that need not show the same state as other reads. */
export type Manner = 'ONE' | 'ALONE'

/** Runs a statement and returns its rows. */
export type RunStatement = (sql: string, args: unknown[], manner?: Manner) => Row[]

/** What a statement without a result returns. */
export interface Written {
  /** Absent where only the database knows. */
  rowsAffected?: number | undefined
}

/**
 * Lets the prepared queries of a session run without drizzle's own steps between a query and its statement: these take
 * longer than the statement of a small query. What a query returns stays the same. Queries whose rows are not plain
 * lists of columns, and queries that are used once, run as before.
 */
export function compileQueries(session: QuerySession, run: RunStatement, changed: () => number | undefined): void {
  // The method of drizzle's class, which the session's own member hides from here on.
  const prepare: PrepareQuery = (...query) =>
    (Object.getPrototypeOf(session) as QuerySession).prepareQuery.apply(session, query)
  session.prepareOneTimeQuery = prepare
  session.prepareQuery = (query, fields, method, isInArrays, mapper, ...rest) => {
    const prepared = prepare(query, fields, method, isInArrays, mapper, ...rest)
    const decode = fields ? toDecoder(fields) : (): Written => ({ rowsAffected: changed() })
    if (decode === null || mapper || (method !== 'all' && method !== 'run')) return prepared
    const runWith: RunWith = (text, args, manner) => {
      try {
        return decode(run(text, args, manner))
      } catch (error) {
        throw new DrizzleQueryError(text, args, error as Error)
      }
    }
    const fill = toFiller(query.params)
    let runRows: ((rows: readonly Values[]) => unknown) | null = null
    prepared.execute = async (values = {}) => runWith(query.sql, fill(values))
    prepared.executeOne = async (values) => runWith(query.sql, fill(values), 'ONE')
    prepared.executeAlone = async (values) => runWith(query.sql, fill(values), 'ALONE')
    prepared.executeRows = async (rows) => {
      runRows ??= toRowRunner(query, runWith)
      return runRows(rows)
    }
    return prepared
  }
}

interface Place {
  column: string
  row: number
  encoder: Param['encoder'] | null
}

type RunWith = (text: string, args: unknown[], manner?: Manner) => unknown

/**
 * A value that several rows share is bound once: binding takes as long as storing. Looking a value up in its row takes a
 * tenth of the time of looking it up among all values of a statement.
 */
function toRowRunner({ sql: text, params }: QueryText, run: RunWith): (rows: readonly Values[]) => unknown {
  const places: Place[] = []
  const numbers = new Map<string, number>()
  const used = params.map(toPlace).map((place) => {
    const name = place.column + place.row
    const number = numbers.get(name) ?? places.push(place)
    numbers.set(name, number)
    return number
  })
  const numbered = numberPlaces(text, used)
  return (rows) =>
    run(
      numbered,
      places.map((place) => valueAt(rows, place)),
    )
}

/** The statement with the number of its value in each place. The text of a value is never part of a statement. */
function numberPlaces(text: string, numbers: readonly number[]): string {
  let count = 0
  const numbered = text.replaceAll('?', () => `?${numbers[count++]}`)
  if (count !== numbers.length) throw new Error('an insert of many rows has a question mark in its text')
  return numbered
}

function valueAt(rows: readonly Values[], { row, column, encoder }: Place): unknown {
  const value = rows[row]?.[column]
  return encoder ? encoder.mapToDriverValue(value) : value
}

function toPlace(param: unknown): Place {
  const encoder = is(param, Param) && !isPlain(param.encoder) ? param.encoder : null
  const placeholder = is(param, Param) ? param.value : param
  const [, column, row] = /^(.*?)(\d+)$/.exec(is(placeholder, Placeholder) ? placeholder.name : '') ?? []
  if (column === undefined) throw new Error('an insert of many rows has a value that is no placeholder')
  return { column, row: Number(row), encoder }
}

/** Whether a value is stored as it is. */
const isPlain = (encoder: Param['encoder']): boolean => encoder.mapToDriverValue === Column.prototype.mapToDriverValue

/** Puts the values into the places of a query, as drizzle does. */
function toFiller(params: readonly unknown[]): (values: Values) => unknown[] {
  const gaps = params.map(toGap)
  return (values) => {
    const args = [...params]
    for (let index = 0; index < gaps.length; index++) {
      const gap = gaps[index]
      if (!gap) continue
      const value = readValue(values, gap.name)
      args[index] = gap.encoder ? gap.encoder.mapToDriverValue(value) : value
    }
    return args
  }
}

/** The place of a value that comes with each execution; null = the value is part of the query. */
function toGap(param: unknown): { name: string; encoder: Param['encoder'] | null } | null {
  if (is(param, Placeholder)) return { name: param.name, encoder: null }
  if (!is(param, Param) || !is(param.value, Placeholder)) return null
  return { name: param.value.name, encoder: isPlain(param.encoder) ? null : param.encoder }
}

function readValue(values: Values, name: string): unknown {
  const value = values[name]
  if (value === undefined && !(name in values)) throw new Error(`No value for placeholder "${name}" was provided`)
  return value
}

/** Turns rows into objects; null when a member is itself an object. */
function toDecoder(fields: readonly SelectedField[]): ((rows: Row[]) => Values[]) | null {
  const members = fields.map(({ path, field }) => ({
    name: path[0] ?? '',
    isFlat: path.length === 1,
    ...decoderOf(field),
  }))
  if (members.some(({ isFlat, decoder }) => !isFlat || decoder === undefined)) return null
  return (rows) =>
    rows.map((row) => {
      const found: Values = {}
      for (let index = 0; index < members.length; index++) {
        const member = members[index]
        const raw = row[index]
        if (member) found[member.name] = raw === null || member.isPlain ? raw : member.decoder?.mapFromDriverValue(raw)
      }
      return found
    })
}

/** How a field's value is read; without a decoder when only drizzle knows. */
function decoderOf(field: unknown): { decoder?: DriverValueDecoder<unknown, unknown>; isPlain: boolean } {
  if (is(field, Column))
    return { decoder: field, isPlain: field.mapFromDriverValue === Column.prototype.mapFromDriverValue }
  const sql = is(field, SQL) ? field : is(field, SQL.Aliased) ? field.sql : null
  const decoder = (sql as { decoder?: DriverValueDecoder<unknown, unknown> } | null)?.decoder
  return decoder ? { decoder, isPlain: false } : { isPlain: false }
}
