import { Buffer } from 'node:buffer'

/** The byte orders of UTF-16, by the mark at the start of a text. */
export type ByteOrder = 'LITTLE' | 'BIG'

export function utf16OrderOf(first: Uint8Array): ByteOrder | null {
  if (first[0] === 0xff && first[1] === 0xfe) return 'LITTLE'
  return first[0] === 0xfe && first[1] === 0xff ? 'BIG' : null
}

/** UTF-8 of a text in UTF-16, without its mark. Half a character becomes a byte that UTF-8 does not have. */
export async function* utf16ToUtf8(parts: AsyncIterable<Uint8Array>, order: ByteOrder): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true
  for await (const part of parts) {
    const bytes = Buffer.concat([rest, part])
    const whole = wholeLength(bytes, order)
    rest = Buffer.from(bytes.subarray(whole))
    const text = textOf(bytes.subarray(0, whole), order)
    const shown = isFirst && whole > 0 ? text.slice(1) : text
    isFirst &&= whole === 0
    if (shown !== '') yield encode(shown)
  }
  if (rest.length > 0) yield NOT_UTF8
}

/** Without half a character at the end. */
function wholeLength(bytes: Buffer, order: ByteOrder): number {
  const even = bytes.length - (bytes.length % 2)
  const high = even < 2 ? 0 : (bytes[order === 'LITTLE' ? even - 1 : even - 2] as number)
  return high >= 0xd8 && high <= 0xdb ? even - 2 : even
}

const textOf = (bytes: Buffer, order: ByteOrder): string =>
  (order === 'LITTLE' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le')

const NOT_UTF8 = new Uint8Array([0xff])

function encode(text: string): Uint8Array {
  if (text.isWellFormed()) return Buffer.from(text)
  return Buffer.concat([...text].map((character) => (character.isWellFormed() ? Buffer.from(character) : NOT_UTF8)))
}
