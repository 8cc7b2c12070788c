import type { CalendarField, DialectRules, JsonPath, PartName } from './dialect'

const PARTS: Record<PartName, string> = { YYYY: '%Y', MM: '%m', DD: '%d', HH24: '%H', MI: '%i', SS: '%S' }
const FIELDS: Record<CalendarField, string> = {
  year: 'toYear',
  month: 'toMonth',
  day: 'toDayOfMonth',
  doy: 'toDayOfYear',
}

const timeOf = (time: string): string => `fromUnixTimestamp64Milli(cast(${time} as Nullable(Int64)), 'UTC')`

/** Texts of a path, and the condition that its positions are those of lists: ClickHouse counts members of objects too. */
function stepsOf(column: string, { steps, bind }: JsonPath): { path: string; isThere: string } {
  const texts = steps.map((step) => (typeof step === 'number' ? String(step + 1) : bind(step)))
  const lists = steps.flatMap((step, index) =>
    typeof step === 'number' ? [`JSONType(${[column, ...texts.slice(0, index)].join(', ')}) = 'Array'`] : [],
  )
  return { path: [column, ...texts].join(', '), isThere: ['true', ...lists].join(' and ') }
}

/** Every type can be null. Sums of integers are made in 256 bits and refused when they do not fit, as PostgreSQL does. */
export const clickhouse: DialectRules = {
  name: 'clickhouse',
  typeNames: {
    integer: 'Nullable(Int64)',
    number: 'Nullable(Float64)',
    text: 'Nullable(String)',
    boolean: 'Nullable(Bool)',
    time: 'Nullable(Int64)',
    json: 'Nullable(String)',
    null: 'Nullable(String)',
  },
  bindSign: '$',
  bindName: /\$(\d+)/g,
  division: ' div ',
  bind: (number) => `$${number}`,
  integer: (digits) => `toInt64(${digits})`,
  number: (digits) => `toFloat64(${digits})`,
  boolean: (value) => (value ? 'true' : 'false'),
  exact: (left, operator, right) => `accurateCast((toInt256(${left})${operator}${right}), 'Nullable(Int64)')`,
  sum: (inner, suffix, value) => `accurateCast(sum(${inner}toInt256(${value}))${suffix}, 'Nullable(Int64)')`,
  counted: (sql) => `cast(${sql} as Nullable(Int64))`,
  windowValue: (sql) => `toNullable(${sql})`,
  ordered: (sql) => sql,
  lower: (sql) => `lower(${sql})`,
  upper: (sql) => `upper(${sql})`,
  length: (sql) => `lengthUTF8(${sql})`,
  substring: (sql, from, count) => `substringUTF8(${[sql, from, ...(count === null ? [] : [count])].join(', ')})`,
  like: (text, isNot, pattern) => `(${text} ${isNot ? 'not like' : 'like'} ${pattern})`,
  position: (text, part) => `cast(positionUTF8(${text}, ${part}) as Nullable(Int64))`,
  textToInteger: (sql) =>
    `(case when length(${sql}) <= 18 and match(${sql}, '^(0|-?[1-9][0-9]*)$') then toInt64OrNull(${sql}) end)`,
  truncate: (sql) => `accurateCast(trunc(${sql}), 'Nullable(Int64)')`,
  isDistinct: (a, b) => `(not (${a} <=> ${b}))`,
  inList: (value, values) => `(${values.map((one) => `${value} = ${one}`).join(' or ')})`,
  // With null on either side the answer is not known, unless the value is found.
  inQuery: (value, query) => {
    const isOpen = `(${value} is null and (select count(*) from (${query}) as n) > 0)`
    const hasNull = `(select count(*) from (${query}) as n where n.c1 is null) > 0`
    return `(case when ${value} in (${query}) then true when ${isOpen} or ${hasNull} then null else false end)`
  },
  startOf: (unit, time) =>
    `(cast(toUnixTimestamp(toDateTime64(toStartOf${unit === 'month' ? 'Month' : 'Year'}(${timeOf(time)}), 0, 'UTC')) as Nullable(Int64)) * 1000)`,
  calendar: (field, time) => `cast(${FIELDS[field]}(${timeOf(time)}) as Nullable(Int64))`,
  format: (time, parts) => {
    const format = parts.map((part) => ('part' in part ? PARTS[part.part] : part.text)).join('')
    return `formatDateTime(${timeOf(time)}, '${format}')`
  },
  jsonText: (column, given) => {
    const { path, isThere } = stepsOf(column, given)
    return `(case when not (${isThere}) then null when JSONType(${path}) in ('Object', 'Array', 'Null') then null when JSONType(${path}) = 'String' then JSONExtractString(${path}) else JSONExtractRaw(${path}) end)`
  },
  json: (column, given) => {
    const { path, isThere } = stepsOf(column, given)
    return `(case when ${isThere} then nullif(JSONExtractRaw(${path}), '') end)`
  },
}
