import { crc32 } from 'node:zlib'
import { decompress } from 'wawoff2'
import type { Answer, Stage } from './cast'
import { browserOf, type StaffRole } from './staff'

/** One red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const sized = (width: number, height: number) => new Bun.Image(PIXEL).resize(width, height, { fit: 'fill' })

export const png = (width: number, height: number): Promise<Uint8Array> => sized(width, height).png().bytes()

/** A JPEG that says of itself that it must be turned by 90 degrees, and where it was taken. */
export async function sidewaysJpeg(width: number, height: number): Promise<Uint8Array> {
  const bytes = await sized(width, height).jpeg().bytes()
  const tiff = Buffer.from('49492a000800000001001201030001000000060000000000000000', 'hex')
  const content = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('GPS 52.5 13.4')])
  const head = Buffer.from([0xff, 0xe1, (content.length + 2) >> 8, (content.length + 2) & 255])
  return Buffer.concat([bytes.subarray(0, 2), head, content, bytes.subarray(2)])
}

/** A PNG whose header says that it has these sides, with the body of a small one. */
export function boastingPng(width: number, height: number): Uint8Array {
  const bytes = Buffer.from(PIXEL)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

const GIF_FRAME = '2c0000000001000100000202440100'
/** A GIF with so many frames, and a comment of so many bytes. */
export function gif(frames: number, comment = 0): Uint8Array {
  const blocks: Buffer[] = []
  for (let left = comment; left > 0; left -= 255) {
    const length = Math.min(left, 255)
    blocks.push(Buffer.from([length]), Buffer.alloc(length, 65))
  }
  return Buffer.concat([
    Buffer.from('47494638396101000100800000ff0000000000', 'hex'),
    ...(comment === 0 ? [] : [Buffer.from('21fe', 'hex'), ...blocks, Buffer.from([0])]),
    Buffer.from(GIF_FRAME.repeat(frames), 'hex'),
    Buffer.from([0x3b]),
  ])
}

/** A part of an MP4. */
export const boxOf = (name: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** The boxes of an MP4 of this size, with so many bytes of pictures and sound. */
export function mp4(width: number, height: number, bytes = 1000, brand = 'isom'): Uint8Array {
  const header = Buffer.alloc(84)
  header.writeUInt32BE(width << 16, 76)
  header.writeUInt32BE(height << 16, 80)
  const content = Buffer.from(Array.from({ length: bytes }, (_, at) => at % 251))
  return Buffer.concat([
    boxOf('ftyp', Buffer.from(`${brand}\0\0\0\0isom`, 'latin1')),
    boxOf('mdat', content),
    boxOf('moov', boxOf('trak', boxOf('tkhd', header))),
  ])
}

export const lottie = (more: object = {}): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ v: '5.7.4', fr: 30, ip: 0, op: 60, w: 200, h: 100, layers: [], ...more }))

interface Sending {
  role?: StaffRole
  headers?: Record<string, string>
  projectId?: string
}

/** Sends a file to a route of the stage's project, as the console does. */
export async function send(
  s: Stage,
  path: string,
  bytes: Uint8Array | ReadableStream<Uint8Array>,
  { role = 'DEVELOPER', headers = {}, projectId = s.project.id }: Sending = {},
): Promise<Answer> {
  const { origin, cookie } = browserOf(s)
  const response = await s.app.handle(
    new Request(`http://localhost/dashboard/projects/${projectId}${path}`, {
      method: 'POST',
      headers: { cookie: `${cookie}=${role}`, origin, ...headers },
      // None of these bytes are in shared memory.
      body: bytes as Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
    }),
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Sends a file that must be accepted. */
export async function sent(s: Stage, path: string, bytes: Uint8Array, options: Sending = {}) {
  const answer = await send(s, path, bytes, options)
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

/** Gets the bytes at an address, whatever its host. */
export async function load(s: Stage, url: string, headers: Record<string, string> = {}, method = 'GET') {
  const { pathname, search } = new URL(url, 'http://localhost')
  const response = await s.app.handle(new Request(`http://localhost${pathname}${search}`, { method, headers }))
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}

const GEIST = new URL(
  '../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  import.meta.url,
)

/** A font with Latin letters, as WOFF2 and as TTF. */
export async function fontFiles(): Promise<{ woff2: Uint8Array; ttf: Uint8Array }> {
  const woff2 = await Bun.file(GEIST).bytes()
  return { woff2, ttf: new Uint8Array(await decompress(woff2)) }
}

/** The font with other rights (OS/2 table, `fsType`). */
export function withRights(ttf: Uint8Array, fsType: number): Uint8Array {
  const bytes = Buffer.from(ttf)
  const record = bytes.indexOf('OS/2', 12, 'latin1')
  bytes.writeUInt16BE(fsType, bytes.readUInt32BE(record + 8) + 8)
  return new Uint8Array(bytes)
}
