import { type Column, type SQL, sql } from 'drizzle-orm'

/** Above every text that starts with the prefix, in the order of bytes. */
const LAST = '\u{10FFFF}'

/** Texts with a prefix, as one range of an index. The column must be `ordered` (see the kit), or lower-case ids. */
export const beginsWith = (text: Column | SQL, prefix: string): SQL =>
  sql`(${text} >= ${prefix} and ${text} < ${prefix + LAST})`

/** Texts that have the part anywhere in them, letter by letter: no sign of the part has a meaning of its own. */
export const contains = (text: Column | SQL, part: string): SQL => sql`replace(${text}, ${part}, '') <> ${text}`

/** Rows that come before a position in the order of these columns, so after it in a list that descends. */
export const isBefore = (columns: readonly (Column | SQL)[], position: readonly (string | number)[]): SQL =>
  sql`${tuple(columns)} < ${tuple(position)}`

/** Rows that come after a position in the order of these columns. */
export const isAfter = (columns: readonly (Column | SQL)[], position: readonly (string | number)[]): SQL =>
  sql`${tuple(columns)} > ${tuple(position)}`

const tuple = (parts: readonly unknown[]): SQL => {
  const each = parts.map((part) => sql`${part}`)
  return each.length === 1 && each[0] ? each[0] : sql`(${sql.join(each, sql`, `)})`
}
