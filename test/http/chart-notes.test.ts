import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { type Stage, stage } from '../support/cast'
import { auditRows, changes, dataOf, ifMatch } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let support: StaffCalls
let others: StaffCalls
beforeAll(async () => {
  s = await stage({ env: { SVC_RATE_USER: '0' } })
  const team = staff(s)
  team.sessions.roles.set(`usr_growth ${s.other.id}`, 'GROWTH')
  support = team.as('CUSTOMER_SUPPORT')
  others = team.as('GROWTH')
})
beforeEach(() => s.ctx.clock.advance(MINUTE))
afterAll(() => s.close())

const VIEWS = '/charts/views'
const NOTES = '/charts/annotations'
const VIEW = { name: 'Germany', chartId: 'revenue', params: { grain: 'month', filters: { country: ['DE', 'AT'] } } }
const NOTE = { at: '2026-11-01T09:00:00+01:00', text: 'Price raised' }
const AT_OTHER = () => ({ projectId: s.other.id })

async function refused(call: () => ReturnType<StaffCalls['get']>, status: number, code: string) {
  const before = await auditRows(s)
  const { status: got, body } = await call()
  expect([got, body?.error?.code]).toEqual([status, code])
  expect(await auditRows(s)).toEqual(before)
  return body.error
}

describe('a saved view', () => {
  test('is saved, listed and deleted by any member, each with one audit row', async () => {
    const made = await changes(s, () => support.post(VIEWS, VIEW), ['chartView.create'], 201)
    expect(made).toEqual({
      ...VIEW,
      id: expect.stringMatching(/^cvw_[0-9a-z]{26}$/),
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
    })
    expect((await dataOf(support.get(VIEWS))).items).toEqual([made])
    expect(await changes(s, () => support.delete(`${VIEWS}/${made.id}`), ['chartView.delete'])).toEqual({
      deleted: true,
    })
    await refused(() => support.delete(`${VIEWS}/${made.id}`), 404, 'NOT_FOUND')
    expect((await dataOf(support.get(VIEWS))).items).toEqual([])
    const rows = (await auditRows(s)).slice(-2)
    expect(rows.map(({ target, before, after }) => [target, before, after])).toEqual([
      [{ type: 'chartView', id: made.id }, null, VIEW],
      [{ type: 'chartView', id: made.id }, VIEW, null],
    ])
  })

  test('does not make devices load their configuration again', async () => {
    const version = async () => (await s.ctx.state.projects.find(s.project.id))?.configVersion
    const before = await version()
    const { id } = await dataOf(support.post(VIEWS, VIEW))
    await dataOf(support.delete(`${VIEWS}/${id}`))
    s.ctx.state.projects.forget(s.project.id)
    expect(await version()).toBe(before)
  })

  const wrong: [fact: string, body: object][] = [
    ['without a name', { ...VIEW, name: undefined }],
    ['with a blank name', { ...VIEW, name: ' ' }],
    ['with a name of two lines', { ...VIEW, name: 'a\nb' }],
    ['with a name of 121 characters', { ...VIEW, name: 'x'.repeat(121) }],
    ['of a chart with an impossible id', { ...VIEW, chartId: 'Revenue!' }],
    ['of a chart with a long id', { ...VIEW, chartId: 'x'.repeat(65) }],
    ['with an unknown member', { ...VIEW, colour: 'red' }],
    ['with parameters that are a list', { ...VIEW, params: [1] }],
    ['with parameters that are a text', { ...VIEW, params: 'grain=day' }],
    ['with 51 parameters', { ...VIEW, params: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`p${n}`, n])) }],
    ['with parameters of more than 8 KiB', { ...VIEW, params: { q: 'x'.repeat(8192) } }],
    ['with parameters that are nested deeply', { ...VIEW, params: { a: { b: { c: { d: { e: {} } } } } } }],
    ['with NUL in a parameter', { ...VIEW, params: { q: 'a\0b' } }],
    ['with half a character in a parameter', { ...VIEW, params: { q: '\ud83d' } }],
  ]
  for (const [fact, body] of wrong)
    test(`${fact} is refused`, async () => {
      await refused(() => support.post(VIEWS, body), 400, 'VALIDATION_ERROR')
    })

  test('nested five levels deep is accepted', async () => {
    const { id } = await dataOf(support.post(VIEWS, { ...VIEW, params: { a: { b: { c: { d: [1] } } } } }))
    await dataOf(support.delete(`${VIEWS}/${id}`))
  })

  test('of another project is neither listed nor deleted', async () => {
    const { id } = await dataOf(others.post(VIEWS, VIEW, AT_OTHER()))
    expect((await dataOf(support.get(VIEWS))).items).toEqual([])
    for (const other of [id, 'damaged', '%20', 'x'.repeat(300)])
      await refused(() => support.delete(`${VIEWS}/${other}`), 404, 'NOT_FOUND')
    await refused(() => support.get(VIEWS, AT_OTHER()), 404, 'NOT_FOUND')
    await dataOf(others.delete(`${VIEWS}/${id}`, AT_OTHER()))
  })

  test('with another revision than expected stays', async () => {
    const { id } = await dataOf(support.post(VIEWS, VIEW))
    await refused(() => support.delete(`${VIEWS}/${id}`, ifMatch(2)), 409, 'CONFLICT')
    expect((await dataOf(support.get(VIEWS))).items).toHaveLength(1)
    await dataOf(support.delete(`${VIEWS}/${id}`, ifMatch(1)))
  })

  test('can be one of 200: of two that come at once as the last, one is refused', async () => {
    const made: string[] = []
    for (let count = 0; count < 199; count++) made.push((await dataOf(support.post(VIEWS, VIEW))).id)
    const both = await Promise.all([support.post(VIEWS, VIEW), support.post(VIEWS, VIEW)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.body.error.code).toBe('CONFLICT')
    const pages: string[] = []
    for (let cursor = ''; cursor !== 'end'; ) {
      const { items, nextCursor } = await dataOf(support.get(`${VIEWS}?limit=90${cursor}`))
      pages.push(...items.map(({ id }: { id: string }) => id))
      cursor = nextCursor === null ? 'end' : `&cursor=${nextCursor}`
    }
    expect(pages).toHaveLength(200)
    expect(pages).toEqual(pages.toSorted().reverse())
    await dataOf(others.post(VIEWS, VIEW, AT_OTHER()))
    for (const id of pages) await dataOf(support.delete(`${VIEWS}/${id}`))
  })
})

describe('an annotation', () => {
  test('is made, listed and deleted by any member, each with one audit row', async () => {
    const made = await changes(s, () => support.post(NOTES, NOTE), ['annotation.create'], 201)
    expect(made).toMatchObject({ at: '2026-11-01T08:00:00.000Z', text: NOTE.text, revision: 1 })
    expect(made.id).toMatch(/^ann_[0-9a-z]{26}$/)
    expect((await dataOf(support.get(NOTES))).items).toEqual([made])
    await changes(s, () => support.delete(`${NOTES}/${made.id}`), ['annotation.delete'])
    await refused(() => support.delete(`${NOTES}/${made.id}`), 404, 'NOT_FOUND')
  })

  test('is listed by its time, and of one instant the one that was made last comes first', async () => {
    const days = [3, 1, 2, 2, 5]
    const ids: string[] = []
    for (const day of days)
      ids.push((await dataOf(support.post(NOTES, { ...NOTE, at: `2026-11-0${day}T00:00:00Z` }))).id)
    const [third, first, secondA, secondB, fifth] = ids
    const listed: string[] = []
    for (let cursor = ''; cursor !== 'end'; ) {
      const { items, nextCursor } = await dataOf(support.get(`${NOTES}?limit=2${cursor}`))
      listed.push(...items.map(({ id }: { id: string }) => id))
      cursor = nextCursor === null ? 'end' : `&cursor=${nextCursor}`
    }
    expect(listed as unknown[]).toEqual([fifth, third, secondB, secondA, first])
    const { nextCursor } = await dataOf(support.get(`${NOTES}?limit=1`))
    await refused(() => support.get(`${VIEWS}?cursor=${nextCursor}`), 400, 'VALIDATION_ERROR')
    await refused(() => support.get(`${NOTES}?cursor=${nextCursor}x`), 400, 'VALIDATION_ERROR')
    for (const id of ids) await dataOf(support.delete(`${NOTES}/${id}`))
  })

  const wrong: [fact: string, body: object][] = [
    ['without a time', { text: 'x' }],
    ['at a date', { at: '2026-11-20', text: 'x' }],
    ['at a time that does not exist', { at: '2026-02-31T00:00:00Z', text: 'x' }],
    ['at a number', { at: 5, text: 'x' }],
    ['with a blank text', { ...NOTE, text: ' \n ' }],
    ['with a text of 501 characters', { ...NOTE, text: 'x'.repeat(501) }],
    ['with NUL in its text', { ...NOTE, text: 'a\0b' }],
    ['with an unknown member', { ...NOTE, chartId: 'revenue' }],
  ]
  for (const [fact, body] of wrong)
    test(`${fact} is refused`, async () => {
      await refused(() => support.post(NOTES, body), 400, 'VALIDATION_ERROR')
    })

  test('of another project is neither listed nor deleted', async () => {
    const { id } = await dataOf(others.post(NOTES, NOTE, AT_OTHER()))
    expect((await dataOf(support.get(NOTES))).items).toEqual([])
    await refused(() => support.delete(`${NOTES}/${id}`), 404, 'NOT_FOUND')
    expect((await dataOf(others.get(NOTES, AT_OTHER()))).items).toHaveLength(1)
  })

  test('can be one of 1000', async () => {
    const { chartAnnotations: a } = s.ctx.tables
    const row = (n: number) => ({
      ...{ id: `ann_${String(n).padStart(26, '0')}`, projectId: s.project.id, at: n, text: 'x' },
      ...{ createdAt: n, updatedAt: n },
    })
    await s.ctx.write((tx) => tx.db.insert(a).values(Array.from({ length: 999 }, (_, n) => row(n))))
    const both = await Promise.all([support.post(NOTES, NOTE), support.post(NOTES, NOTE)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    await refused(() => support.post(NOTES, NOTE), 409, 'CONFLICT')
  })
})

test('without analytics there are no charts, so no notes on them', async () => {
  const bare = await stage({ env: { SVC_ANALYTICS_URL: 'off' } })
  const call = staff(bare).as('OWNER')
  for (const path of [VIEWS, NOTES]) {
    const answers = [
      await call.get(path),
      await call.post(path, path === VIEWS ? VIEW : NOTE),
      await call.delete(`${path}/x`),
    ]
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([503, 'ANALYTICS_UNAVAILABLE'])
  }
  await bare.close()
})
