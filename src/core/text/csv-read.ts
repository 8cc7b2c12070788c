/** The records of a table in RFC 4180, with any line ends; null for a quote that never ends. */
export function readCsv(text: string): string[][] | null {
  const records: string[][] = []
  let record: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at)
    if (cell === null) return null
    record.push(cell.text)
    at = cell.end
    if (text[at] === ',') {
      at++
      if (at < text.length) continue
      record.push('')
    }
    at += text.startsWith('\r\n', at) ? 2 : 1
    records.push(record)
    record = []
  }
  return records
}

interface Cell {
  text: string
  /** The position of the comma or of the line end after it. */
  end: number
}

const END = /[,\r\n]/g

function plainCell(text: string, at: number): Cell {
  END.lastIndex = at
  const end = END.exec(text)?.index ?? text.length
  return { text: text.slice(at, end), end }
}

function quotedCell(text: string, at: number): Cell | null {
  let content = ''
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return null
    content += text.slice(from, quote)
    if (text[quote + 1] !== '"') {
      const rest = plainCell(text, quote + 1)
      return { text: content + rest.text, end: rest.end }
    }
    content += '"'
    from = quote + 2
  }
}
