import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Stage, stage } from '../support/cast'
import { fontFiles, load, lottie, mp4, png, sent } from '../support/files'
import { dataOf, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
})
afterAll(() => s.close())

const block = (type: string, props: object) => ({ id: type, type, props })
const page = (blocks: object[]) => [{ id: 'a', type: 'info', title: { en: 'Hello' }, blocks }]
let count = 0
const make = (members: object) => dataOf(dev.post('/funnels', { slug: `f${++count}`, name: 'F', ...members }))

test('a page shows its pictures and fonts from this server, and allows the video that it has', async () => {
  const [picture, video] = [
    await sent(s, '/assets/image?name=hills.png', await png(800, 400)),
    await sent(s, '/assets/video?name=walk.mp4', mp4(64, 36)),
  ]
  await dataOf(dev.patch(`/assets/${picture.id}`, { alt: { en: 'Hills' } }))
  const family = await dataOf(dev.post('/fonts/families', { name: 'Sans' }))
  const face = await sent(s, `/fonts/families/${family.id}/faces?weight=400`, (await fontFiles()).woff2)
  const theme = { fonts: { body: family.id }, logo: { asset: picture.id } }
  const blocks = [block('image', { asset: picture.id }), block('video', { asset: video.id })]
  const funnel = await make({ pages: page(blocks), theme })
  await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
  const { url } = await dataOf(dev.post(`/funnels/${funnel.id}/preview-link`, { version: 'draft' }))
  const slug = (await s.ctx.db.select().from(s.ctx.tables.projects))[0]?.slug
  for (const address of [`/f/${slug}/${funnel.slug}`, url]) {
    const { status, headers, bytes } = await load(s, address)
    const html = new TextDecoder().decode(bytes)
    expect(status).toBe(200)
    const path = new URL(picture.url).pathname
    expect(html).toContain(`srcset="${path}?w=320 320w,${path}?w=640 640w,${path} 800w"`)
    expect(html).toContain('width="800" height="400" loading="lazy" decoding="async" alt="Hills"')
    expect(html).toContain(`<video src="${new URL(video.url).pathname}"`)
    expect(html).toContain(`src:url("${new URL(face.url).pathname}")`)
    expect(headers.get('content-security-policy')).toContain("; media-src 'self'")
  }
})

test('a page without a video allows none', async () => {
  const funnel = await make({ pages: page([]) })
  await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
  const slug = (await s.ctx.db.select().from(s.ctx.tables.projects))[0]?.slug
  const { headers } = await load(s, `/f/${slug}/${funnel.slug}`)
  expect(headers.get('content-security-policy')).not.toContain('media-src')
})

test('a page with an animation has the player of this server, which needs no eval, and no other page has it', async () => {
  const animation = await sent(s, '/assets/lottie?name=breath', lottie())
  const blocks = [block('lottie', { asset: animation.id, alt: { en: 'A breath' } })]
  const [moving, still] = [await make({ pages: page(blocks) }), await make({ pages: page([]) })]
  for (const { id } of [moving, still]) await dataOf(dev.post(`/funnels/${id}/publish`))
  const text = async (address: string) => {
    const { headers, bytes } = await load(s, address)
    return { headers, policy: headers.get('content-security-policy'), body: new TextDecoder().decode(bytes) }
  }
  const link = async ({ id }: { id: string }) =>
    (await dataOf(dev.post(`/funnels/${id}/preview-link`, { version: 'draft' }))).url
  const slug = (await s.ctx.db.select().from(s.ctx.tables.projects))[0]?.slug
  for (const address of [`/f/${slug}/${moving.slug}`, await link(moving)]) {
    const { body, policy } = await text(address)
    expect(policy).toContain("; script-src 'self'")
    expect(policy).toContain("; connect-src 'self'")
    expect(body).toContain(`data-animation="${new URL(animation.url).pathname}"`)
    const [, start = ''] = /<script src="(\/f\/-\/animation\.[^"]+)" defer>/.exec(body) ?? []
    const [player = ''] = /\/f\/-\/player\/[^']+/.exec((await text(start)).body) ?? []
    const served = await text(player)
    expect(served.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(served.headers.get('cache-control')).toContain('immutable')
    expect(served.body).toContain('loadAnimation')
    expect(served.body).not.toMatch(/\beval\b|new Function|\bFunction\(/)
    expect((await text(player.replace(/[^/]+$/, 'LICENSE.txt'))).body).toStartWith('The MIT License')
  }
  expect((await text(`/f/${slug}/${still.slug}`)).body).not.toContain('/f/-/animation')
  expect((await text(await link(still))).policy).not.toContain('script-src')
})

test('a draft names only files that the project has, and publishing asks for the right kind', async () => {
  const animation = await sent(s, '/assets/lottie?name=breath', lottie())
  const funnel = await make({})
  const gone = page([block('image', { asset: 'ast_gone' })])
  const details = await refused(s, () => dev.patch(`/funnels/${funnel.id}`, { pages: gone }), 400, 'asset_missing')
  expect(details).toEqual({ paths: ['pages[0].blocks[0].props'] })
  await dataOf(dev.patch(`/funnels/${funnel.id}`, { pages: page([block('image', { asset: animation.id })]) }))
  const { fields } = await refused(s, () => dev.post(`/funnels/${funnel.id}/publish`), 400, 'VALIDATION_ERROR')
  expect(fields).toEqual(['pages[0].blocks[0].props'])
})

test('a picture without any alternative text is a warning, and one with its own text is none', async () => {
  const made = await sent(s, '/assets/image?name=plain', await png(10, 10))
  const funnel = await make({ pages: page([block('image', { asset: made.id })]) })
  const warned = async () =>
    (await dataOf(dev.post(`/funnels/${funnel.id}/validate`))).warnings.map(({ path }: { path: string }) => path)
  expect(await warned()).toEqual(['pages[0].blocks[0].props'])
  await dataOf(dev.patch(`/assets/${made.id}`, { alt: { en: 'A dot' } }))
  expect(await warned()).toEqual([])
})

test('a version whose picture is deleted is shown without it', async () => {
  const made = await sent(s, '/assets/image?name=old', await png(10, 10))
  const funnel = await make({ pages: page([block('image', { asset: made.id })]) })
  await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
  await dataOf(dev.patch(`/funnels/${funnel.id}`, { pages: page([]) }))
  await dataOf(dev.post(`/funnels/${funnel.id}/publish`))
  await dataOf(dev.delete(`/assets/${made.id}`))
  const { url } = await dataOf(dev.post(`/funnels/${funnel.id}/preview-link`, { version: 1 }))
  const { status, bytes } = await load(s, url)
  expect(status).toBe(200)
  expect(new TextDecoder().decode(bytes)).not.toContain('<img')
})
