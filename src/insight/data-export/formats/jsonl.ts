import { toJsonInteger } from '../../../base/lib/int64'
import { toIso } from '../../../base/lib/time'
import type { Cell, Column } from '../model'
import { NO_BYTES, type RowEncoder } from './row-encoder'

const encoder = new TextEncoder()

/** One JSON object a line, with every column as a member. Integers of 64 bits are written with all their digits. */
export function jsonlEncoder(columns: readonly Column[]): RowEncoder {
  return {
    push(rows) {
      let text = ''
      for (const row of rows) {
        const members = columns.map(({ name, type }, index) => [name, toJsonValue(row[index] ?? null, type)])
        text += `${JSON.stringify(Object.fromEntries(members))}\n`
      }
      return encoder.encode(text)
    },
    end: () => NO_BYTES,
  }
}

function toJsonValue(cell: Cell, type: Column['type']): unknown {
  if (cell === null) return null
  if (type === 'time') return toIso(Number(cell))
  return typeof cell === 'bigint' ? toJsonInteger(cell) : cell
}
