import type { Connection } from './connection'
import { type FileHeader, type FreePages, isZero, readFileHeader, readTrunk, wipedPage } from './page-wipe'

type Reader = Pick<Connection, 'run'>

/** A page of the database file, as the connection's transaction sees it. */
export function readPage(connection: Reader, number: number): Buffer {
  const [row] = connection.run('select data from sqlite_dbpage where pgno = ?', [number])
  const [data] = row ?? []
  if (!(data instanceof Uint8Array) && !(data instanceof ArrayBuffer)) throw new Error(`page ${number} cannot be read`)
  return data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

/** Beyond this number an overflow page could look like a page of rows. It is reached at 128 GiB. */
const MOST_PAGES = 0x2000000

/** The header of the file, and the pages that hold nothing. */
export function readFree(connection: Reader): FileHeader & { free: FreePages } {
  const header = readFileHeader(readPage(connection, 1))
  const free = new Map<number, 'trunk' | 'leaf'>()
  for (let trunk = header.firstTrunk; trunk !== 0 && !free.has(trunk); ) {
    free.set(trunk, 'trunk')
    const { next, leaves } = readTrunk(readPage(connection, trunk), header.usable)
    for (const leaf of leaves) free.set(leaf, 'leaf')
    trunk = next
  }
  return { ...header, free }
}

export interface ScanRange {
  from: number
  to: number
}

/** Of a range of pages, those with bytes that nothing uses, and how many pages the file has. */
export function scanPages(connection: Reader, { from, to }: ScanRange): { pages: number[]; count: number } {
  connection.run('BEGIN', [])
  try {
    const count = Number(connection.run('PRAGMA page_count', [])[0]?.[0])
    if (count > MOST_PAGES) throw new Error('the database file is too long for its pages to be wiped in their place')
    const { usable, free } = readFree(connection)
    const pages: number[] = []
    for (let number = from; number <= Math.min(to, count); number++)
      if (wipedPage(readPage(connection, number), number, usable, free)) pages.push(number)
    return { pages, count }
  } finally {
    connection.run('ROLLBACK', [])
  }
}

/** Overflow pages with remains behind their content: only in files of a time before `secure_delete` was on. */
export function scanOverflow(connection: Reader): [number: number, used: number][] {
  const ends = connection.run("select pageno, unused from dbstat where pagetype = 'overflow' and unused > 0", [])
  const found: [number, number][] = []
  for (const [number, unused] of ends as [number, number][]) {
    const page = readPage(connection, number)
    if (!isZero(page, page.length - unused, page.length)) found.push([number, page.length - unused])
  }
  return found
}
