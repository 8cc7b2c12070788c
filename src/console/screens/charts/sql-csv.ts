import type { Schemas } from '../../api/schemas'

/** A result as CSV. Texts that a spreadsheet would run as a formula begin with an apostrophe. */
export function toCsv({ columns, rows }: Schemas['QueryResult']): string {
  const lines = [columns, ...rows].map((cells) => cells.map(cellOf).join(','))
  return `${lines.join('\r\n')}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text =
    typeof value === 'string' ? guarded(value) : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const guarded = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
