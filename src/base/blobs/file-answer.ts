import { matchesEtag } from '../http/etag'
import type { Blobs } from './blobs'

export interface ServedBlob {
  key: string
  contentType: string
  /** With its quotes. The bytes at an address never change, so browsers keep them for a year. */
  etag: string
}

/**
 * A stored file as an answer: 200, 206 for one range of it, 304, or 416 for a range behind its end. Null when the file is
 * gone.
 */
export async function fileAnswer(blobs: Blobs, request: Request, file: ServedBlob): Promise<Response | null> {
  const size = await blobs.size(file.key)
  if (size === null) return null
  const headers = headersOf(file)
  if (matchesEtag(request.headers.get('if-none-match'), file.etag)) return new Response(null, { status: 304, headers })
  const range = rangeOf(request.headers, file.etag, size)
  if (range === 'UNSATISFIABLE')
    return new Response(null, {
      status: 416,
      headers: { ...refusedHeaders(headers), 'content-range': `bytes */${size}` },
    })
  const { first, last } = range ?? { first: 0, last: size - 1 }
  const length = last - first + 1
  const all = { ...headers, 'content-length': String(length) }
  const more = range === null ? all : { ...all, 'content-range': `bytes ${first}-${last}/${size}` }
  const status = range === null ? 200 : 206
  if (request.method === 'HEAD') return new Response(null, { status, headers: more })
  const bytes = await blobs.read(file.key, first)
  if (bytes === null) return null
  return new Response(last === size - 1 ? bytes : firstBytes(bytes, length), { status, headers: more })
}

/** A page that a browser makes of the file itself may run nothing and load nothing. */
const headersOf = ({ contentType, etag }: ServedBlob): Record<string, string> => ({
  'content-type': contentType,
  'cache-control': 'public, max-age=31536000, immutable',
  etag,
  'accept-ranges': 'bytes',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
})

/** Without cache headers: a shared cache could answer a request for the whole file with this refusal. */
const refusedHeaders = ({ etag: _etag, ...headers }: Record<string, string>) => ({
  ...headers,
  'cache-control': 'no-store',
})

interface Range {
  first: number
  /** Included. */
  last: number
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/** The requested range (RFC 9110, section 14). Null = the whole file; a request for several ranges gets it too. */
export function rangeOf(headers: Headers, etag: string, size: number): Range | 'UNSATISFIABLE' | null {
  const [, from = '', to = ''] = RANGE.exec(headers.get('range')?.replaceAll(' ', '') ?? '') ?? []
  const condition = headers.get('if-range')
  if ((from === '' && to === '') || (condition !== null && condition !== etag)) return null
  const isSuffix = from === ''
  const first = isSuffix ? Math.max(size - Number(to), 0) : Number(from)
  const last = isSuffix || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (!isSuffix && to !== '' && Number(to) < first) return null
  return first > last || (isSuffix && Number(to) === 0) ? 'UNSATISFIABLE' : { first, last }
}

/** The stream up to a number of bytes; the rest is not read. */
function firstBytes(bytes: ReadableStream<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const reader = bytes.getReader()
  let left = length
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      controller.enqueue(value.subarray(0, left))
      left -= Math.min(left, value.length)
      if (left > 0) return
      controller.close()
      await reader.cancel()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
