import fc from 'fast-check'
import type { SqlType } from '../../src/insight/sql-editor/compile/expr'
import { VIEWS } from '../../src/insight/sql-editor/views/views'

// Random queries of the language: well typed, so that most of them run. They are written as text, as people write them.

interface Column {
  sql: string
  type: SqlType
}

const columnsOf = (view: string, alias: string): Column[] =>
  (VIEWS.find(({ name }) => name === view)?.columns ?? []).map(({ name, type }) => ({
    sql: `${alias}."${name}"`,
    type,
  }))

/** The choices of a query come from a list of numbers, so that a failing one becomes small. */
class Choices {
  private at = 0
  constructor(private readonly numbers: readonly number[]) {}
  below(limit: number): number {
    return (this.numbers[this.at++ % this.numbers.length] ?? 0) % limit
  }
  of<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('there is nothing to choose from')
    return value
  }
  is(oneIn: number): boolean {
    return this.below(oneIn) === 0
  }
}

const LITERALS: Record<Exclude<SqlType, 'json' | 'null'>, readonly string[]> = {
  integer: ['0', '1', '-7', '990000', '9223372036854775807'],
  number: ['0.5', '2.5e3', '-1.25'],
  text: ["'own'", "'foreign'", "'SANDBOX'", "''", "'%'"],
  boolean: ['true', 'false'],
  time: ["timestamp '2026-11-20'", 'now()', 'current_date'],
}

/** An expression of a type over columns. */
function expression(pick: Choices, columns: readonly Column[], type: SqlType, depth: number): string {
  const own = columns.filter((column) => column.type === type)
  const leaf = () => (own.length > 0 && !pick.is(3) ? pick.of(own).sql : pick.of(LITERALS[type as 'text']))
  if (depth <= 0 || pick.is(3)) return leaf()
  const of = (inner: SqlType) => expression(pick, columns, inner, depth - 1)
  const forms: Partial<Record<SqlType, readonly (() => string)[]>> = {
    integer: [
      () => `(${of('integer')} % 1000 + ${of('integer')} % 1000)`,
      () => `(${of('integer')} / ${of('integer')})`,
      () => `length(${of('text')})`,
      () => `extract(${pick.of(['year', 'month', 'hour', 'dow', 'epoch'])} from ${of('time')})`,
      () => `(${of('text')})::int`,
      () => `case when ${of('boolean')} then ${of('integer')} else ${of('integer')} end`,
    ],
    number: [() => `(${of('integer')} / 1000000.0)`, () => `round(${of('number')}, 2)`],
    text: [
      () => `lower(${of('text')})`,
      () => `substr(${of('text')}, 2, 5)`,
      () => `coalesce(${of('text')}, 'none')`,
      () => `(${of('text')} || '-' || ${of('text')})`,
      () => `to_char(${of('time')}, 'YYYY-MM')`,
      () => jsonText(pick, columns) ?? "'x'",
    ],
    boolean: [
      () => `(${of('boolean')} and not ${of('boolean')})`,
      () => `(${of('boolean')} or ${of('boolean')})`,
      () => `(${of('integer')} ${pick.of(['=', '<>', '<', '>='])} ${of('integer')})`,
      () => `(${of('text')} ${pick.of(['=', '<>', '<', '>='])} ${of('text')})`,
      () => `(${of('time')} ${pick.of(['<', '>='])} ${of('time')})`,
      () => `(${of('text')} is ${pick.of(['', 'not '])}null)`,
      () => `(${of('text')} ${pick.of(['like', 'ilike', 'not like'])} ${pick.of(["'%own%'", "'f%'", "'_%'", "'%'"])})`,
      () => `(${of('integer')} between ${of('integer')} and ${of('integer')})`,
      () => `(${of('text')} in (${of('text')}, ${of('text')}))`,
      () => `exists (select 1 from ${pick.of(VIEWS).name} x where ${of('boolean')})`,
      () => `(${of('text')} in (select ${pick.of(['id', 'subscriber_id'])} from purchases))`,
    ],
    time: [
      () => `date_trunc('${pick.of(['hour', 'day', 'week', 'month', 'year'])}', ${of('time')})`,
      () => `(${of('time')} ${pick.of(['+', '-'])} interval '3 days')`,
    ],
  }
  return pick.of(forms[type] ?? [leaf])()
}

function jsonText(pick: Choices, columns: readonly Column[]): string | null {
  const own = columns.filter(({ type }) => type === 'json')
  if (own.length === 0) return null
  return `(${pick.of(own).sql} ->> ${pick.of(["'$email'", "'note'", "'country'", "'productIdentifier'", '0'])})`
}

const TYPES = ['integer', 'number', 'text', 'boolean', 'time'] as const

/** The FROM of a query, and the columns that it brings. */
function tables(pick: Choices): { sql: string; columns: Column[] } {
  const count = 1 + pick.below(3)
  const parts = Array.from({ length: count }, (_, at) => ({ view: pick.of(VIEWS).name, alias: `v${at}` }))
  let columns: Column[] = []
  const texts = parts.map(({ view, alias }, at) => {
    const own = columnsOf(view, alias)
    const before = columns
    columns = [...columns, ...own]
    const source = pick.is(4) ? `(select * from ${view} where true) as ${alias}` : `${view} as ${alias}`
    if (at === 0) return source
    const on = pick.is(3) ? expression(pick, columns, 'boolean', 1) : keyOf(pick, before, own)
    return `${pick.of(['join', 'left join'])} ${source} on ${on}`
  })
  return { sql: texts.join(' '), columns }
}

function keyOf(pick: Choices, left: readonly Column[], right: readonly Column[]): string {
  const texts = (columns: readonly Column[]) => columns.filter(({ type }) => type === 'text')
  return `${pick.of(texts(left)).sql} = ${pick.of(texts(right)).sql}`
}

function plain(pick: Choices): string {
  const { sql, columns } = tables(pick)
  const type = pick.of(TYPES)
  const where = pick.is(2) ? ` where ${expression(pick, columns, 'boolean', 2)}` : ''
  if (pick.is(3)) {
    const key = expression(pick, columns, 'text', 2)
    const argument = expression(pick, columns, 'integer', 1)
    const sum = pick.of([
      `count(*)`,
      `min(${argument})`,
      `count(distinct ${argument})`,
      `max(${expression(pick, columns, 'text', 1)})`,
    ])
    // A constant is refused as a key, so the key contains a column.
    return `select ${pick.of(columns.filter((column) => column.type === 'text')).sql} || ${key} as x, ${sum} as y from ${sql}${where} group by 1`
  }
  if (pick.is(4)) return `select * from ${sql}${where}`
  return `select ${pick.of(['', 'distinct '])}${expression(pick, columns, 'text', 3)} as x, ${expression(pick, columns, type, 3)} as y from ${sql}${where}`
}

/** A query, with a table of its own by WITH, inside another, or joined to another. */
function query(pick: Choices): string {
  const inner = plain(pick)
  if (pick.is(4)) return `with subscribers as (${inner}) select * from subscribers`
  if (pick.is(4)) return `select * from (${inner}) as t limit 100`
  if (pick.is(5))
    return `select ${textOf(pick)} as x from purchases p union ${pick.of(['', 'all '])}select ${textOf(pick)} from purchases p`
  return inner
}

const textOf = (pick: Choices): string => expression(pick, columnsOf('purchases', 'p'), 'text', 2)

export const queries = (): fc.Arbitrary<string> =>
  fc.array(fc.nat({ max: 9999 }), { minLength: 20, maxLength: 60 }).map((numbers) => query(new Choices(numbers)))
