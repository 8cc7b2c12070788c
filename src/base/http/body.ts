import { AppError } from '../errors'

export const MAX_BODY_BYTES = 1024 * 1024
export const MAX_DEPTH = 64

/** Takes the place of a body that is not a JSON object, because the key must be checked before the body is refused. */
export class BodyFault {
  constructor(readonly message: string) {}
}

/** An object in which a text cannot be stored. `value` is that object, for callers that can do without such texts. */
export class BadText extends BodyFault {
  constructor(readonly value: object) {
    super('Text must not hold NUL or unpaired surrogates')
  }
}

/** Throws 413 when the declared length is above the limit, before anything is read. */
export function refuseDeclaredSize(headers: Headers): void {
  const declared = Number(headers.get('content-length') ?? 0)
  if (declared > MAX_BODY_BYTES) throw tooLarge()
}

export const tooLarge = (maxBytes = MAX_BODY_BYTES): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', undefined, { message: `The body is over ${maxBytes} bytes` })

/** Parses the bytes as a JSON object, or says why they are not one. An empty body counts as `{}`. */
export function parseJsonObject(
  bytes: Uint8Array,
  contentType: string | null,
  encoding: string | null = null,
): object | BodyFault {
  if (bytes.length === 0) return {}
  if (encoding !== null && !/^\s*identity\s*$/i.test(encoding))
    return new BodyFault('Content-Encoding is not supported; send the body as it is')
  if (!isJson(contentType)) return new BodyFault('Content-Type must be application/json')
  const text = decodeUtf8(bytes)
  if (text === null) return new BodyFault('The body is not valid UTF-8')
  if (isTooDeep(text)) return new BodyFault(`The body is nested deeper than ${MAX_DEPTH} levels`)
  return parseObject(text)
}

function parseObject(text: string): object | BodyFault {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return new BodyFault('The body is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new BodyFault('The body must be a JSON object')
  return /\\u(0000|d[89a-f])/i.test(text) && hasBadText(value) ? new BadText(value) : value
}

const isJson = (contentType: string | null): boolean =>
  contentType === null || /^\s*application\/json\s*(;|$)/i.test(contentType)

const decoder = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

const QUOTE = 34
const BACKSLASH = 92

/** Counts open brackets outside of strings. Deep nesting would exhaust the stack of recursive functions later. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char === QUOTE) index = endOfString(text, index)
    else if (char === 91 || char === 123) depth++
    else if (char === 93 || char === 125) depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** Index of the quote that closes the string. It uses `indexOf`, because a receipt is one very long string. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote
}

function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (index - first) % 2 === 1
}

function hasBadText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed()
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => hasBadText(name) || hasBadText(member))
}
