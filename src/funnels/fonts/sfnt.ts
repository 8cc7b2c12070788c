export type FontFormat = 'otf' | 'ttf' | 'woff2'

/** Why a file is not taken as a font. */
export type FontFault = 'unknown_format' | 'woff1' | 'collection' | 'broken' | 'too_slow' | 'embedding_forbidden'

/** The format by the first bytes; what a file is called does not count. */
export function fontFormatOf(bytes: Uint8Array): FontFormat | FontFault {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1')
  const signature = head.slice(0, 4)
  if (signature === 'wOFF') return 'woff1'
  if (signature === 'ttcf' || (signature === 'wOF2' && head.slice(4) === 'ttcf')) return 'collection'
  if (signature === 'wOF2') return 'woff2'
  if (signature === 'OTTO') return 'otf'
  return signature === '\0\x01\0\0' || signature === 'true' ? 'ttf' : 'unknown_format'
}

export const isFontFault = (format: FontFormat | FontFault): format is FontFault =>
  format !== 'otf' && format !== 'ttf' && format !== 'woff2'

const MAX_TABLES = 200
const REQUIRED = ['OS/2', 'cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'post']

/** What the licence of a font allows (OpenType, OS/2 table, `fsType`). */
export interface FontRights {
  mayBeEmbedded: boolean
  mayBeSubset: boolean
}

/** The rights in a font that is not packed; null where its tables are not those of a font, or leave the file. */
export function rightsOf(font: Uint8Array): FontRights | null {
  const bytes = Buffer.from(font.buffer, font.byteOffset, font.byteLength)
  const tables = tablesOf(bytes)
  const outlines = ['glyf', 'CFF ', 'CFF2'].some((tag) => tables?.has(tag))
  const os2 = tables?.get('OS/2')
  if (!tables || !outlines || !os2 || os2.length < 10 || REQUIRED.some((tag) => !tables.has(tag))) return null
  const fsType = bytes.readUInt16BE(os2.offset + 8)
  return { mayBeEmbedded: (fsType & 0x0002) === 0, mayBeSubset: (fsType & 0x0100) === 0 }
}

interface Table {
  offset: number
  length: number
}

function tablesOf(bytes: Buffer): Map<string, Table> | null {
  if (bytes.length < 12) return null
  const count = bytes.readUInt16BE(4)
  if (count > MAX_TABLES || bytes.length < 12 + count * 16) return null
  const tables = new Map<string, Table>()
  for (let at = 12; at < 12 + count * 16; at += 16) {
    const [offset, length] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)]
    if (offset + length > bytes.length) return null
    tables.set(bytes.toString('latin1', at, at + 4), { offset, length })
  }
  return tables
}

/** An unpacked font is at most so large; the header of a WOFF2 has its unpacked size. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024

export function isBomb(woff2: Uint8Array): boolean {
  if (woff2.length < 48) return true
  const header = Buffer.from(woff2.buffer, woff2.byteOffset, 48)
  return header.readUInt32BE(8) !== woff2.length || header.readUInt32BE(16) > MAX_UNPACKED_BYTES
}
