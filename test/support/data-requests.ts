import { crc32, inflateRawSync } from 'node:zlib'
import { createRegistry } from '../../src/base/jobs/registry'
import { Worker } from '../../src/base/jobs/worker'
import { dataRequestJob } from '../../src/moving/data-requests/jobs'
import type { Answer, Stage } from './cast'

type Options = Parameters<Stage['post']>[2]

const asServer = (s: Stage, options: Options = {}): Options => ({ key: s.project.secretKey, ...options })

/** Opens a request as the customer's server does. */
export const openRequest = (
  s: Stage,
  type: 'export' | 'erasure',
  appUserId: string,
  options: Options = {},
  requestedBy = 'support@example.com',
): Promise<Answer> => s.post(`/v1/dsar/${type}`, { appUserId, requestedBy }, asServer(s, options))

export const getRequest = async (s: Stage, id: string, options: Options = {}) =>
  s.get(`/v1/dsar/${id}`, undefined, asServer(s, options))

/** The request as the customer's server sees it now. */
export const requestNow = async (s: Stage, id: string) => (await getRequest(s, id)).body.data.request

/** Runs the jobs that are due. */
export const work = (s: Stage): Promise<number> => new Worker(s.ctx, createRegistry([dataRequestJob])).runDue()

export async function download(s: Stage, id: string, key: string | null = s.project.secretKey): Promise<Response> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  return s.app.handle(new Request(`http://localhost/v1/dsar/${id}/download`, { headers }))
}

/** Opens an export, works on it, and reads its files. */
export async function exportOf(s: Stage, appUserId: string): Promise<Map<string, string>> {
  const { status, body } = await openRequest(s, 'export', appUserId)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  await work(s)
  const response = await download(s, body.data.request.id)
  if (response.status !== 200)
    throw new Error(`${response.status} ${JSON.stringify(await requestNow(s, body.data.request.id))}`)
  return unzip(Buffer.from(await response.arrayBuffer()))
}

/** The files of a zip by name. Throws when sizes or checksums are not those of its directory. */
export function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('the zip has no end')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, unpacked] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
    const nameLength = zip.readUInt16LE(at + 28)
    const offset = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const start = offset + 30 + zip.readUInt16LE(offset + 26)
    const bytes = inflateRawSync(zip.subarray(start, start + packed))
    if (bytes.length !== unpacked || crc32(bytes) !== crc) throw new Error(`${name} is damaged`)
    files.set(name, bytes.toString())
    at += 46 + nameLength
  }
  return files
}

/** The rows of a `.jsonl` file. */
// biome-ignore lint/suspicious/noExplicitAny: tests read rows of many shapes.
export const linesOf = (files: ReadonlyMap<string, string>, name: string): any[] =>
  (files.get(name) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
