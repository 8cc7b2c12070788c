import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { auditRows, changes, dataOf, ifMatch, refused } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // The rate of a user is counted by the minute.
afterAll(() => s.close())

let count = 0
const info = (id: string, to: string | null = null, more: object = {}) => ({
  id,
  type: 'info',
  title: { en: id },
  next: { rules: [], default: to },
  ...more,
})
const make = (more: object = {}) =>
  dataOf(dev.post('/funnels', { slug: `f_${++count}`, name: 'F', pages: [info('a')], ...more }))
const call = (id: string, command: string, body?: object, options?: object) =>
  dev.post(`/funnels/${id}/${command}`, body ?? {}, options)

describe('a draft', () => {
  test('is kept as it was sent, with the offering by its identifier', async () => {
    await dataOf(dev.post('/offerings', { identifier: 'sold', packages: [] }))
    const theme = { colors: { accent: '#112233' }, radius: 4 }
    const settings = { offering: 'sold', progress: false, queryParameters: ['utm_source'] }
    const block = { id: 'head', type: 'heading', props: { text: { en: 'Hi {{query.utm_source|there}}' } } }
    const made = await make({ pages: [info('a', null, { blocks: [block] })], theme, settings, locales: ['en', 'tr'] })
    expect(made.draft.theme).toEqual(theme)
    expect(made.draft.settings).toEqual(settings)
    expect(made.draft.pages[0].blocks).toEqual([block])
    expect([made.defaultLocale, made.locales]).toEqual(['en', ['en', 'tr']])
  })

  test('that is wrong is refused with the place of every fault, and nothing of it is kept', async () => {
    const { id } = await make()
    const wrong = {
      pages: [
        info('a', null, {
          blocks: [
            { id: 'b', type: 'button', props: { label: {}, action: { type: 'open', url: 'http://x.example' } } },
          ],
        }),
      ],
      theme: { colors: { accent: 'blue' }, shadow: 1 },
      settings: { queryParameters: ['a b'] },
      locales: ['en_US'],
    }
    const { fields } = await refused(s, () => dev.patch(`/funnels/${id}`, wrong), 400, 'VALIDATION_ERROR')
    expect(fields).toEqual([
      'pages[0].blocks[0].props.action.url',
      'theme.shadow',
      'theme.colors.accent',
      'settings.queryParameters[0]',
      'locales[0]',
    ])
  })

  test('names only an offering and files that the project has', async () => {
    const { id } = await make()
    const settings = { offering: 'none' }
    const details = await refused(s, () => dev.patch(`/funnels/${id}`, { settings }), 400, 'UNKNOWN_REFERENCES')
    expect(details).toEqual({ resource: 'offering', ids: ['none'] })
    const theme = { logo: { asset: 'ast_1' } }
    const missing = await refused(s, () => dev.patch(`/funnels/${id}`, { theme }), 400, 'asset_missing')
    expect(missing).toEqual({ paths: ['theme.logo'] })
  })

  test('keeps its other members editable when a file that it names is missing, and cannot be published', async () => {
    const { id } = await make()
    const { funnels } = s.ctx.tables
    const [row] = await s.ctx.db.select().from(funnels).where(eq(funnels.id, id))
    if (!row) throw new Error('no row')
    const draft = { ...row.draft, theme: { logo: { asset: 'ast_1' } } }
    await s.ctx.write((tx) => tx.db.update(funnels).set({ draft }).where(eq(funnels.id, id)))
    expect((await dataOf(dev.patch(`/funnels/${id}`, { name: 'Other' }))).name).toBe('Other')
    expect(await refused(s, () => call(id, 'publish'), 400, 'asset_missing')).toEqual({ paths: ['theme.logo'] })
    expect((await dataOf(call(id, 'validate'))).faults.map(({ path }: { path: string }) => path)).toEqual([
      'theme.logo',
    ])
  })

  test.each(['manage', '-', '@home'])(
    'cannot have the slug %s, which means something else in an address',
    async (slug) => {
      await refused(s, () => dev.post('/funnels', { slug, name: 'F' }), 400, 'VALIDATION_ERROR')
    },
  )
})

describe('publishing', () => {
  test('makes the next version only when the draft differs from the published one', async () => {
    const { id } = await make()
    const first = await changes(s, () => call(id, 'publish'), ['funnel.publish'])
    expect([first.status, first.currentVersionNo]).toEqual(['PUBLISHED', 1])
    await changes(s, () => call(id, 'publish'), [])
    await dataOf(dev.patch(`/funnels/${id}`, { pages: [info('a', 'b'), info('b')] }))
    expect((await dataOf(dev.get(`/funnels/${id}/preview-document?version=published`))).document.pages).toHaveLength(1)
    expect((await dataOf(call(id, 'publish'))).currentVersionNo).toBe(2)
    const { items } = await dataOf(dev.get(`/funnels/${id}/versions`))
    expect(items.map(({ versionNo }: { versionNo: number }) => versionNo)).toEqual([2, 1])
  })

  test('is refused for every fault at once, and validate tells the same without writing', async () => {
    const { id } = await make({
      pages: [
        info('a', 'nowhere', {
          blocks: [{ id: 't', type: 'text', props: { text: { en: '{{query.x}} {{answer.y}}' } } }],
        }),
      ],
    })
    const places = ['pages[0].next.default', 'pages[0].blocks[0].props.text.en']
    expect((await refused(s, () => call(id, 'publish'), 400, 'VALIDATION_ERROR')).fields).toEqual(places)
    const audit = (await auditRows(s)).length
    const { faults } = await dataOf(call(id, 'validate'))
    expect(faults.map(({ path }: { path: string }) => path)).toEqual([places[0], places[1], places[1]])
    expect((await auditRows(s)).length).toBe(audit)
  })

  test('of a payment page needs an account, or the built-in test store', async () => {
    const pages = [info('a', 'pay'), info('pay', null, { type: 'payment' })]
    const { id } = await make({ pages })
    expect((await dataOf(call(id, 'publish'))).status).toBe('PUBLISHED')
    const without = await stage({ env: { SVC_SIMULATOR: 'off' } })
    const team = staff(without).as('DEVELOPER')
    const made = await dataOf(team.post('/funnels', { name: 'F', slug: 'paid', pages }))
    await refused(without, () => team.post(`/funnels/${made.id}/publish`, {}), 400, 'PAYMENT_NOT_CONNECTED')
    await without.close()
  })

  test('is not stopped by warnings, which name what visitors would miss', async () => {
    const { id } = await make({
      pages: [info('a', null, { blocks: [{ id: 'p', type: 'plans', props: {} }] }), info('lost')],
      theme: { colors: { text: '#888888' } },
      locales: ['en', 'tr'],
    })
    const { faults, warnings } = await dataOf(call(id, 'validate'))
    expect(faults).toEqual([])
    expect(warnings.map(({ path }: { path: string }) => path)).toEqual([
      'pages[1]',
      'pages[0].title',
      'pages[1].title',
      'theme.colors.text',
      'theme.colors.text',
      'pages[0].blocks',
    ])
    expect((await dataOf(call(id, 'publish'))).status).toBe('PUBLISHED')
  })

  test('of another revision than the one that was read is refused', async () => {
    const { id } = await make()
    await dataOf(dev.patch(`/funnels/${id}`, { name: 'Other' }))
    await refused(s, () => call(id, 'publish', {}, ifMatch(1)), 409, 'CONFLICT')
  })
})

describe('the states', () => {
  test('are passed in their order, and every other command is refused', async () => {
    const { id } = await make()
    for (const command of ['unpublish', 'restore']) await refused(s, () => call(id, command), 409, 'CONFLICT')
    await dataOf(call(id, 'publish'))
    expect(await dataOf(call(id, 'unpublish'))).toMatchObject({ status: 'DRAFT', currentVersionNo: null })
    await dataOf(call(id, 'publish'))
    expect((await dataOf(call(id, 'archive'))).status).toBe('ARCHIVED')
    for (const command of ['publish', 'unpublish', 'archive'])
      await refused(s, () => call(id, command), 409, 'CONFLICT')
    await refused(s, () => dev.patch(`/funnels/${id}`, { name: 'x' }), 409, 'CONFLICT')
    const refusal = await dev.get(`/funnels/${id}/preview-document?version=published`)
    expect([refusal.status, refusal.body.error.code]).toEqual([409, 'CONFLICT'])
    expect(await dataOf(call(id, 'restore'))).toMatchObject({ status: 'DRAFT', currentVersionNo: null })
    expect((await dataOf(call(id, 'publish'))).currentVersionNo).toBe(3)
  })

  test('filter the list, and a cursor belongs to its filter', async () => {
    const [draft, live, archived] = [await make(), await make(), await make()]
    await dataOf(call(live.id, 'publish'))
    await dataOf(call(archived.id, 'archive'))
    const ids = async (query: string) =>
      (await dataOf(dev.get(`/funnels?limit=200${query}`))).items.map(({ id }: { id: string }) => id)
    expect(await ids('&status=ARCHIVED')).toContain(archived.id)
    for (const [status, own] of [
      ['DRAFT', draft],
      ['PUBLISHED', live],
      ['ARCHIVED', archived],
    ])
      expect(
        (await ids(`&status=${status}`)).filter((id: string) => [draft.id, live.id, archived.id].includes(id)),
      ).toEqual([own.id])
    await make()
    const { nextCursor } = await dataOf(dev.get('/funnels?status=DRAFT&limit=1'))
    await dataOf(dev.get(`/funnels?status=DRAFT&limit=1&cursor=${nextCursor}`))
    await refused(s, () => dev.get(`/funnels?status=PUBLISHED&limit=1&cursor=${nextCursor}`), 400, 'VALIDATION_ERROR')
    await refused(s, () => dev.get('/funnels?status=gone'), 400, 'VALIDATION_ERROR')
  })

  test('a version becomes the draft again, and a difference is named by its place', async () => {
    const { id } = await make({ pages: [info('a', 'b'), info('b')] })
    await dataOf(call(id, 'publish'))
    await dataOf(dev.patch(`/funnels/${id}`, { pages: [info('b'), info('a', 'b', { title: { en: 'A' } })] }))
    const { differences } = await dataOf(dev.get(`/funnels/${id}/diff?from=1`))
    expect(differences).toEqual([
      { path: 'pages.a.title.en', before: 'a', after: 'A' },
      { path: 'pages', before: ['a', 'b'], after: ['b', 'a'] },
    ])
    await dataOf(call(id, 'revert', { versionNo: 1 }))
    expect((await dataOf(dev.get(`/funnels/${id}/diff?from=1&to=draft`))).differences).toEqual([])
    await refused(s, () => call(id, 'revert', { versionNo: 9 }), 404, 'NOT_FOUND')
  })

  test('a copy is a draft of its own under a free slug', async () => {
    const made = await make({ slug: 'quiz' })
    await dataOf(call(made.id, 'publish'))
    const copies = [await dataOf(call(made.id, 'duplicate')), await dataOf(call(made.id, 'duplicate'))]
    expect(copies.map(({ slug, status, currentVersionNo }) => [slug, status, currentVersionNo])).toEqual([
      ['quiz-copy', 'DRAFT', null],
      ['quiz-copy-2', 'DRAFT', null],
    ])
    expect(copies[0].draft).toEqual(made.draft)
  })

  test('one that a placement uses is not deleted', async () => {
    const { id, slug } = await make()
    const rows = [{ audienceId: null, target: { type: 'funnel', funnelId: id } }]
    const { id: placementId } = await dataOf(dev.post('/placements', { identifier: `p_${slug}`, name: 'P', rows }))
    await refused(s, () => dev.delete(`/funnels/${id}`), 409, 'CONFLICT')
    await dataOf(dev.delete(`/placements/${placementId}`))
    await dataOf(dev.delete(`/funnels/${id}`))
    expect((await dev.get(`/funnels/${id}`)).status).toBe(404)
  })
})
