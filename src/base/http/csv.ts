import { Type } from '@sinclair/typebox'
import type { LongTurns } from './long-turns'

export type CsvCell = string | number | bigint | boolean | null

/** The OpenAPI description of a streamed table. */
export const CSV_RESPONSES = {
  200: {
    description: 'The table as CSV (RFC 4180), with a header row.',
    content: { 'text/csv': { schema: Type.String() } },
  },
}

/**
 * Texts that a spreadsheet would run as a formula, also when they start with a sign of double width. A number is one too
 * when it starts with a minus, but it is harmless. Apostrophes before such a text count too, so that a reader who takes
 * one apostrophe away from every text of this form gets every text back.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const QUOTED = /["\r\n,]/

/** One line of RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export const toCsvLine = (cells: readonly CsvCell[]): string => `${cells.map(toCell).join(',')}\r\n`

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The text of a cell that `toCsvLine` wrote. */
export const fromCsvText = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text

/** Who the table is for: its pages are read when it is the turn of the project. */
interface CsvCaller {
  state: { longTurns: LongTurns }
  projectId: string
}

interface CsvTable<Row> {
  fileName: string
  header: readonly string[]
  /** The pages of the table. It is read only as fast as the client takes them, and ended when the client leaves. */
  pages: AsyncGenerator<readonly Row[]>
  toCells: (row: Row) => readonly CsvCell[]
}

/** A response that sends a table page by page. */
export function csvResponse<Row>(
  { state: { longTurns }, projectId }: CsvCaller,
  { fileName, header, pages, toCells }: CsvTable<Row>,
): Response {
  const encoder = new TextEncoder()
  const leaving = new AbortController()
  const nextText = async () => {
    const { value, done } = await pages.next()
    return done ? null : value.map((row) => toCsvLine(toCells(row))).join('')
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(toCsvLine(header))),
      async pull(controller) {
        const text = await longTurns.run(nextText, { group: projectId, signal: leaving.signal })
        if (text === null) controller.close()
        else controller.enqueue(encoder.encode(text))
      },
      cancel: async () => {
        leaving.abort()
        await pages.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    },
  })
}
