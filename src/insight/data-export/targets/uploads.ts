import type { OutgoingCalls } from '../../../base/http/outgoing'
import { settlesWithin } from '../../../base/jobs/within'
import { MINUTE, SECOND } from '../../../base/lib/clock'
import { reasonText } from '../../../core/reason/reasons'

/** Puts objects into a bucket. */
export interface Uploads {
  file(key: string, path: string): Promise<void>
  text(key: string, text: string): Promise<void>
}

const PART_BYTES = 8 * 1024 * 1024
const UPLOAD_MS = 30 * MINUTE

/** By Bun's client, a large file in parts. It follows redirects, as a bucket of Amazon in another region needs it. */
export const clientUploads = (client: Bun.S3Client): Uploads => ({
  file: (key, path) => inTime(inParts(client.file(key), path)),
  text: (key, text) => inTime(client.write(key, text, { type: 'application/json' })),
})

async function inParts(target: Bun.S3File, path: string): Promise<void> {
  const writer = target.writer({ partSize: PART_BYTES, queueSize: 2, retry: 3, type: 'application/octet-stream' })
  for await (const chunk of Bun.file(path).stream()) {
    writer.write(chunk)
    await writer.flush() // Without this, a slow bucket would let the whole file gather in memory.
  }
  await writer.end()
}

async function inTime(work: Promise<unknown>): Promise<void> {
  try {
    if (await settlesWithin(work, UPLOAD_MS)) return
  } catch (error) {
    const { code = 'no code', message } = error as { code?: string; message: string }
    throw new Error(reasonText('BUCKET_REFUSED', { words: `${code}, ${message}` }))
  }
  throw new Error(reasonText('BUCKET_SLOW'))
}

/**
 * By signed requests through the guard of addresses that users gave: each call goes to the address that was checked, and
 * no redirect is followed. Bun's client would follow one into a private network. A file is one request, which an object
 * of this size may be.
 */
export const guardedUploads = (client: Bun.S3Client, guard: OutgoingCalls): Uploads => ({
  file: (key, path) => put(client, guard, key, Bun.file(path)),
  text: (key, text) => put(client, guard, key, text),
})

const LIMITS = { timeoutMs: UPLOAD_MS, maxBytes: 16 * 1024, isCut: true }

async function put(client: Bun.S3Client, guard: OutgoingCalls, key: string, body: string | Blob): Promise<void> {
  const signed = new URL(client.presign(key, { method: 'PUT', expiresIn: (2 * UPLOAD_MS) / SECOND }))
  const address = `${signed.origin}${signed.pathname}`
  const answer = await guard.call(address, { method: 'PUT', body, secretQuery: signed.search }, LIMITS)
  if (!answer.ok) throw new Error(reasonText('BUCKET_UNREACHABLE', { answer: answer.reason }))
  if (answer.status === 200) return
  const [, code = 'no code'] = /<Code>(\w{1,60})<\/Code>/.exec(new TextDecoder().decode(answer.body)) ?? []
  throw new Error(reasonText('BUCKET_REFUSED', { words: `status ${answer.status}, ${code}` }))
}
