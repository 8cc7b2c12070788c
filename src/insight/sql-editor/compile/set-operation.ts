import type { Node, SelectStmt } from 'libpg-query'
import { Rejection } from '../rejection'
import { unify } from './constants'
import { madeOf } from './expr'
import { toSource } from './from'
import { type Compiler, Level, type OutputColumn, type Query } from './level'
import { locationOf, sortKeys } from './order'

const WORDS = { SETOP_NONE: '', SETOP_UNION: 'union', SETOP_INTERSECT: 'intersect', SETOP_EXCEPT: 'except' }

/** UNION, INTERSECT and EXCEPT of two queries with as many columns of the same types. */
export function setOperation(compiler: Compiler, select: SelectStmt, side: (select: SelectStmt) => Query): Query {
  const { op = 'SETOP_NONE', all = false, larg, rarg } = select
  if (!larg || !rarg) throw new Rejection('syntax', 'A side of the operation is missing')
  if (all && op !== 'SETOP_UNION') throw new Rejection('syntax', 'ALL is possible with UNION only')
  const [left, right] = [side(larg), side(rarg)]
  if (left.columns.length !== right.columns.length)
    throw new Rejection('syntax', 'Both sides of UNION, INTERSECT and EXCEPT need as many columns')
  const word = WORDS[op]
  const sides = aligned(compiler, left, right, word)
  if (!all && sides.columns.some(({ type }) => type === 'json'))
    throw new Rejection('syntax', 'JSON cannot be compared; write UNION ALL')
  const sql = `${sides.left} ${word}${all ? ' all' : ''} ${sides.right}`
  const open = word === 'intersect' ? word : 'union'
  return ordered(compiler, select, { sql, columns: sides.columns, uses: [...left.uses, ...right.uses], open })
}

function aligned(compiler: Compiler, left: Query, right: Query, word: string) {
  const names = [compiler.nextName(), compiler.nextName()] as const
  const columns: OutputColumn[] = []
  const written: [string[], string[]] = [[], []]
  left.columns.forEach((column, index) => {
    const [other] = right.columns.slice(index)
    if (!other) throw new Error('a column is missing')
    const pair = [column, other].map(({ type, texts: size, isLocal }, at) =>
      madeOf([], { sql: `${names[at]}.c${index + 1}`, type, texts: size, ...(isLocal && { isLocal }) }),
    )
    const [first, second] = unify(compiler, pair, undefined)
    if (!first || !second) throw new Error('a column is missing')
    written[0].push(`${first.sql} as c${index + 1}`)
    written[1].push(`${second.sql} as c${index + 1}`)
    const isLocal = first.isLocal || second.isLocal
    const texts = Math.max(first.texts, second.texts)
    columns.push({ name: column.name, type: first.type, texts, ...(isLocal && { isLocal }) })
  })
  const write = (at: 0 | 1, { sql, columns: own }: Query, isOpen: boolean) => {
    const isSame = columns.every(({ type }, index) => type === own[index]?.type)
    return isOpen && isSame ? sql : `select ${written[at].join(', ')} from (${sql}) as ${names[at]}`
  }
  return { columns, left: write(0, left, mayPrecede(left, word)), right: write(1, right, right.open === 'select') }
}

/** PostgreSQL reads INTERSECT before the other words, SQLite reads all of them from the left. */
const mayPrecede = ({ open }: Query, word: string): boolean =>
  open === 'select' || (open !== undefined && (word !== 'intersect' || open === 'intersect'))

/** ORDER BY and LIMIT of the whole. */
function ordered(compiler: Compiler, select: SelectStmt, query: Query): Query {
  const level = new Level(compiler, null, new Map())
  const sqlName = compiler.nextName()
  const { sql, columns } = toSource(query)
  level.relations.push({ name: '', sqlName, columns, joined: new Set() })
  const keys = sortKeys(level, select.sortClause ?? [], (node) => sortColumn(level, node))
  const limit = limits(level, select)
  if (keys.length === 0 && limit === '') return query
  const list = columns.map((_, index) => `${sqlName}.c${index + 1} as c${index + 1}`).join(', ')
  const order = keys.length === 0 ? '' : ` order by ${keys.map((key) => key.sql).join(', ')}`
  const { uses } = query
  return {
    columns: query.columns,
    uses,
    sql: `select ${list} from ${sql} as ${sqlName}${order}${limit}`,
    isLimited: limit !== '',
  }
}

function sortColumn(level: Level, node: Node) {
  const number = 'A_Const' in node ? node.A_Const.ival?.ival : undefined
  const [all] = level.relations
  if (number === undefined || !all) return level.expression(node, 'where')
  if (number >= 1 && number <= all.columns.length) return level.columnOf(all, number - 1)
  throw new Rejection('syntax', `The result has no column ${number}`, locationOf(node))
}

/** LIMIT and OFFSET, which take numbers and parameters. */
export function limits(level: Level, { limitCount, limitOffset }: SelectStmt): string {
  const read = (node: Node | undefined): string | null => {
    const value = node && level.expression(node, 'where').constant?.value
    if (value === undefined && node)
      throw new Rejection('syntax', 'LIMIT and OFFSET take a number or a parameter', locationOf(node))
    if (value === undefined || value === null) return null
    if (typeof value === 'bigint' && value >= 0n) return level.compiler.dialect.integer(String(value))
    throw new Rejection('syntax', 'LIMIT and OFFSET take an integer from 0 on', locationOf(node))
  }
  const [count, offset] = [read(limitCount), read(limitOffset)]
  if (count === null && offset === null) return ''
  return ` limit ${count ?? NO_LIMIT}${offset === null ? '' : ` offset ${offset}`}`
}

/** SQLite has no OFFSET without LIMIT. */
const NO_LIMIT = '9000000000000000'
