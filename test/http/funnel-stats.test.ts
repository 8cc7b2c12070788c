import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY, MINUTE, SECOND } from '../../src/base/lib/clock'
import { lockedSession, markPaid } from '../../src/funnels/sessions/service'
import { type Stage, stage } from '../support/cast'
import { publishPaidFunnel, visitorAtPayment } from '../support/funnel-payments'
import { begin, choice, funnelPage, publishFunnel, type VisitorSession } from '../support/funnels'
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
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Client addresses are limited by the minute.
afterAll(() => s.close())

const several = (id: string, options: readonly string[]) => ({ ...choice(id, options), kind: 'multi', required: false })
const PAGES = [
  funnelPage('goal', 'more', { fields: [choice('goal', ['sleep', 'focus'])] }),
  funnelPage('more', 'end', {
    fields: [
      several('habits', ['tea', 'walks']),
      { id: 'note', kind: 'text', required: false },
      { id: 'illness', kind: 'text', required: false, sensitive: true },
    ],
  }),
  funnelPage('end', null, { type: 'success' }),
]

const markAsPaid = (session: VisitorSession) =>
  s.ctx.write(async (tx) =>
    markPaid(tx, await lockedSession(tx, session.id), { subscriberId: 'sub_none', at: tx.clock.now() }),
  )
const stats = (id: string, query = '') => dataOf(support.get(`/funnels/${id}/stats${query}`))

describe('the numbers of a funnel', () => {
  test('count views, steps on, the median time and the answers of each page, without what people wrote', async () => {
    const id = await publishFunnel(dev, 'numbers', PAGES)
    const times = [2, 8, 4]
    const sessions: VisitorSession[] = []
    for (const [index, seconds] of times.entries()) {
      const session = await begin(s, 'numbers', { utm: { source: index === 0 ? 'mail' : 'ads' } })
      s.ctx.clock.advance(seconds * SECOND)
      await dataOf(session.go('goal', { goal: index === 2 ? 'focus' : 'sleep' }))
      sessions.push(session)
    }
    await begin(s, 'numbers')
    const [first, second] = sessions
    if (!first || !second) throw new Error('no session')
    await dataOf(first.go('more', { habits: ['tea', 'walks'], note: 'mine', illness: 'secret' }))
    await dataOf(second.go('more', { habits: ['tea'] }))
    const { pages, ...totals } = await stats(id)
    const none = { amountMicros: 0, currency: 'USD' }
    expect(totals).toEqual({
      ...{ sessions: 4, completed: 2, paid: 0, revenue: none, sandboxRevenue: none, groups: [] },
    })
    expect(pages.map(({ fields: _fields, ...page }: { fields: unknown }) => page)).toEqual([
      { id: 'goal', views: 4, advances: 3, dropRate: 0.25, medianSeconds: 4, ways: [{ to: 'more', sessions: 3 }] },
      {
        id: 'more',
        views: 3,
        advances: 2,
        dropRate: 1 / 3,
        medianSeconds: expect.any(Number),
        ways: [{ to: 'end', sessions: 2 }],
      },
      { id: 'end', views: 2, advances: 0, dropRate: 0, medianSeconds: null, ways: [] },
    ])
    expect(pages[0].fields).toEqual([
      {
        id: 'goal',
        answered: 3,
        answers: [
          { value: 'sleep', count: 2 },
          { value: 'focus', count: 1 },
        ],
      },
    ])
    expect(pages[1].fields).toEqual([
      {
        id: 'habits',
        answered: 2,
        answers: [
          { value: 'tea', count: 2 },
          { value: 'walks', count: 1 },
        ],
      },
      { id: 'note', answered: 1, answers: [] },
    ])
    expect(JSON.stringify(pages)).not.toContain('mine')
  })

  test('count who takes each branch, and who went back counts where the way leads now', async () => {
    const toCalm = { match: 'all', when: [{ field: 'goal', op: 'eq', value: 'calm' }], to: 'calm' }
    const goal = { ...funnelPage('goal', 'end', { fields: [choice('goal', ['calm', 'sleep'])] }) }
    const next = { rules: [toCalm], default: 'end' }
    const id = await publishFunnel(dev, 'branches', [
      { ...goal, next },
      funnelPage('calm', 'end'),
      funnelPage('end', null, { type: 'success' }),
    ])
    for (const answer of ['calm', 'calm', 'sleep']) {
      const session = await begin(s, 'branches')
      await dataOf(session.go('goal', { goal: answer }))
    }
    const undecided = await begin(s, 'branches')
    await dataOf(undecided.go('goal', { goal: 'calm' }))
    await dataOf(undecided.post('back'))
    await dataOf(undecided.go('goal', { goal: 'sleep' }))
    const { pages } = await stats(id)
    const ways = pages.map((page: { id: string; ways: { to: string; sessions: number }[] }) => [page.id, page.ways])
    const taken = Object.fromEntries(ways)
    expect(taken.goal).toHaveLength(2)
    expect(taken.goal).toEqual(
      expect.arrayContaining([
        { to: 'calm', sessions: 2 },
        { to: 'end', sessions: 2 },
      ]),
    )
    expect([taken.calm, taken.end]).toEqual([[], []])
  })

  test('are by source, device, language or version, and of a time', async () => {
    const id = await publishFunnel(dev, 'grouped', PAGES)
    const start = new Date(s.ctx.clock.now()).toISOString()
    for (const source of ['mail', 'ads', 'ads']) await begin(s, 'grouped', { utm: { source } })
    await markAsPaid(await begin(s, 'grouped', { utm: { source: 'mail' } }))
    const keys = (by: string) =>
      stats(id, `?groupBy=${by}`).then(({ groups }) =>
        groups
          .map(({ key, sessions, paid }: { key: string | null; sessions: number; paid: number }) => [
            key,
            sessions,
            paid,
          ])
          .sort(),
      )
    expect(await keys('utm_source')).toEqual([
      ['ads', 2, 0],
      ['mail', 2, 1],
    ])
    expect(await keys('version')).toEqual([['1', 4, 1]])
    expect(await keys('device')).toEqual([['desktop', 4, 1]])
    expect(await keys('locale')).toEqual([['en', 4, 1]])
    expect(await keys('country')).toEqual([[null, 4, 1]])
    expect(await keys('variant')).toEqual([[null, 4, 1]])
    expect(await keys('utm_campaign')).toEqual([[null, 4, 1]])
    expect((await stats(id, `?to=${start}`)).sessions).toBe(0)
    expect((await stats(id, `?from=${start}`)).sessions).toBe(4)
    const wrong = await support.get(`/funnels/${id}/stats?groupBy=mood`)
    expect(wrong.status).toBe(400)
    expect((await support.get(`/funnels/${id}/stats?from=yesterday`)).status).toBe(400)
  })
})

test('sessions are listed newest first, page by page, and one is shown without its sensitive answers', async () => {
  const id = await publishFunnel(dev, 'listed', PAGES)
  const sessions = [await begin(s, 'listed'), await begin(s, 'listed'), await begin(s, 'listed')]
  const [first] = sessions
  if (!first) throw new Error('no session')
  await dataOf(first.go('goal', { goal: 'sleep' }))
  await dataOf(first.post('answers', { page_id: 'more', answers: { illness: 'secret', note: 'open' } }))
  const page = await dataOf(support.get(`/funnels/${id}/sessions?limit=2`))
  const rest = await dataOf(support.get(`/funnels/${id}/sessions?limit=2&cursor=${page.nextCursor}`))
  const ids = [...page.items, ...rest.items].map((item: { id: string }) => item.id)
  expect([ids, rest.nextCursor]).toEqual([sessions.map((session) => session.id).toReversed(), null])
  expect(rest.items[0]).toMatchObject({ currentPageId: 'more', state: 'IN_PROGRESS', subscriberId: null, utm: {} })
  const shown = await dataOf(support.get(`/funnel-sessions/${first.id}`))
  expect(
    Object.fromEntries(shown.answers.map((one: { fieldId: string; value: unknown }) => [one.fieldId, one.value])),
  ).toEqual({ goal: 'sleep', illness: null, note: 'open' })
  expect(shown.payment).toBeNull()
  expect(JSON.stringify(shown)).not.toContain('secret')
})

test('a session is no drop on the page where it was paid or has reached the end', async () => {
  const id = await publishFunnel(dev, 'dropped', PAGES)
  await markAsPaid(await begin(s, 'dropped'))
  await begin(s, 'dropped')
  const [first, second] = (await stats(id)).pages
  expect(first).toMatchObject({ id: 'goal', views: 2, advances: 1, dropRate: 0.5 })
  expect(second).toMatchObject({ id: 'more', views: 1, advances: 0, dropRate: 0 })
})

test('sessions of another project are not there', async () => {
  await publishFunnel(dev, 'own', PAGES)
  const session = await begin(s, 'own')
  const { funnelSessions: f } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(f).set({ projectId: s.other.id }).where(eq(f.id, session.id)))
  const answer = await support.get(`/funnel-sessions/${session.id}`)
  expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
})

test('revenue is what was paid until now, less what was given back; that of the test store is apart', async () => {
  const funnel = await publishPaidFunnel(s)
  const visitor = await visitorAtPayment(s, funnel)
  await visitorAtPayment(s, funnel)
  const { payment_id } = await dataOf(visitor.begin())
  await dataOf(visitor.attempt(payment_id, 'pays'))
  await dataOf(visitor.confirm(payment_id))
  const { sessions, paid, revenue, sandboxRevenue, groups, pages } = await stats(funnel.id, '?groupBy=device')
  expect([sessions, paid, revenue.amountMicros, sandboxRevenue.amountMicros]).toEqual([2, 1, 0, 9_990_000])
  expect(pages.at(-1)).toMatchObject({ id: 'done', views: 1, advances: 0, dropRate: 0 })
  expect(groups).toMatchObject([{ key: 'desktop', sessions: 2, paid: 1, sandboxRevenue: { amountMicros: 9_990_000 } }])
  expect((await dataOf(support.get(`/funnel-sessions/${visitor.sessionId}`))).payment).toMatchObject({ status: 'PAID' })
})

test('a funnel in which somebody has bought is not deleted; others are, with their sessions', async () => {
  const [sold, unsold] = [await publishFunnel(dev, 'sold', PAGES), await publishFunnel(dev, 'unsold', PAGES)]
  await markAsPaid(await begin(s, 'sold'))
  const session = await begin(s, 'unsold')
  const refused = await dev.delete(`/funnels/${sold}`)
  expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
    409,
    'CONFLICT',
    { reason: 'has_payments' },
  ])
  await dataOf(dev.delete(`/funnels/${unsold}`))
  expect((await session.state()).status).toBe(404)
  expect(await s.ctx.db.$count(s.ctx.tables.funnelSessions)).toBeGreaterThan(0)
  const rows = await s.ctx.db.select().from(s.ctx.tables.funnelSessions)
  expect(rows.filter(({ funnelId }) => funnelId === unsold)).toEqual([])
})

test('500 versions of a funnel are kept, and older ones only while a session is on them', async () => {
  const id = await publishFunnel(dev, 'many', PAGES)
  const session = await begin(s, 'many')
  const { funnelVersions: v, funnels: f } = s.ctx.tables
  const [first] = (await s.ctx.db.select().from(v)).filter(({ funnelId }) => funnelId === id)
  if (!first) throw new Error('no version')
  const row = (versionNo: number) => ({ ...first, id: `fnv_${id}_${versionNo}`, versionNo })
  await s.ctx.write(async (tx) => {
    for (const versionNo of [2, 3, 501]) await tx.db.insert(v).values(row(versionNo))
  })
  await dataOf(dev.patch(`/funnels/${id}`, { pages: [...PAGES.slice(0, 2), funnelPage('end')] }))
  s.ctx.clock.advance(DAY)
  await dataOf(dev.post(`/funnels/${id}/publish`, {}))
  const kept = (await s.ctx.db.select().from(v)).filter(({ funnelId }) => funnelId === id)
  expect(kept.map(({ versionNo }) => versionNo).sort((a, b) => a - b)).toEqual([1, 3, 501, 502])
  expect((await session.state()).status).toBe(200)
  expect(await s.ctx.db.$count(f)).toBeGreaterThan(0)
})
