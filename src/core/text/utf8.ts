/** The bytes of a text as UTF-8. Half of a surrogate pair becomes the replacement character. */
export function utf8(text: string): number[] {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes.push(...bytesOf(point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point))
  }
  return bytes
}

const REPLACEMENT = 0xfffd

function bytesOf(point: number): number[] {
  if (point < 0x80) return [point]
  if (point < 0x800) return [0xc0 | (point >> 6), tail(point)]
  if (point < 0x10000) return [0xe0 | (point >> 12), tail(point >> 6), tail(point)]
  return [0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point)]
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f)

/** The number of bytes of a text as UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (point >= 0x10000) at++
  }
  return bytes
}
