import type { Node, SelectStmt } from 'libpg-query'
import { Rejection } from '../rejection'
import type { Level } from './level'
import { locationOf } from './order'

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
