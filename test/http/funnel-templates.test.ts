import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TEMPLATE_IDS } from '../../src/core/funnel/templates/list'
import { type Stage, stage } from '../support/cast'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let support: StaffCalls
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  support = staff(s).as('CUSTOMER_SUPPORT')
})
afterAll(() => s.close())

/** A file, as the browser of a member reads it. */
const fileAt = (path: string): Promise<Response> =>
  s.app.handle(
    new Request(`http://localhost${path}`, { headers: { cookie: 'svc_session=CUSTOMER_SUPPORT', origin: ORIGIN } }),
  )
const ORIGIN = 'http://localhost'

describe('templates of funnels', () => {
  for (const id of TEMPLATE_IDS)
    test(`${id} is published with the test store as it is, in four languages`, async () => {
      const made = await dataOf(dev.post('/funnels', { slug: `t_${id}`, name: id, templateId: id }))
      expect(made).toMatchObject({ status: 'DRAFT', defaultLocale: 'en', locales: ['en', 'de', 'tr', 'ja'] })
      expect(await dataOf(dev.post(`/funnels/${made.id}/validate`, {}))).toMatchObject({ faults: [] })
      const published = await dataOf(dev.post(`/funnels/${made.id}/publish`, {}))
      expect(published).toMatchObject({ status: 'PUBLISHED', currentVersionNo: 1 })
      const sells = made.draft.pages.some(({ type }: { type: string }) => type === 'payment')
      expect(made.draft.settings).toEqual(sells ? { offering: 'standard' } : {})
    })

  test('members that are given win over those of the template', async () => {
    const body = { slug: 'own', name: 'Own', templateId: 'lead', locales: ['en', 'tr'], theme: { radius: 4 } }
    expect(await dataOf(dev.post('/funnels', body))).toMatchObject({
      locales: ['en', 'tr'],
      draft: { theme: { radius: 4 } },
    })
  })

  test('an unknown one makes no funnel', async () => {
    const answer = await dev.post('/funnels', { slug: 'nothing', name: 'N', templateId: 'constructor' })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'UNKNOWN_REFERENCES'])
    const { items } = await dataOf(dev.get('/funnels?limit=200'))
    expect(items.some(({ slug }: { slug: string }) => slug === 'nothing')).toBe(false)
  })
})

describe('the texts for translators', () => {
  const PAGES = [
    { id: 'a', type: 'info', title: { en: '=1+1, "x"', tr: 'Bir' }, next: { default: 'b' } },
    { id: 'b', type: 'success', title: { en: 'End' } },
  ]
  let id: string
  const file = (more = '') => fileAt(`/dashboard/projects/${s.project.id}${path(more)}`)
  const path = (more = '') => `/funnels/${id}/translate-template${more}`
  const textsOf = async () => {
    const { draft } = await dataOf(dev.get(`/funnels/${id}`))
    return draft.pages.map(({ title }: { title: object }) => title)
  }

  beforeAll(async () => {
    const body = { slug: 'texts', name: 'Texts', pages: PAGES, locales: ['en', 'tr'] }
    id = (await dataOf(dev.post('/funnels', body))).id
  })

  test('are a table with a column for each language', async () => {
    const answer = await file()
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(await answer.text()).toBe(`key,en,tr\r\npages.a.title,"'=1+1, ""x""",Bir\r\npages.b.title,End,\r\n`)
  })

  test('come back as they were, and translated ones are put into the draft', async () => {
    for (const format of ['csv', 'xliff']) {
      const text = await (await file(`?format=${format}`)).text()
      expect(await dataOf(dev.post(path(), { format, text }))).toMatchObject({ changed: 0, unknown: [] })
    }
    const text = 'key,tr\npages.b.title,Son\npages.gone.title,x\npages.a.title,\n'
    const done = await dataOf(dev.post(path(), { format: 'csv', text }))
    expect(done).toMatchObject({ changed: 1, unknown: ['pages.gone.title'], funnel: { id } })
    expect(await textsOf()).toEqual([PAGES[0]?.title ?? {}, { en: 'End', tr: 'Son' }])
  })

  test('are not taken from a file that cannot be read, in another language, or too long', async () => {
    const before = await textsOf()
    const bad = [
      { format: 'csv', text: 'a,b\n' },
      { format: 'csv', text: 'key,tr\n"pages.a.title' },
      { format: 'xliff', text: 'key,tr\n' },
      { format: 'csv', text: 'key,de\npages.a.title,Eins\n' },
      { format: 'csv', text: `key,tr\npages.a.title,${'x'.repeat(2001)}\n` },
      { format: 'pdf', text: 'x' },
    ]
    for (const body of bad) expect((await dev.post(path(), body)).body.error.code).toBe('VALIDATION_ERROR')
    expect(await textsOf()).toEqual(before)
  })

  test('are not changed by those who may only read', async () => {
    const answer = await support.post(path(), { format: 'csv', text: 'key,tr\npages.a.title,Hayır\n' })
    expect(answer.status).toBe(403)
  })
})

describe('the frame of the editor', () => {
  test('runs its two scripts, reaches only this deployment and can only be shown by this deployment', async () => {
    const answer = await fileAt('/f/-/canvas')
    const [headers, text] = [answer.headers, await answer.text()]
    const policy = headers.get('content-security-policy') ?? ''
    const nonce = /nonce-([\w-]+)/.exec(policy)?.[1] ?? ''
    expect(policy).toStartWith("sandbox allow-scripts; default-src 'none'; script-src 'nonce-")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toContain("connect-src 'self';")
    for (const part of ['unsafe', 'allow-same-origin', 'frame-src']) expect(policy).not.toContain(part)
    const scripts = text.match(/<script[^>]*>/g)?.map((tag) => tag.replace(/\.[0-9a-f]{16}\./, '.'))
    expect(scripts).toEqual([`<script nonce="${nonce}" src="/f/-/animation.js">`, `<script nonce="${nonce}">`])
  })
})

test('the document of a version can be read by its number', async () => {
  const { id } = await dataOf(
    dev.post('/funnels', { slug: 'v', name: 'V', pages: [{ id: 'a', type: 'info', title: { en: 'One' } }] }),
  )
  await dataOf(dev.post(`/funnels/${id}/publish`, {}))
  await dataOf(dev.patch(`/funnels/${id}`, { pages: [{ id: 'a', type: 'info', title: { en: 'Two' } }] }))
  await dataOf(dev.post(`/funnels/${id}/publish`, {}))
  const { document } = await dataOf(support.get(`/funnels/${id}/preview-document?version=1`))
  expect(document.pages[0].title).toEqual({ en: 'One' })
  expect((await support.get(`/funnels/${id}/preview-document?version=3`)).status).toBe(404)
  expect((await support.get(`/funnels/${id}/preview-document?version=0`)).status).toBe(400)
})
