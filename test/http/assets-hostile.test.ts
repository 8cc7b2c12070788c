import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { FairQueue } from '../../src/base/http/fair-queue'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { boxOf, fontFiles, gif, load, lottie, mp4, png, send, sent } from '../support/files'
import { auditRows, dataOf, refused } from '../support/operator'
import { type Staff, type StaffCalls, staff, staffId } from '../support/staff'

// Files, addresses and senders that mean harm.

let s: Stage
let people: Staff
let dev: StaffCalls
beforeAll(async () => {
  s = await stage()
  people = staff(s)
  dev = people.as('DEVELOPER')
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Uploads are counted by the minute.
afterAll(() => s.close())

const latin = (text: string) => Buffer.from(text, 'latin1')
/** An extension of a GIF, with one block of data. */
const extension = (label: string, data: string) =>
  Buffer.concat([Buffer.from(`21${label}`, 'hex'), latin(data), Buffer.from([0])])

describe('an animated GIF', () => {
  const moving = Buffer.from(gif(2))
  const xmp = extension('ff', '\x0bXMP DataXMP\x1ehttp://ns.adobe.com/xap/1.0/ G')
  const comment = extension('fe', '\x0bGPS 52 13 4')
  const repeats = extension('ff', '\x0bNETSCAPE2.0\x03\x01\0\0')
  /** The header and the colours, which are before the first block. */
  const [head, frames] = [moving.subarray(0, 19), moving.subarray(19)]

  test('loses what says where it was made, and what hides behind its end, and still moves', async () => {
    const hidden = latin('<script>alert(1)</script>')
    const bytes = Buffer.concat([head, xmp, repeats, comment, frames, hidden])
    const made = await sent(s, '/assets/image?name=dance.gif', bytes)
    expect([made.contentType, made.source.hadMetadata]).toEqual(['image/gif', true])
    const served = Buffer.from((await load(s, made.url)).bytes)
    expect(served.equals(Buffer.concat([head, repeats, frames]))).toBe(true)
  })

  test('that says nothing of the kind is kept as it is', async () => {
    const bytes = Buffer.concat([head, repeats, frames])
    const made = await sent(s, '/assets/image?name=dance.gif', bytes)
    expect(made.source.hadMetadata).toBe(false)
    expect(Buffer.from((await load(s, made.url)).bytes).equals(bytes)).toBe(true)
  })

  test('that is cut off within a block does no harm', async () => {
    for (const end of [20, 25, moving.length - 5, moving.length - 1]) {
      const answer = await send(s, '/assets/image?name=cut.gif', moving.subarray(0, end))
      expect([201, 400]).toContain(answer.status)
    }
  })
})

test('a video of thousands of boxes is looked through with few reads of the file storage', async () => {
  const { blobs } = s.ctx.state
  const read = blobs.read.bind(blobs)
  let reads = 0
  blobs.read = (key, offset) => {
    reads++
    return read(key, offset)
  }
  const inner = Buffer.concat(Array.from({ length: 100 }, () => boxOf('free')))
  const tracks = Array.from({ length: 100 }, () => boxOf('trak', inner))
  const start = boxOf('ftyp', latin('isom\0\0\0\0isom'))
  const made = await sent(s, '/assets/video?name=boxes.mp4', Buffer.concat([start, boxOf('moov', ...tracks)]))
  blobs.read = read
  expect(made.width).toBeNull()
  expect(reads).toBeLessThanOrEqual(200)
})

test('a range behind the end is refused to the one who asked, and no cache keeps the refusal', async () => {
  const { url } = await sent(s, '/assets/image?name=hills.png', await png(40, 20))
  const { status, headers } = await load(s, url, { range: 'bytes=999999-' })
  expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([416, 'no-store', null])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('an alternative text has at most as many languages as a funnel', async () => {
  const { id } = await sent(s, '/assets/image?name=words.png', await png(4, 4))
  const texts = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`en-x-a${at}`, 'Hills']))
  await dataOf(dev.patch(`/assets/${id}`, { alt: texts(100) }))
  await refused(s, () => dev.patch(`/assets/${id}`, { alt: texts(101) }), 400, 'VALIDATION_ERROR')
})

test('a family has no control characters in its name, and no page shows the name', async () => {
  for (const name of ['a\nb', '\u0007', 'a\u0000b', 'a\u009fb'])
    await refused(s, () => dev.post('/fonts/families', { name }), 400, 'VALIDATION_ERROR')
  const family = await dataOf(dev.post('/fonts/families', { name: '"}</style><script>alert(1)</script>' }))
  await sent(s, `/fonts/families/${family.id}/faces?weight=400`, (await fontFiles()).woff2)
  const pages = [{ id: 'a', type: 'info', title: { en: 'Hello' }, fields: [], next: { rules: [], default: null } }]
  const theme = { fonts: { body: family.id } }
  const { id, slug } = await dataOf(dev.post('/funnels', { slug: 'named', name: 'Named', pages, theme }))
  await dataOf(dev.post(`/funnels/${id}/publish`))
  const project = (await s.ctx.state.projects.get(s.project.id)).slug
  const html = new TextDecoder().decode((await load(s, `/f/${project}/${slug}`)).bytes)
  expect(html).toContain(`@font-face{font-family:"${family.id}"`)
  expect(html).not.toContain('alert(1)')
})

describe('who loses the right while the file is on its way', () => {
  /** A body whose last part comes after something happened. */
  const slow = (bytes: Uint8Array, meanwhile: () => void) =>
    new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(bytes.slice(0, bytes.length / 2)),
        pull(controller) {
          meanwhile()
          controller.enqueue(bytes.slice(bytes.length / 2))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
  const member = `${staffId('DEVELOPER')} `
  const key = () => member + s.project.id
  const without = async (change: () => void, path: string, bytes: Uint8Array) => {
    const before = [(await dataOf(dev.get('/assets'))).items.length, (await auditRows(s)).length]
    const answer = await send(s, path, slow(bytes, change))
    people.sessions.roles.set(key(), 'DEVELOPER')
    expect([(await dataOf(dev.get('/assets'))).items.length, (await auditRows(s)).length]).toEqual(before)
    expect(await s.ctx.db.select().from(s.ctx.tables.unsettledFiles)).toEqual([])
    return [answer.status, answer.body.error.code]
  }
  const removed = () => void people.sessions.roles.delete(key())
  const demoted = () => void people.sessions.roles.set(key(), 'CUSTOMER_SUPPORT')

  test('of a picture and of a video stores nothing', async () => {
    expect(await without(removed, '/assets/image?name=late', await png(20, 20))).toEqual([404, 'NOT_FOUND'])
    expect(await without(demoted, '/assets/image?name=late', await png(20, 20))).toEqual([403, 'CAPABILITY_REQUIRED'])
    expect(await without(removed, '/assets/video?name=late', mp4(10, 10))).toEqual([404, 'NOT_FOUND'])
  })

  test('of a font stores nothing', async () => {
    const family = await dataOf(dev.post('/fonts/families', { name: 'Late' }))
    const path = `/fonts/families/${family.id}/faces?weight=400`
    expect(await without(demoted, path, (await fontFiles()).woff2)).toEqual([403, 'CAPABILITY_REQUIRED'])
  })
})

test('the logo, a document and a change name no file of another project', async () => {
  const { id } = await sent(s, '/assets/image?name=mine.png', await png(4, 4))
  const foreign = { projectId: s.other.id }
  const owner = people.as('OWNER')
  people.sessions.roles.set(`${staffId('OWNER')} ${s.other.id}`, 'OWNER')
  await refused(s, () => owner.get(`/assets/${id}`, foreign), 404, 'NOT_FOUND')
  await refused(s, () => owner.patch(`/assets/${id}`, { name: 'x' }, foreign), 404, 'NOT_FOUND')
  await refused(s, () => owner.delete(`/assets/${id}`, foreign), 404, 'NOT_FOUND')
  await refused(s, () => owner.patch('', { logoAssetId: id }, foreign), 400, 'asset_missing')
  const theme = { logo: { asset: id } }
  const document = { slug: 'foreign', name: 'Foreign', theme }
  await refused(s, () => owner.post('/funnels', document, foreign), 400, 'asset_missing')
  expect(await dataOf(dev.get(`/assets/${id}`))).toMatchObject({ name: 'mine.png', references: [] })
})

describe('more files than fit into memory', () => {
  test('wait unread at their senders, and are refused when that takes too long', async () => {
    const usual = s.ctx.state.uploadQueue
    const waiting = Promise.withResolvers<() => void>()
    const after = (_ms: number, end: () => void) => {
      waiting.resolve(end)
      return () => {}
    }
    s.ctx.state.uploadQueue = new FairQueue({ places: 1, placesOfGroup: 1, waitingOfGroup: 1, patienceMs: 1 }, after)
    const slow = new TransformStream<Uint8Array, Uint8Array>()
    const writer = slow.writable.getWriter()
    const first = send(s, '/assets/image?name=first.png', slow.readable)
    const bytes = await png(30, 20)
    await writer.write(bytes.slice(0, 10)) // Its body is being read.
    let reads = 0
    const unread = new ReadableStream({ pull: () => void reads++ }, { highWaterMark: 0 })
    const second = send(s, '/assets/image?name=second.png', unread)
    const endPatience = await waiting.promise
    const third = await send(s, `/assets/lottie?name=third`, lottie())
    expect([third.status, third.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    endPatience()
    const refusal = await second
    expect([refusal.status, refusal.body.error.code, reads]).toEqual([503, 'QUEUE_UNAVAILABLE', 0])
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    await writer.write(bytes.slice(10))
    await writer.close()
    expect((await first).status).toBe(201)
    expect(await sent(s, '/assets/image?name=fourth.png', bytes)).toMatchObject({ width: 30, height: 20 })
    s.ctx.state.uploadQueue = usual
  })
})
