import type { Node } from 'libpg-query'
import { Rejection } from '../rejection'
import type { Expr } from './expr'
import type { Level } from './level'

export interface SortKey {
  sql: string
  expr: Expr
}

/** The keys of an ORDER BY. As in PostgreSQL, null comes last, and first where the order is reversed. */
export function sortKeys({ compiler }: Level, nodes: readonly Node[], read: (node: Node) => Expr): SortKey[] {
  return nodes.map((node) => {
    if (!('SortBy' in node) || !node.SortBy.node) throw new Rejection('syntax', 'This order is not supported')
    const { sortby_dir, sortby_nulls, useOp, location } = node.SortBy
    const expr = read(node.SortBy.node)
    if (expr.type === 'json' || expr.constant || expr.type === 'null')
      throw new Rejection(
        'syntax',
        'ORDER BY takes columns and expressions, and no JSON',
        locationOf(node.SortBy.node) ?? location,
      )
    if (useOp) throw new Rejection('syntax', 'ORDER BY … USING is not supported', location)
    const isReversed = sortby_dir === 'SORTBY_DESC'
    const isNullFirst = sortby_nulls === 'SORTBY_NULLS_FIRST' || (isReversed && sortby_nulls !== 'SORTBY_NULLS_LAST')
    const text = expr.type === 'text' ? compiler.dialect.ordered(expr.sql) : expr.sql
    return { expr, sql: `${text} ${isReversed ? 'desc' : 'asc'} nulls ${isNullFirst ? 'first' : 'last'}` }
  })
}

/** Where a node is in the query, as far as the parser reports it. */
export function locationOf(node: Node | undefined): number | undefined {
  if (!node) return undefined
  const [value] = Object.values(node) as ({ location?: number } | undefined)[]
  return value?.location
}
