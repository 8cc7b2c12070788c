/** Kinds of b-tree pages by their first byte, with the size of their headers (https://sqlite.org/fileformat.html). */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 }

const FILE_HEADER_BYTES = 100

/** The header of a database file, of which the first page has the rest. */
export interface FileHeader {
  /** The part of a page that SQLite uses. */
  usable: number
  firstTrunk: number
}

export function readFileHeader(first: Buffer): FileHeader {
  // Such a file has pages of pointers, which look like pages of rows. svc never makes one.
  if (first.readUInt32BE(52) !== 0) throw new Error('the database file has auto_vacuum, so its pages cannot be wiped')
  const declared = first.readUInt16BE(16)
  return { usable: (declared === 1 ? 65_536 : declared) - first.readUInt8(20), firstTrunk: first.readUInt32BE(32) }
}

/**
 * Where the trunk page of the list of free pages leads: to the next trunk (0 = none) and to the free pages that it names.
 */
export function readTrunk(page: Buffer, usable: number): { next: number; leaves: number[] } {
  const count = Math.min(page.readUInt32BE(4), usable / 4 - 2)
  return { next: page.readUInt32BE(0), leaves: Array.from({ length: count }, (_, at) => page.readUInt32BE(8 + 4 * at)) }
}

export type FreePages = ReadonlyMap<number, 'trunk' | 'leaf'>

/**
 * The page without the bytes that nothing uses: what SQLite leaves there when it moves rows to other pages, and what was
 * deleted before `secure_delete` was on. Null when there are none. Nothing that SQLite reads is changed. The unused end of
 * an overflow page cannot be recognised from the page alone, so these pages are left out.
 */
export function wipedPage(page: Buffer, number: number, usable: number, free: FreePages): Buffer | null {
  const unused = unusedSpans(page, number, usable, free.get(number))
  if (!unused.some(([start, end]) => !isZero(page, start, end))) return null
  const wiped = Buffer.from(page)
  for (const [start, end] of unused) wiped.fill(0, start, end)
  return wiped
}

type Span = [start: number, end: number]

function unusedSpans(page: Buffer, number: number, usable: number, free: 'trunk' | 'leaf' | undefined): Span[] {
  if (free === 'leaf') return [[0, page.length]]
  if (free === 'trunk') return [[8 + 4 * Math.min(page.readUInt32BE(4), usable / 4 - 2), page.length]]
  const start = number === 1 ? FILE_HEADER_BYTES : 0
  const header = HEADER_BYTES[page.readUInt8(start)]
  if (header === undefined) return []
  const cells = start + header + 2 * page.readUInt16BE(start + 3)
  const content = page.readUInt16BE(start + 5) || 65_536
  if (cells > content || content > usable) return []
  return [[cells, content], ...freeBlocks(page, page.readUInt16BE(start + 1), content, usable)]
}

/** The blocks between the cells. The first four bytes of each lead to the next one and must stay. */
function freeBlocks(page: Buffer, first: number, content: number, usable: number): Span[] {
  const spans: Span[] = []
  for (let at = first, least = content; at !== 0; ) {
    if (at < least || at + 4 > usable) return [] // Not a page as SQLite writes it.
    const size = page.readUInt16BE(at + 2)
    if (size < 4 || at + size > usable) return []
    spans.push([at + 4, at + size])
    least = at + size
    at = page.readUInt16BE(at)
  }
  return spans
}

export const isZero = (page: Buffer, start: number, end: number): boolean =>
  start >= end || page.compare(ZEROS, 0, end - start, start, end) === 0

const ZEROS = Buffer.alloc(65_536)
