/** Positions of an element's content; `end` is where the next element begins. */
interface Element {
  tag: number
  start: number
  end: number
}

const OBJECT_ID = 0x06
const SEQUENCE = 0x30
const EXTENSIONS = 0xa3

/** Whether a DER certificate carries the extension `oid` (dotted); false for malformed bytes. */
export function hasExtension(der: Uint8Array, oid: string): boolean {
  const wanted = encodeOid(oid)
  return extensionIds(der).some(({ start, end }) => Buffer.compare(der.subarray(start, end), wanted) === 0)
}

/** The object ids of Certificate > TBSCertificate > [3] > SEQUENCE OF Extension (RFC 5280, 4.1). */
function extensionIds(der: Uint8Array): Element[] {
  const [certificate] = childrenOf(der, { tag: SEQUENCE, start: 0, end: der.length })
  const [body] = childrenOf(der, certificate)
  const [list] = childrenOf(
    der,
    childrenOf(der, body).find(({ tag }) => tag === EXTENSIONS),
  )
  return childrenOf(der, list)
    .flatMap((extension) => childrenOf(der, extension).slice(0, 1))
    .filter(({ tag }) => tag === OBJECT_ID)
}

/** All elements inside `parent`; none when one of them is malformed. */
function childrenOf(der: Uint8Array, parent: Element | undefined): Element[] {
  const children: Element[] = []
  if (!parent) return children
  for (let at = parent.start; at < parent.end; ) {
    const element = readElement(der, at, parent.end)
    if (!element) return []
    children.push(element)
    at = element.end // Each element has at least two bytes, so the loop ends.
  }
  return children
}

/**
 * Null for a truncated element, and for long tags and indefinite or huge lengths, which DER certificates do not use.
 */
function readElement(der: Uint8Array, at: number, limit: number): Element | null {
  const tag = der[at] ?? 0x1f
  const first = der[at + 1] ?? 0x80
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if ((tag & 0x1f) === 0x1f || first === 0x80 || lengthBytes > 3) return null
  const start = at + 2 + lengthBytes
  let length = lengthBytes === 0 ? first : 0
  for (const byte of der.subarray(at + 2, start)) length = length * 256 + byte
  return start + length <= limit ? { tag, start, end: start + length } : null
}

/** Content bytes of an object id. The first two numbers share a byte; each further number is written in base 128. */
function encodeOid(oid: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  return Uint8Array.from([first * 40 + second, ...rest].flatMap(encodeBase128))
}

function encodeBase128(value: number): number[] {
  const digits = [value % 128]
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(128 + (left % 128))
  return digits
}
