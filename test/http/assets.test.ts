import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HOUR, MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { boastingPng, boxOf, gif, load, lottie, mp4, png, send, sent, sidewaysJpeg } from '../support/files'
import { auditRows, dataOf, ifMatch, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

const MB = 1024 * 1024
let s: Stage
let dev: StaffCalls
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Uploads are counted by the minute.
afterAll(() => s.close())

const folder = () => join(s.ctx.config.dataDir, 'blobs', 'assets', s.project.id)
/** The files of the project on disk, unfinished ones too. */
const files = () => (existsSync(folder()) ? readdirSync(folder(), { recursive: true }).map(String).sort() : [])
const ids = async () => (await dataOf(dev.get('/assets'))).items.map(({ id }: { id: string }) => id)

/** Expects that a file is refused, and that neither a row nor a byte of it is left. */
async function refusedFile(path: string, bytes: Uint8Array | ReadableStream<Uint8Array>, status: number, code: string) {
  const [before, rows, audit] = [files(), await ids(), (await auditRows(s)).length]
  const answer = await send(s, path, bytes)
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  expect([files(), await ids(), (await auditRows(s)).length]).toEqual([before, rows, audit])
  expect(await s.ctx.db.select().from(s.ctx.tables.unsettledFiles)).toEqual([])
  return answer.body.error.details
}

describe('a file is refused', () => {
  const text = (value: string) => new TextEncoder().encode(value)

  test.each([
    ['that is an SVG', 'image', text('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
    ['that is a page with the name of a picture', 'image', text('<!doctype html><script>1</script>')],
    ['that is a video sent as a picture', 'image', mp4(10, 10)],
    ['that is empty', 'image', new Uint8Array()],
    ['that is a picture sent as a video', 'video', gif(1)],
    ['that is a QuickTime file', 'video', mp4(10, 10, 10, 'qt  ')],
    ['that is a page sent as an animation', 'lottie', text('<html>')],
    ['that is JSON without layers', 'lottie', text('{"v":"5.7.4","w":1,"h":1,"fr":30,"ip":0,"op":1}')],
    ['that has a size that is no number', 'lottie', lottie({ w: '200' })],
  ])('%s', async (_what, kind, bytes) => {
    const details = await refusedFile(`/assets/${kind}?name=night.png`, bytes, 400, 'ASSET_FORMAT_UNSUPPORTED')
    expect(details).toEqual({ kind })
  })

  test.each(['', '%2e%2e%2fetc', 'caf%C3%A9', 'x'.repeat(121), '%20', 'a/b'])('with the name %p', async (name) => {
    await refusedFile(`/assets/image?name=${name}`, gif(1), 400, 'ASSET_INVALID_NAME')
  })

  test('without a name, before its bytes are looked at', async () => {
    await refusedFile('/assets/image', new Uint8Array(11 * MB), 400, 'ASSET_INVALID_NAME')
  })

  test.each([
    ['image', 10 * MB, gif(1)],
    ['lottie', 2 * MB, lottie()],
    ['video', 50 * MB, mp4(10, 10)],
  ])('of the kind %s above its size, also when it does not say how large it is', async (kind, most, start) => {
    const path = `/assets/${kind}?name=large`
    const bytes = new Uint8Array(most + 1)
    bytes.set(start)
    await refusedFile(path, bytes, 413, 'ASSET_FILE_TOO_LARGE')
    await refusedFile(path, new Blob([bytes]).stream(), 413, 'ASSET_FILE_TOO_LARGE')
  })

  test('that would need gigabytes to be decoded, by its header', async () => {
    const details = await refusedFile(
      '/assets/image?name=bomb.png',
      boastingPng(20_000, 20_000),
      400,
      'ASSET_PROCESSING_FAILED',
    )
    expect(details).toEqual({ reason: 'too_many_pixels' })
  })

  test('that is cut off', async () => {
    const whole = await png(400, 300)
    const details = await refusedFile('/assets/image?name=cut', whole.slice(0, 90), 400, 'ASSET_PROCESSING_FAILED')
    expect(details).toEqual({ reason: 'unreadable' })
  })

  test('that moves and is over 2 MiB, because only its first frame could be made smaller', async () => {
    const details = await refusedFile('/assets/image?name=dance.gif', gif(2, 2 * MB), 400, 'ASSET_PROCESSING_FAILED')
    expect(details).toEqual({ reason: 'animated_too_large' })
  })

  test('whose sender goes away in the middle', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(mp4(10, 10)),
      pull: (controller) => controller.error(new Error('the connection is gone')),
    })
    await refusedFile('/assets/video?name=half.mp4', broken, 400, 'VALIDATION_ERROR')
  })

  test('of a role that may not change funnels, and of another project', async () => {
    const asked = (role: 'CUSTOMER_SUPPORT' | 'STRANGER') => send(s, '/assets/image?name=a', gif(1), { role })
    expect((await asked('CUSTOMER_SUPPORT')).status).toBe(403)
    expect((await asked('STRANGER')).status).toBe(404)
    expect((await send(s, '/assets/image?name=a', gif(1), { projectId: s.other.id })).status).toBe(404)
    expect(await ids()).toEqual([])
  })

  test('after 20 in a minute', async () => {
    const all = await Promise.all(Array.from({ length: 21 }, () => send(s, '/assets/image', gif(1))))
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(20).fill(400), 429])
  })
})

describe('a picture', () => {
  test('becomes a WebP of at most 2048 pixels with smaller ones, upright and without metadata', async () => {
    const bytes = await sidewaysJpeg(3000, 1500)
    const made = await sent(s, '/assets/image?name=hills.jpg', bytes)
    expect(made).toMatchObject({
      ...{ name: 'hills.jpg', kind: 'image', contentType: 'image/webp', width: 1024, height: 2048 },
      ...{ widths: [320, 640], references: [], alt: {}, revision: 1 },
      source: { format: 'jpeg', bytes: bytes.length, hadMetadata: true },
    })
    const widths = []
    for (const wanted of ['', '?w=320', '?w=640', '?w=1080', '?w=2048']) {
      const { status, headers, bytes: served } = await load(s, made.url + wanted)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(Buffer.from(served).includes('GPS')).toBe(false)
      widths.push((await new Bun.Image(served).metadata()).width)
    }
    expect(widths).toEqual([1024, 320, 640, 1024, 1024])
  })

  test('that is small is never made larger', async () => {
    const made = await sent(s, '/assets/image?name=dot', await png(20, 10))
    expect([made.width, made.height, made.widths]).toEqual([20, 10, []])
    expect((await new Bun.Image((await load(s, `${made.url}?w=320`)).bytes).metadata()).width).toBe(20)
  })

  test('that moves is kept as it is', async () => {
    const bytes = gif(2)
    const made = await sent(s, '/assets/image?name=dance.gif', bytes)
    expect([made.contentType, made.widths]).toEqual(['image/gif', []])
    expect(Buffer.from((await load(s, made.url)).bytes).equals(bytes)).toBe(true)
  })
})

test('an animation and a video keep their bytes, and their sizes are read', async () => {
  const animation = await sent(s, '/assets/lottie?name=breath.json', lottie())
  expect([animation.contentType, animation.width, animation.height]).toEqual(['application/json', 200, 100])
  const bytes = mp4(640, 360, 70_000)
  const video = await sent(s, '/assets/video?name=walk.mp4', bytes)
  expect([video.contentType, video.width, video.height, video.bytes]).toEqual(['video/mp4', 640, 360, bytes.length])
  expect(Buffer.from((await load(s, video.url)).bytes).equals(bytes)).toBe(true)
})

test('a video loses its place and keeps its pictures where they were', async () => {
  const place = Buffer.from('+52.5200+013.4050/')
  const film = (name: string, content: Uint8Array) => Buffer.concat([mp4(64, 36, 90_000), boxOf(name, content)])
  const made = await sent(s, '/assets/video?name=trip.mp4', film('udta', place))
  expect(made).toMatchObject({ width: 64, source: { format: 'mp4', hadMetadata: true } })
  const served = Buffer.from((await load(s, made.url)).bytes)
  expect(served.equals(film('free', new Uint8Array(place.length)))).toBe(true)
})

describe('an address', () => {
  let url: string
  const bytes = mp4(64, 36, 5000)
  beforeAll(async () => {
    url = (await sent(s, '/assets/video?name=served.mp4', bytes)).url
  })

  test('is kept for a year, may be read by every page and runs nothing', async () => {
    const { status, headers } = await load(s, url, { origin: 'https://shop.example' })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const again = await load(s, url, { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, bytes.length],
    ['bytes=-40', bytes.length - 40, bytes.length],
    ['bytes=10-999999', 10, bytes.length],
  ])('gives the range %s', async (range, first, end) => {
    const part = await load(s, url, { range })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes ${first}-${end - 1}/${bytes.length}`)
    expect(Buffer.from(part.bytes).equals(bytes.slice(first, end))).toBe(true)
  })

  test.each(['bytes=999999-', 'bytes=-0'])('refuses the range %s, which is behind the end', async (range) => {
    const part = await load(s, url, { range })
    expect([part.status, part.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
  })

  test.each(['bytes=5-2', 'bytes=0-1,5-6', 'items=0-1', 'bytes=a-b', 'bytes=-'])(
    'gives all of it for %s',
    async (range) => {
      expect((await load(s, url, { range })).status).toBe(200)
    },
  )

  test('gives all of it when the range is of other bytes', async () => {
    expect((await load(s, url, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
  })

  test('is 404 with any part of it wrong, and never leaves the folder', async () => {
    const [, , project, id, hash] = new URL(url).pathname.split('/')
    for (const path of [
      `/assets/${project}/${id}/${'0'.repeat(32)}`,
      `/assets/${s.other.id}/${id}/${hash}`,
      `/assets/${project}/ast_00000000000000000000000000/${hash}`,
      `/assets/${project}/..%2f..%2fmaster.key/${hash}`,
      `/assets/${project}/${id}/..%2fmain`,
      `/assets/${project}/${id}%00/${hash}`,
      `/assets/..%2f${project}/${id}/${hash}`,
    ])
      expect([path, (await load(s, path)).status]).toEqual([path, 404])
    expect((await load(s, `${url}?w=100`)).status).toBe(400)
  })
})

describe('a change', () => {
  test('of the name and the alternative text leaves the bytes, and is refused for another revision', async () => {
    const made = await sent(s, '/assets/image?name=old.png', await png(30, 30))
    const alt = { en: 'A red square', tr: 'Kırmızı kare' }
    const changed = await dataOf(dev.patch(`/assets/${made.id}`, { name: 'new.png', alt }))
    expect(changed).toMatchObject({ name: 'new.png', alt, url: made.url, revision: 2 })
    await refused(s, () => dev.patch(`/assets/${made.id}`, { name: 'x' }, ifMatch(1)), 409, 'CONFLICT')
    await refused(s, () => dev.patch(`/assets/${made.id}`, { name: 'ä' }), 400, 'ASSET_INVALID_NAME')
    await refused(s, () => dev.patch(`/assets/${made.id}`, { alt: { en_US: 'x' } }), 400, 'VALIDATION_ERROR')
    await refused(s, () => dev.patch(`/assets/${made.id}`, { kind: 'video' }), 400, 'VALIDATION_ERROR')
  })

  test('of an asset of another project is 404', async () => {
    const made = await sent(s, '/assets/image?name=own.png', await png(30, 30))
    const elsewhere = { projectId: s.other.id }
    await refused(s, () => dev.patch(`/assets/${made.id}`, { name: 'x' }, elsewhere), 404, 'NOT_FOUND')
    await refused(s, () => dev.delete(`/assets/${made.id}`, elsewhere), 404, 'NOT_FOUND')
    expect((await dev.get(`/assets/${made.id}`)).status).toBe(200)
  })
})

describe('deleting', () => {
  const page = (props: object) => ({
    id: 'a',
    type: 'info',
    title: { en: 'Hello' },
    blocks: [{ id: 'p', type: 'image', props }],
  })

  test('takes the bytes away at once', async () => {
    const made = await sent(s, '/assets/image?name=gone.png', await png(700, 700))
    expect(files().some((file) => file.startsWith(made.id))).toBe(true)
    await dataOf(dev.delete(`/assets/${made.id}`))
    expect((await load(s, made.url)).status).toBe(404)
    expect(files().some((file) => file.startsWith(made.id))).toBe(false)
    expect((await dev.delete(`/assets/${made.id}`)).status).toBe(404)
  })

  test('is refused while a draft or the published version shows it, and possible for older versions', async () => {
    const { id } = await sent(s, '/assets/image?name=used.png', await png(40, 40))
    const funnel = await dataOf(dev.post('/funnels', { slug: 'uses', name: 'Uses', pages: [page({ asset: id })] }))
    const inUse = async () => {
      const { references } = await refused(s, () => dev.delete(`/assets/${id}`), 409, 'asset_in_use')
      expect((await dataOf(dev.get(`/assets/${id}`))).references).toEqual(references)
      return references
    }
    const paths = ['pages[0].blocks[0].props']
    const reference = { kind: 'funnel', id: funnel.id, name: 'Uses', paths }
    expect(await inUse()).toEqual([{ ...reference, state: 'draft' }])
    await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
    await dataOf(dev.patch(`/funnels/${funnel.id}`, { pages: [{ id: 'a', type: 'info', title: { en: 'Hello' } }] }))
    expect(await inUse()).toEqual([{ ...reference, state: 'live' }])
    await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
    await dataOf(dev.delete(`/assets/${id}`))
  })

  test('is refused while it is the logo of the project', async () => {
    const { id, url } = await sent(s, '/assets/image?name=logo.png', await png(40, 40))
    const admin = staff(s).as('ADMIN')
    expect((await dataOf(admin.patch('', { logoAssetId: id }))).logoUrl).toBe(url)
    const { references } = await refused(s, () => dev.delete(`/assets/${id}`), 409, 'asset_in_use')
    expect(references).toEqual([expect.objectContaining({ kind: 'project', id: s.project.id })])
    const other = await sent(s, '/assets/lottie?name=move', lottie())
    await refused(s, () => admin.patch('', { logoAssetId: other.id }), 400, 'asset_missing')
    expect((await dataOf(admin.patch('', { logoAssetId: null }))).logoUrl).toBe(null)
    await dataOf(dev.delete(`/assets/${id}`))
  })
})

type AssetLimit = (handle: unknown, projectId: string) => Promise<number | null>

describe('the storage of a project', () => {
  const limited = async <Result>(limit: number | null, work: () => Promise<Result>): Promise<Result> => {
    const limits = s.ctx.hooks.assetLimit as AssetLimit[] // Read-only for all but this test.
    const before = limits.splice(0, limits.length, async () => limit)
    return work().finally(() => limits.splice(0, limits.length, ...before))
  }
  const used = async () => (await dataOf(dev.get('/assets?limit=1'))).usage

  test('has no limit of its own', async () => {
    expect(await used()).toMatchObject({ limitBytes: null, level: 'ok' })
  })

  test('is not exceeded by two uploads at once', async () => {
    const { bytes } = await used()
    const video = mp4(10, 10, 10_000)
    await limited(bytes + video.length + 100, async () => {
      const both = await Promise.all([1, 2].map((no) => send(s, `/assets/video?name=v${no}`, video)))
      expect(both.map(({ status }) => status).sort()).toEqual([201, 402])
      expect(await used()).toEqual({
        bytes: bytes + video.length,
        limitBytes: bytes + video.length + 100,
        level: 'near',
      })
      await refusedFile('/assets/video?name=v3', video, 402, 'ASSET_QUOTA_EXCEEDED')
    })
  })

  test('is asked before a picture is decoded', async () => {
    await limited(0, () =>
      refusedFile('/assets/image?name=bomb', boastingPng(20_000, 20_000), 402, 'ASSET_QUOTA_EXCEEDED'),
    )
  })
})

test('a list has pages, newest first, and those of another project are not in it', async () => {
  const all = await ids()
  const first = await dataOf(dev.get('/assets?limit=2'))
  const second = await dataOf(dev.get(`/assets?limit=2&cursor=${first.nextCursor}`))
  const found = [...first.items, ...second.items].map(({ id }: { id: string }) => id)
  expect(found).toEqual(all.slice(0, 4))
  expect((await dev.get('/assets', { projectId: s.other.id })).status).toBe(404)
})

test('what an interrupted upload has left is removed after six hours, and nothing else', async () => {
  const kept = await sent(s, '/assets/image?name=kept.png', await png(50, 50))
  const lost = `assets/${s.project.id}/ast_lost`
  const { blobs } = s.ctx.state
  await blobs.write(`${lost}/main`, new Blob(['half']).stream())
  await s.ctx.db.insert(s.ctx.tables.unsettledFiles).values({ folder: lost, createdAt: s.ctx.clock.now() })
  const sweep = () =>
    Promise.all(
      (s.ctx.hooks.retention ?? [])
        .flat()
        .map((rule) => rule.name.startsWith('files of interrupted') && rule.sweep(s.ctx, () => false)),
    )
  await sweep()
  expect(await blobs.size(`${lost}/main`)).toBe(4)
  s.ctx.clock.advance(6 * HOUR + 1)
  await sweep()
  expect(await blobs.size(`${lost}/main`)).toBe(null)
  expect(await s.ctx.db.select().from(s.ctx.tables.unsettledFiles)).toEqual([])
  expect((await load(s, kept.url)).status).toBe(200)
})

test('without a place for files an upload is refused first, and everything else works', async () => {
  const without = await stage({ env: { SVC_STORAGE_URL: 'off' } })
  const calls = staff(without).as('DEVELOPER')
  const answer = await send(without, '/assets/image', new Uint8Array())
  expect([answer.status, answer.body.error.code]).toEqual([503, 'ASSET_STORAGE_UNAVAILABLE'])
  expect((await dataOf(calls.get('/assets'))).items).toEqual([])
  await without.close()
})
