/** Positions of an element's content; `end` is where the next element starts. */
interface Element {
  tag: number
  start: number
  end: number
}

export const BOOLEAN = 0x01
export const INTEGER = 0x02
export const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
export const SEQUENCE = 0x30
const EXTENSIONS = 0xa3

/** An extension of a certificate. `id` is the hexadecimal text of its object id's content. */
export interface Extension {
  id: string
  isCritical: boolean
  /** The DER bytes inside of its OCTET STRING. */
  value: Uint8Array
}

/** Whether a DER certificate carries the extension `oid` (dotted); false for malformed bytes. */
export function hasExtension(der: Uint8Array, oid: string): boolean {
  const wanted = extensionId(oid)
  return (readExtensions(der) ?? []).some(({ id }) => id === wanted)
}

/** The `id` of a dotted object id. */
export const extensionId = (oid: string): string => Buffer.from(encodeOid(oid)).toString('hex')

/**
 * Certificate > TBSCertificate > [3] > SEQUENCE OF Extension (RFC 5280, 4.1). Empty for a certificate without
 * extensions; null when one of them is malformed.
 */
export function readExtensions(der: Uint8Array): Extension[] | null {
  const [certificate] = childrenOf(der, { tag: SEQUENCE, start: 0, end: der.length })
  const [body] = childrenOf(der, certificate)
  const [list] = childrenOf(
    der,
    childrenOf(der, body).find(({ tag }) => tag === EXTENSIONS),
  )
  const extensions = childrenOf(der, list).map((element) => readExtension(der, element))
  return extensions.every((extension) => extension !== null) ? extensions : null
}

/** SEQUENCE { id, critical BOOLEAN DEFAULT FALSE, value OCTET STRING }. */
function readExtension(der: Uint8Array, element: Element): Extension | null {
  const parts = childrenOf(der, element)
  const [id, value] = [parts[0], parts.at(-1)]
  const critical = parts.length === 3 ? parts[1] : null
  if (parts.length < 2 || parts.length > 3 || id?.tag !== OBJECT_ID || value?.tag !== OCTET_STRING) return null
  if (critical !== null && critical?.tag !== BOOLEAN) return null
  const isCritical = critical !== null && contentOf(der, critical).some((byte) => byte !== 0)
  return { id: Buffer.from(contentOf(der, id)).toString('hex'), isCritical, value: contentOf(der, value) }
}

/** The content of the first element in `der` when it has this tag, with its own elements; else null. */
export function readValue(der: Uint8Array, tag: number): { content: Uint8Array; children: DerValue[] } | null {
  const element = readElement(der, 0, der.length)
  if (element?.tag !== tag || element.end !== der.length) return null
  const children = tag === SEQUENCE ? childrenOf(der, element) : []
  return {
    content: contentOf(der, element),
    children: children.map((child) => ({ tag: child.tag, content: contentOf(der, child) })),
  }
}

export interface DerValue {
  tag: number
  content: Uint8Array
}

const contentOf = (der: Uint8Array, { start, end }: Element): Uint8Array => der.subarray(start, end)

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
