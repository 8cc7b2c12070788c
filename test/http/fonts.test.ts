import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { decompress } from 'wawoff2'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { fontFiles, gif, load, send, sent, withRights } from '../support/files'
import { auditRows, changes, dataOf, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

const MB = 1024 * 1024
let s: Stage
let dev: StaffCalls
let ttf: Uint8Array
let woff2: Uint8Array
let family: { id: string }
let faces: string
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  ;({ ttf, woff2 } = await fontFiles())
  family = await changes(s, () => dev.post('/fonts/families', { name: 'Geist' }), ['font_family.create'], 201)
  faces = `/fonts/families/${family.id}/faces`
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Uploads are counted by the minute.
afterAll(() => s.close())

const folder = () => join(s.ctx.config.dataDir, 'blobs', 'fonts', s.project.id)
const files = () => (existsSync(folder()) ? readdirSync(folder(), { recursive: true }).map(String).sort() : [])
const families = async () => (await dataOf(dev.get('/fonts/families'))).items

/** Expects that a file is refused, and that nothing of it is left. */
async function refusedFace(query: string, bytes: Uint8Array, code: string, status = 400, path = faces) {
  const before = [files(), await families(), (await auditRows(s)).length]
  const answer = await send(s, `${path}?${query}`, bytes)
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  expect([files(), await families(), (await auditRows(s)).length]).toEqual(before)
  expect(await s.ctx.db.select().from(s.ctx.tables.unsettledFiles)).toEqual([])
  return answer.body.error.details
}

describe('a face is refused', () => {
  const head = (text: string) => Buffer.from(text.padEnd(100, '\0'), 'latin1')
  const cut = () => ttf.slice(0, ttf.length / 2)
  const wrongSize = () => {
    const bytes = Buffer.from(woff2)
    bytes.writeUInt32BE(1024 * MB, 16)
    return bytes
  }
  const damaged = () => new Uint8Array(Buffer.concat([woff2.subarray(0, 400), new Uint8Array(woff2.length - 400)]))

  test.each([
    ['a picture', () => gif(1), 'unknown_format'],
    ['nothing', () => new Uint8Array(), 'unknown_format'],
    ['WOFF of the first version', () => head('wOFF\0\x01\0\0'), 'woff1'],
    ['a collection', () => head('ttcf\0\x01\0\0'), 'collection'],
    ['a packed collection', () => head('wOF2ttcf'), 'collection'],
    ['only the first bytes of an OTF', () => head('OTTO\0\x0c'), 'broken'],
    ['a TTF that is cut off', cut, 'broken'],
    ['a WOFF2 that would become a gigabyte', wrongSize, 'broken'],
    ['a WOFF2 with damaged content', damaged, 'broken'],
    ['a font whose licence forbids embedding', () => withRights(ttf, 0x0002), 'embedding_forbidden'],
  ])('when it is %s', async (_what, bytes, reason) => {
    expect(await refusedFace('weight=400', bytes(), 'FONT_FORMAT_UNSUPPORTED')).toEqual({ reason })
  })

  test('above 2 MiB', async () => {
    await refusedFace('weight=400', new Uint8Array(2 * MB + 1), 'FONT_FILE_TOO_LARGE')
  })

  test.each(['', 'weight=0', 'weight=1001', 'weight=bold', 'weight=400&style=oblique', 'weight=400&name=x'])(
    'with %p',
    async (query) => {
      await refusedFace(query, ttf, 'VALIDATION_ERROR')
    },
  )

  test('of a family that does not exist, of another project, or with a trick in its id', async () => {
    for (const id of ['ffm_00000000000000000000000000', 'x', '..%2f..'])
      await refusedFace('weight=400', ttf, 'FONT_FAMILY_NOT_FOUND', 404, `/fonts/families/${id}/faces`)
    expect((await send(s, `${faces}?weight=400`, ttf, { projectId: s.other.id })).status).toBe(404)
    expect((await send(s, `${faces}?weight=400`, ttf, { role: 'GROWTH' })).status).toBe(403)
  })
})

describe('a family', () => {
  test('needs a name of its own', async () => {
    await refused(s, () => dev.post('/fonts/families', { name: 'Geist' }), 409, 'IDENTIFIER_TAKEN')
    for (const body of [{}, { name: ' ' }, { name: 'x'.repeat(121) }, { name: 'A', faces: [] }])
      await refused(s, () => dev.post('/fonts/families', body), 400, 'VALIDATION_ERROR')
  })

  test('of another project is not there', async () => {
    await refused(s, () => dev.delete(`/fonts/families/${family.id}`, { projectId: s.other.id }), 404, 'NOT_FOUND')
    await refused(s, () => dev.delete('/fonts/families/ffm_00000000000000000000000000'), 404, 'FONT_FAMILY_NOT_FOUND')
    await refused(s, () => dev.delete(`${faces}/ffc_00000000000000000000000000`), 404, 'NOT_FOUND')
  })
})

describe('a face', () => {
  test('is served as it was to apps, as WOFF2 to pages, and its Latin letters alone', async () => {
    const face = await sent(s, `${faces}?weight=400`, ttf)
    expect(face).toMatchObject({ weight: 400, style: 'normal', format: 'ttf', bytes: ttf.length })
    const app = `/v1/fonts/${face.id}/${face.contentHash}/file`
    const bearer = { authorization: `Bearer ${s.project.publicKey}` }
    const original = await load(s, app, bearer)
    expect([original.status, original.headers.get('content-type')]).toEqual([200, 'font/ttf'])
    expect(original.headers.get('etag')).toBe(`"${face.contentHash}"`)
    expect(original.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(Buffer.from(original.bytes).equals(ttf)).toBe(true)
    const page = await load(s, face.url, { origin: 'https://shop.example' })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'font/woff2'])
    expect(page.headers.get('access-control-allow-origin')).toBe('*')
    expect(page.bytes.length).toBe(face.woff2Bytes)
    const latin = await load(s, face.url.replace('.woff2', '.latin.woff2'))
    expect(latin.bytes.length).toBe(face.latinBytes)
    expect((await decompress(latin.bytes)).length).toBeGreaterThan(1000)
    expect((await load(s, app)).status).toBe(401)
  })

  test('is 404 at an address with any part of it wrong', async () => {
    const [{ faces: found }] = await families()
    const { id, contentHash } = found[0]
    const bearer = { authorization: `Bearer ${s.project.publicKey}` }
    const zeros = '0'.repeat(64)
    const wrong = { authorization: `Bearer ${s.other.publicKey}` }
    expect((await load(s, `/v1/fonts/${id}/${zeros}/file`, bearer)).status).toBe(404)
    expect((await load(s, `/v1/fonts/${id}/${contentHash}/file`, wrong)).status).toBe(404)
    expect((await load(s, `/v1/fonts/..%2fx/${contentHash}/file`, bearer)).status).toBe(404)
    for (const path of [
      `${s.project.id}/fonts/${id}/${zeros}.woff2`,
      `${s.project.id}/fonts/${id}/${contentHash}.ttf`,
      `${s.project.id}/fonts/${id}/${contentHash}.latin`,
      `${s.project.id}/fonts/${id}/..%2foriginal`,
      `${s.other.id}/fonts/${id}/${contentHash}.woff2`,
    ])
      expect([path, (await load(s, `/assets/${path}`)).status]).toEqual([path, 404])
  })

  test('replaces the one of the same weight and style, whose bytes are gone then', async () => {
    const before = (await families())[0].faces[0]
    const after = await sent(s, `${faces}?weight=400&style=normal`, woff2)
    expect((await families())[0].faces.map(({ id }: { id: string }) => id)).toEqual([after.id])
    expect([after.format, after.woff2Bytes]).toEqual(['woff2', woff2.length])
    expect((await load(s, before.url)).status).toBe(404)
    expect(files().some((file) => file.includes(before.id))).toBe(false)
    expect(Buffer.from((await load(s, after.url)).bytes).equals(woff2)).toBe(true)
  })

  test('has no Latin form when its licence forbids a part of the font', async () => {
    const face = await sent(s, `${faces}?weight=500`, withRights(ttf, 0x0100))
    expect(face.latinBytes).toBe(null)
    expect((await load(s, face.url.replace('.woff2', '.latin.woff2'))).status).toBe(404)
    expect((await dataOf(dev.delete(`${faces}/${face.id}`))).deleted).toBe(true)
    expect((await load(s, face.url)).status).toBe(404)
  })

  test('cannot be the 25th of a project, but can replace one then', async () => {
    const { fontFaces } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(fontFaces)
    if (!row) throw new Error('no face')
    const more = Array.from({ length: 23 }, (_, at) => ({
      ...row,
      id: `ffc_${String(at).padStart(26, '0')}`,
      weight: at + 1,
    }))
    await s.ctx.db.insert(fontFaces).values(more)
    expect(await refusedFace('weight=900', ttf, 'FONT_QUOTA_EXCEEDED')).toBeUndefined()
    expect((await sent(s, `${faces}?weight=400`, ttf)).weight).toBe(400)
    for (const { id } of more) await dev.delete(`${faces}/${id}`)
  }, 600_000)
})

test('a family that a draft or the published version uses cannot be deleted, and its faces can', async () => {
  const theme = { fonts: { heading: family.id, body: 'system' } }
  const pages = [{ id: 'a', type: 'info', title: { en: 'Hello' } }]
  const funnel = await dataOf(dev.post('/funnels', { slug: 'set', name: 'Set', pages, theme }))
  const refuse = async (state: string) => {
    const { references } = await refused(s, () => dev.delete(`/fonts/families/${family.id}`), 409, 'asset_in_use')
    const paths = ['theme.fonts.heading']
    expect(references).toEqual([{ kind: 'funnel', id: funnel.id, name: 'Set', state, paths }])
  }
  await refuse('draft')
  await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
  await dataOf(dev.patch(`/funnels/${funnel.id}`, { theme: {} }))
  await refuse('live')
  await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
  await changes(s, () => dev.delete(`/fonts/families/${family.id}`), ['font_family.delete'])
  expect(await families()).toEqual([])
  expect(files()).toEqual([])
})

test('a family that the project does not have is a fault at its place', async () => {
  const theme = { fonts: { heading: 'ffm_00000000000000000000000000', body: 'ffm_1' } }
  const funnel = await dataOf(dev.post('/funnels', { slug: 'unset', name: 'Unset' }))
  const details = await refused(s, () => dev.patch(`/funnels/${funnel.id}`, { theme }), 400, 'asset_missing')
  expect(details).toEqual({ paths: ['theme.fonts.heading', 'theme.fonts.body'] })
})
