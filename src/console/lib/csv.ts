/** Texts that a spreadsheet would run as a formula, as the server knows them too. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/** One line of RFC 4180. A text that a spreadsheet would take for a formula starts with an apostrophe; a number is harmless. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  // Only the end of a line is CRLF: `csvFile` makes lines longer by it.
  const text = textOf(value).replace(/\r\n?/g, '\n')
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  return guarded(typeof value === 'string' ? value : JSON.stringify(value))
}

const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** A CSV file of objects that come page by page. Members of objects are columns of their own: `price.currency`. */
export interface CsvFile {
  add: (rows: readonly unknown[]) => void
  /** The parts of the file, from the first to the last. */
  end: () => string[]
}

export function csvFile(): CsvFile {
  const columns = new Map<string, number>()
  const empty = new Set<string>()
  const parts: { text: string; width: number }[] = []
  const lineOf = (cells: Cells): string => {
    const line = new Array<unknown>(columns.size)
    for (const [name, value] of cells) if (value !== null) line[columns.get(name) ?? 0] = value
    return csvLine(line)
  }
  return {
    add(rows) {
      const found = rows.map(cellsOf)
      for (const [name, value] of found.flat()) {
        if (value === null) empty.add(name)
        else if (!columns.has(name)) columns.set(name, columns.size)
      }
      parts.push({ text: found.map(lineOf).join(''), width: columns.size })
    },
    end() {
      const names = [...columns.keys()]
      // A member that was never set has a column too, unless it is an object in other rows.
      const unset = [...empty].filter((name) => !names.some((one) => one === name || one.startsWith(`${name}.`)))
      const header = [...names, ...unset]
      return [csvLine(header), ...parts.map(({ text, width }) => longer(text, header.length - width))]
    },
  }
}

const longer = (text: string, by: number): string =>
  by === 0 ? text : text.replaceAll('\r\n', `${','.repeat(by)}\r\n`)

type Cells = [name: string, value: unknown][]

/** The members of a row. Objects are one level deep; lists of words are one cell. */
function cellsOf(row: unknown): Cells {
  if (!isObject(row)) return [['value', row]]
  return Object.entries(row).flatMap(([name, value]): Cells => {
    if (isObject(value)) return Object.entries(value).map(([member, one]) => [`${name}.${member}`, flat(one)])
    return [[name, flat(value)]]
  })
}

function flat(value: unknown): unknown {
  if (value === undefined) return null
  if (!Array.isArray(value)) return value
  return value.some((one) => one !== null && typeof one === 'object') ? value : value.join('; ')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
