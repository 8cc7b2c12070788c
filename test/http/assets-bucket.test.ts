import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { bucketBlobs } from '../../src/base/blobs/bucket-blobs'
import { MINUTE } from '../../src/base/lib/clock'
import { type BucketCall, type BucketServer, bucketServer, refusal } from '../support/bucket'
import { type Stage, stage } from '../support/cast'
import { boxOf, fontFiles, load, mp4, png, send, sent } from '../support/files'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

// Pictures, videos and fonts in a bucket that refuses, answers slowly or does not answer.

let s: Stage
let bucket: BucketServer
let dev: StaffCalls

beforeAll(async () => {
  bucket = bucketServer('AK')
  s = await stage({
    env: {
      SVC_STORAGE_URL: 's3://files/svc',
      AWS_ENDPOINT_URL: bucket.url,
      AWS_ACCESS_KEY_ID: 'AK',
      AWS_SECRET_ACCESS_KEY: 'a-secret',
    },
  })
  dev = staff(s).as('DEVELOPER')
})
beforeEach(() => {
  bucket.fault = () => null
  s.ctx.clock.advance(2 * MINUTE) // Uploads are counted by the minute, and whether the bucket works is remembered.
})
afterAll(() => s.close())

const longVideo = (bytes: number) => Buffer.concat([mp4(64, 36), boxOf('free', Buffer.alloc(bytes, 7))])
const keys = () => [...bucket.objects.keys()].sort()
const ids = async () => (await dataOf(dev.get('/assets'))).items.map(({ id }: { id: string }) => id)
const isWrite = ({ method }: BucketCall) => method === 'PUT' || method === 'POST'

/** Expects that an upload is refused because of the storage, and that nothing of it is left. */
async function refusedByStorage(path: string, bytes: Uint8Array) {
  const [objects, rows] = [keys(), await ids()]
  const answer = await send(s, path, bytes)
  expect([answer.status, answer.body.error?.code]).toEqual([503, 'ASSET_STORAGE_UNAVAILABLE'])
  expect(answer.body.error.message).not.toContain('a-secret')
  expect([keys(), await ids()]).toEqual([objects, rows])
}

/** Uses the bucket with little patience. */
async function impatiently(work: () => Promise<void>, patienceMs = 150) {
  const { config, state } = s.ctx
  if (config.storage.kind !== 's3') throw new Error('the storage is no bucket')
  const usual = state.blobs
  state.blobs = bucketBlobs(config.storage, patienceMs)
  await work().finally(() => Object.assign(state, { blobs: usual }))
}

test('every form of a picture, a video and a font is there, served, and gone when it is deleted', async () => {
  const picture = await sent(s, '/assets/image?name=hills.png', await png(700, 350))
  const video = await sent(s, '/assets/video?name=walk.mp4', longVideo(12_000_000))
  const folder = `files/svc/assets/${s.project.id}`
  expect(keys()).toEqual(
    [`${picture.id}/main`, `${picture.id}/w320`, `${picture.id}/w640`, `${video.id}/main`]
      .map((key) => `${folder}/${key}`)
      .sort(),
  )
  expect([video.width, bucket.open.size]).toEqual([64, 0])
  expect((await new Bun.Image((await load(s, `${picture.url}?w=320`)).bytes).metadata()).width).toBe(320)
  const part = await load(s, video.url, { range: 'bytes=9000000-9000009' })
  const whole = await load(s, video.url)
  expect([part.status, Buffer.from(part.bytes)]).toEqual([206, Buffer.from(whole.bytes.slice(9_000_000, 9_000_010))])
  for (const { id } of [picture, video]) await dataOf(dev.delete(`/assets/${id}`))
  expect(keys()).toEqual([])
  expect((await load(s, picture.url)).status).toBe(404)
  const family = await dataOf(dev.post('/fonts/families', { name: 'Geist' }))
  const { ttf } = await fontFiles()
  const face = await sent(s, `/fonts/families/${family.id}/faces?weight=400`, ttf)
  expect((await load(s, face.url)).bytes.length).toBe(face.woff2Bytes)
  await dataOf(dev.delete(`/fonts/families/${family.id}`))
  expect(keys()).toEqual([])
})

describe('a bucket that refuses', () => {
  test('everything is found out before a file is read', async () => {
    bucket.fault = () => refusal(403, 'AccessDenied')
    const before = bucket.calls.filter(isWrite).length
    await refusedByStorage('/assets/image?name=a.png', await png(40, 20))
    expect(bucket.calls.filter(isWrite)).toHaveLength(before)
  })

  test('writes leaves nothing of a picture, of which one form was written, and of a long video', async () => {
    bucket.fault = (call) => (isWrite(call) && call.key.endsWith('w320') ? refusal(403, 'AccessDenied') : null)
    await refusedByStorage('/assets/image?name=b.png', await png(700, 350))
    bucket.fault = (call) => (call.query.includes('partNumber=2') ? refusal(403, 'AccessDenied') : null)
    await refusedByStorage('/assets/video?name=b.mp4', longVideo(20_000_000))
    expect(bucket.open.size).toBe(0)
  })

  test('reads is 503 for visitors, without a cache that keeps it', async () => {
    const made = await sent(s, '/assets/image?name=c.png', await png(40, 20))
    bucket.fault = () => refusal(503, 'SlowDown')
    const { status, headers } = await load(s, made.url)
    expect([status, headers.get('cache-control')?.includes('immutable') ?? false]).toEqual([503, false])
    bucket.fault = () => null
    expect((await load(s, made.url)).status).toBe(200)
  })

  test('to delete does not keep the asset; the file is removed by the sweep', async () => {
    const made = await sent(s, '/assets/image?name=d.png', await png(40, 20))
    bucket.fault = ({ method }) => (method === 'DELETE' ? refusal(500, 'InternalError') : null)
    await dataOf(dev.delete(`/assets/${made.id}`))
    expect((await load(s, made.url)).status).toBe(404)
    const left = await s.ctx.db.select().from(s.ctx.tables.unsettledFiles)
    expect(left.map(({ folder }) => folder)).toContain(`assets/${s.project.id}/${made.id}`)
  })
})

describe('a bucket that is slow', () => {
  test('is waited for', async () => {
    bucket.fault = async () => {
      await Bun.sleep(40)
      return null
    }
    const made = await sent(s, '/assets/image?name=e.png', await png(400, 200))
    expect((await load(s, `${made.url}?w=320`)).status).toBe(200)
  })

  test('for ever is refused, for an upload and for a visitor', async () => {
    const made = await sent(s, '/assets/image?name=f.png', await png(40, 20))
    const never = new Promise<Response>(() => {})
    await impatiently(async () => {
      bucket.fault = (call) => (isWrite(call) ? never : null)
      await refusedByStorage('/assets/image?name=g.png', await png(40, 20))
      bucket.fault = ({ method }) => (method === 'HEAD' || method === 'GET' ? never : null)
      expect((await load(s, made.url)).status).toBe(503)
    })
    bucket.fault = () => null
    expect((await load(s, made.url)).status).toBe(200)
  })
})
