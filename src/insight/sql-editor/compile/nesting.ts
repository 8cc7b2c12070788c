import { Rejection } from '../rejection'

/** The parser of SQLite keeps at most 100 open parts of a statement; this leaves some for what is not counted. */
const MOST = 90

const OPEN = 3
const LIST = 2
const CASE = 5
const SELECT = 4
/** What a query has open when one of its later clauses starts. */
const CLAUSES: Readonly<Record<string, number>> = { where: 2, group: 3, having: 4, order: 5, limit: 6 }

const TOKENS = /'(?:[^']|'')*'|"[^"]*"|\(|\)|,|\b(?:select|case|end|where|group|having|order|limit)\b/g

/**
 * Refuses a statement that SQLite would refuse for its depth. Both databases are asked for what both can do, so it is
 * measured on the text for SQLite, with costs that are not below those of its parser.
 */
export function refuseDeep(sql: string): void {
  const frames: { base: number; extra: number }[] = [{ base: 0, extra: 0 }]
  let depth = 0
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token === '(' || token === 'case') {
      const base = token === '(' ? OPEN : CASE
      frames.push({ base, extra: 0 })
      depth += base
    } else if (token === ')' || token === 'end') {
      const closed = frames.pop()
      depth -= (closed?.base ?? 0) + (closed?.extra ?? 0)
    } else {
      const frame = frames.at(-1)
      const extra = extraOf(token, frame?.extra ?? 0)
      if (frame && extra !== frame.extra) {
        depth += extra - frame.extra
        frame.extra = extra
      }
    }
    if (depth > MOST) throw new Rejection('syntax', 'The query is nested too deeply')
  }
}

function extraOf(token: string, before: number): number {
  if (token === 'select') return SELECT
  if (token === ',') return before === 0 ? LIST : before
  const clause = Object.hasOwn(CLAUSES, token) ? CLAUSES[token] : undefined
  return clause === undefined ? before : SELECT + clause
}
