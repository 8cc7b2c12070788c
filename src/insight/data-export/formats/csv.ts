import { type CsvCell, toCsvLine } from '../../../base/http/csv'
import { toIso } from '../../../base/lib/time'
import type { Cell, Column } from '../model'
import { NO_BYTES, type RowEncoder } from './row-encoder'

const encoder = new TextEncoder()

/** RFC 4180 with a header row. Null is an empty cell, JSON is its text, a time is ISO 8601. */
export function csvEncoder(columns: readonly Column[]): RowEncoder {
  const header = toCsvLine(columns.map(({ name }) => name))
  let isBegun = false
  const begin = (): string => {
    const text = isBegun ? '' : header
    isBegun = true
    return text
  }
  return {
    push(rows) {
      const lines = rows.map((row) => toCsvLine(columns.map(({ type }, index) => toCsvCell(row[index] ?? null, type))))
      return lines.length === 0 ? NO_BYTES : encoder.encode(begin() + lines.join(''))
    },
    end: () => encoder.encode(begin()),
  }
}

function toCsvCell(cell: Cell, type: Column['type']): CsvCell {
  if (cell === null) return null
  if (type === 'time') return toIso(Number(cell))
  return typeof cell === 'object' ? JSON.stringify(cell) : cell
}
