import { canonicalJson } from '../../../base/lib/hash'
import { parseExact, toJsonInteger } from '../../../base/lib/int64'
import { MAX_INSTANT, toIso } from '../../../base/lib/time'
import type { Compiled } from '../compile/compile'
import { Rejection } from '../rejection'
import type { QueryLimits } from './protocol'

export type Cell = string | number | boolean | bigint | null

/** The rows as the JSON of the answer. One row more than the limit was read, to know whether there are more. */
export function writeResult(
  { columns }: Compiled,
  read: readonly (readonly Cell[])[],
  limits: QueryLimits,
  elapsedMs: number,
): { rowCount: number; text: string } {
  const rows = read
    .slice(0, limits.rows)
    .map((row) => columns.map((column, index) => toWire(column, row[index] ?? null)))
  const text = JSON.stringify({
    columns: columns.map(({ name }) => name),
    types: columns.map(({ type }) => type),
    rows,
    rowCount: rows.length,
    truncated: read.length > limits.rows,
    elapsedMs: Math.round(elapsedMs),
  })
  if (Buffer.byteLength(text) > limits.bytes)
    throw new Rejection('memory', `The result is larger than ${limits.bytes / 1024 / 1024} MiB`)
  return { rowCount: rows.length, text }
}

function toWire({ type, isLocal = false }: Compiled['columns'][number], cell: Cell): unknown {
  if (cell === null) return null
  if (type === 'integer') return toInteger(String(cell))
  if (type === 'time') return toTime(Number(cell), isLocal)
  if (type === 'boolean') return Boolean(cell)
  if (type === 'json') return toJson(String(cell))
  return typeof cell === 'number' && !Number.isFinite(cell) ? null : cell
}

/** SQLite continues with a rounded number where PostgreSQL refuses. */
function toInteger(text: string): unknown {
  if (/^-?\d+$/.test(text)) return toJsonInteger(BigInt(text))
  throw new Rejection('syntax', 'The query failed on its data: integer out of range')
}

/** What clocks show is no instant, so it does not end with the Z of UTC. */
function toTime(time: number, isLocal: boolean): string | null {
  if (time < 0 || time > MAX_INSTANT) return null
  return isLocal ? toIso(time).replace(/Z$/, '') : toIso(time)
}

/** In one spelling, because PostgreSQL does not keep that of the text it was given. */
function toJson(text: string): string | null {
  const value = parseExact(text)
  return value === null ? null : canonicalJson(value)
}
