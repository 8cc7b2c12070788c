import type { Dialect } from '../../../base/db/tables'
import type { SqlType } from './expr'

/** The databases that queries run on. */
export type QueryDialect = Dialect | 'clickhouse'

/** What the databases write in different ways. Every text that is passed in is an expression. */
export interface DialectRules {
  readonly name: QueryDialect
  readonly typeNames: Readonly<Record<SqlType, string>>
  readonly bindSign: '?' | '$'
  /** Finds the names of values in a statement. */
  readonly bindName: RegExp
  /** Between two integers. */
  readonly division: string
  bind(number: number): string
  /** Two integers with an operator between them, where the plain operators would overflow silently; else null. */
  readonly exact: ((left: string, operator: string, right: string) => string) | null
  /** Of integers; `inner` is written before the value, `suffix` after the function. */
  sum(inner: string, suffix: string, value: string): string
  /** What a function that counts gives, as an integer. */
  counted(sql: string): string
  /** The argument of a window function. */
  windowValue(sql: string): string
  length(sql: string): string
  /** From a character, counted from 1; all that follows when `count` is null. */
  substring(sql: string, from: number, count: number | null): string
  like(text: string, isNot: boolean, pattern: string): string
  /** Whether a value is one of others, where IN does not know null; null = it does. */
  readonly inList: ((value: string, values: readonly string[]) => string) | null
  /** Whether a value is among those of a query, whose column is named `c1`. */
  inQuery(value: string, query: string): string
  integer(digits: string): string
  number(digits: string): string
  boolean(value: boolean): string
  /** The text in an order by bytes. */
  ordered(sql: string): string
  lower(sql: string): string
  upper(sql: string): string
  position(text: string, part: string): string
  /** Null for a text that is no integer of at most 18 characters. */
  textToInteger(sql: string): string
  truncate(sql: string): string
  isDistinct(a: string, b: string): string
  startOf(unit: 'month' | 'year', time: string): string
  calendar(field: CalendarField, time: string): string
  /** A time as text in a format whose parts are `TIME_PARTS`, or texts between them. */
  format(time: string, parts: readonly TimePart[]): string
  jsonText(column: string, path: JsonPath): string
  json(column: string, path: JsonPath): string
}

export type CalendarField = 'year' | 'month' | 'day' | 'doy'

/** The keys and positions, and how a text becomes a value of the statement. */
export interface JsonPath {
  readonly steps: readonly (string | number)[]
  bind(text: string): string
}

export const TIME_PARTS = ['YYYY', 'MM', 'DD', 'HH24', 'MI', 'SS'] as const
export type PartName = (typeof TIME_PARTS)[number]
export type TimePart = { part: PartName } | { text: string }

const SQLITE_PARTS: Record<PartName, string> = { YYYY: '%Y', MM: '%m', DD: '%d', HH24: '%H', MI: '%M', SS: '%S' }
const SQLITE_FIELDS: Record<CalendarField, string> = { year: '%Y', month: '%m', day: '%d', doy: '%j' }

const sqliteTime = (format: string, time: string, modifier = '') =>
  `strftime('${format}', ${time} / 1000, 'unixepoch'${modifier})`

/** Keys with a quote or a backslash were refused before. */
const sqlitePath = ({ steps, bind }: JsonPath): string =>
  bind(`$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`)

export const sqlite: DialectRules = {
  name: 'sqlite',
  typeNames: {
    integer: 'integer',
    number: 'real',
    text: 'text',
    boolean: 'integer',
    time: 'integer',
    json: 'text',
    null: 'text',
  },
  bindSign: '?',
  division: ' / ',
  exact: null,
  sum: (inner, suffix, value) => `cast(sum(${inner}${value})${suffix} as integer)`,
  counted: (sql) => sql,
  windowValue: (sql) => sql,
  length: (sql) => `length(${sql})`,
  substring: (sql, from, count) => `substr(${sql}, ${from}${count === null ? '' : `, ${count}`})`,
  like: (text, isNot, pattern) => `(${text} ${isNot ? 'not like' : 'like'} ${pattern} escape '\\')`,
  inList: null,
  inQuery: (value, query) => `(${value} in (${query}))`,
  bindName: /\?(\d+)/g,
  bind: (number) => `?${number}`,
  integer: (digits) => (digits.startsWith('-') ? `(${digits})` : digits),
  number: (digits) => `(${/[.e]/.test(digits) ? digits : `${digits}.0`})`,
  boolean: (value) => (value ? '1' : '0'),
  ordered: (sql) => sql,
  lower: (sql) => `lower(${sql})`,
  upper: (sql) => `upper(${sql})`,
  position: (text, part) => `instr(${text}, ${part})`,
  textToInteger: (sql) =>
    `(case when length(${sql}) <= 18 and ${sql} = cast(cast(${sql} as integer) as text) then cast(${sql} as integer) end)`,
  truncate: (sql) => `cast(${sql} as integer)`,
  isDistinct: (a, b) => `(${a} is not ${b})`,
  startOf: (unit, time) => `(cast(${sqliteTime('%s', time, `, 'start of ${unit}'`)} as integer) * 1000)`,
  calendar: (field, time) => `cast(${sqliteTime(SQLITE_FIELDS[field], time)} as integer)`,
  format: (time, parts) =>
    sqliteTime(parts.map((part) => ('part' in part ? SQLITE_PARTS[part.part] : part.text)).join(''), time),
  jsonText: (column, path) => {
    const at = sqlitePath(path)
    return `(case json_type(${column}, ${at}) when 'true' then 'true' when 'false' then 'false' when 'object' then null when 'array' then null else cast(json_extract(${column}, ${at}) as text) end)`
  },
  json: (column, path) => `(${column} -> ${sqlitePath(path)})`,
}

const postgresTime = (time: string) => `(to_timestamp(${time} / 1000) at time zone 'UTC')`

const postgresJson = (column: string, { steps, bind }: JsonPath): string =>
  `(${[column, ...steps.map((step) => (typeof step === 'number' ? String(step) : bind(step)))].join(' -> ')})`

export const postgres: DialectRules = {
  name: 'postgres',
  typeNames: {
    integer: 'bigint',
    number: 'double precision',
    text: 'text',
    boolean: 'boolean',
    time: 'bigint',
    json: 'jsonb',
    null: 'text',
  },
  bindSign: '$',
  division: ' / ',
  exact: null,
  sum: (inner, suffix, value) => `cast(sum(${inner}${value})${suffix} as bigint)`,
  counted: (sql) => sql,
  windowValue: (sql) => sql,
  length: (sql) => `length(${sql})`,
  substring: (sql, from, count) => `substr(${sql}, ${from}${count === null ? '' : `, ${count}`})`,
  like: (text, isNot, pattern) => `(${text} ${isNot ? 'not like' : 'like'} ${pattern} escape '\\')`,
  inList: null,
  inQuery: (value, query) => `(${value} in (${query}))`,
  bindName: /\$(\d+)/g,
  bind: (number) => `cast($${number} as text)`,
  integer: (digits) => `cast(${digits} as bigint)`,
  number: (digits) => `cast(${digits} as double precision)`,
  boolean: (value) => (value ? 'true' : 'false'),
  ordered: (sql) => `${sql} collate "C"`,
  lower: (sql) => `lower(${sql} collate "C")`,
  upper: (sql) => `upper(${sql} collate "C")`,
  position: (text, part) => `cast(strpos(${text}, ${part}) as bigint)`,
  textToInteger: (sql) =>
    `(case when length(${sql}) <= 18 and ${sql} ~ '^(0|-?[1-9][0-9]*)$' then cast(${sql} as bigint) end)`,
  truncate: (sql) => `cast(trunc(${sql}) as bigint)`,
  isDistinct: (a, b) => `(${a} is distinct from ${b})`,
  startOf: (unit, time) => `cast(extract(epoch from date_trunc('${unit}', ${postgresTime(time)})) * 1000 as bigint)`,
  calendar: (field, time) => `cast(extract(${field} from ${postgresTime(time)}) as bigint)`,
  format: (time, parts) => {
    const format = parts.map((part) => ('part' in part ? part.part : `"${part.text}"`)).join('')
    return `to_char(${postgresTime(time)}, '${format}')`
  },
  jsonText: (column, path) => {
    const found = postgresJson(column, path)
    return `(case when jsonb_typeof(${found}) in ('object', 'array') then null else ${found} #>> '{}' end)`
  },
  json: postgresJson,
}
