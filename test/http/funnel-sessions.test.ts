import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MINUTE } from '../../src/base/lib/clock'
import { suspendProject, unsuspendProject } from '../../src/projects/project/service'
import { type Answer, type Stage, stage } from '../support/cast'
import { begin, choice, funnelPage, publishFunnel, sessionOf, slugOf } from '../support/funnels'
import { dataOf } from '../support/operator'
import { type StaffCalls, staff } from '../support/staff'

let s: Stage
let dev: StaffCalls
let project: string
beforeAll(async () => {
  s = await stage()
  dev = staff(s).as('DEVELOPER')
  project = await slugOf(s)
  await publishFunnel(dev, 'quiz', undefined, { locales: ['en', 'tr'], settings: { queryParameters: ['friend'] } })
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Client addresses are limited by the minute.
afterAll(() => s.close())

const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]
const show = (slug: string, query = `project=${project}`) =>
  s.get(`/public/funnels/${slug}?${query}`, undefined, { key: null })

const eventsOf = async (sessionId: string) => {
  const rows = await s.ctx.db.select().from(s.ctx.tables.events)
  return rows
    .filter(({ data }) => data.sessionId === sessionId)
    .sort((a, b) => a.position - b.position)
    .map(({ type, data, subscriberId, seq }) => [type, data.pageId, subscriberId, seq])
}
const answersOf = (sessionId: string) => {
  const { funnelAnswers: a } = s.ctx.tables
  return s.ctx.db.select().from(a).where(eq(a.sessionId, sessionId))
}

describe('a published funnel', () => {
  test('is shown to anybody in the wanted language, with what it sells', async () => {
    const { funnel, ...offer } = await dataOf(show('quiz', `project=${project}&locale=tr-TR`))
    expect([funnel.slug, funnel.versionNo, funnel.locale, funnel.offering]).toEqual(['quiz', 1, 'tr', null])
    expect(funnel.presentedContext).toMatchObject({ placementId: null, funnelId: funnel.id, funnelVersionNo: 1 })
    expect(offer).toMatchObject({ prices: [], payment: { provider: 'test' }, chargesEnabled: true })
    const answer = await show('quiz')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([
    ['of another slug', 'nothing', undefined, 404],
    ['of a project that does not exist', 'quiz', 'project=nobody', 404],
    ['at a host name of no project', 'quiz', 'hostname=quiz.example.com', 404],
    ['without a project', 'quiz', '', 400],
    ['with a project and a host name', 'quiz', 'project=a&hostname=b', 400],
    ['in a language that is none', 'quiz', 'project=x&locale=-', 404],
  ])('%s is refused', async (_name, slug, query, status) => {
    expect((await show(slug, query)).status).toBe(status)
  })

  test('that is a draft, or was taken back, is not there; what has begun goes on', async () => {
    const { id } = await dataOf(dev.post('/funnels', { slug: 'draft', name: 'D', pages: [funnelPage('a')] }))
    expect(codeOf(await show('draft'))).toEqual([404, 'NOT_FOUND'])
    await dataOf(dev.post(`/funnels/${id}/publish`, {}))
    const session = await begin(s, 'draft')
    await dataOf(dev.post(`/funnels/${id}/unpublish`, {}))
    expect(codeOf(await show('draft'))).toEqual([404, 'NOT_FOUND'])
    expect((await dataOf(session.state())).current_page_id).toBe('a')
  })

  test('goes on while its project is suspended', async () => {
    await suspendProject(s.ctx, s.project.id)
    const session = await begin(s, 'quiz')
    expect((await session.go('goal', { goal: 'focus' })).status).toBe(200)
    await unsuspendProject(s.ctx, s.project.id)
  })

  test('with an id that cannot be decoded is unknown where a payment is confirmed', async () => {
    const path = '/public/funnel-sessions/%zz/confirm'
    const { status, body } = await s.call('POST', path, { key: null, body: { payment_id: 'x' } })
    expect([status, body.error.message]).toEqual([404, 'There is no such funnel session'])
  })

  test('may be called by pages of any site with the token of a session', async () => {
    const answer = await s.call('OPTIONS', '/public/funnels/quiz/sessions', { key: null })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toContain('X-Svc-Funnel-Session')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const other = await s.call('OPTIONS', `/v1/web/${s.project.publicKey}/config`, { key: null })
    expect(other.headers.get('access-control-allow-headers')).toContain('X-Svc-Funnel-Session')
  })
})

describe('a session', () => {
  test('walks by its answers, and tells every step in the order in which it happened', async () => {
    const session = await begin(s, 'quiz', { locale: 'tr', utm: { source: 'mail' }, referrer: 'https://a.example/x?y' })
    expect(await dataOf(session.go('goal', { goal: 'sleep' }))).toEqual({ next: 'page', page_id: 'name' })
    expect(await dataOf(session.go('name', { name: 'Ada' }))).toEqual({ next: 'page', page_id: 'health' })
    expect(await dataOf(session.post('back', {}))).toEqual({ page_id: 'name' })
    expect(await dataOf(session.go('name'))).toEqual({ next: 'page', page_id: 'health' })
    expect(await dataOf(session.go('health', { illness: 'none', terms: true }))).toEqual({
      next: 'page',
      page_id: 'done',
    })
    expect(await dataOf(session.go('done'))).toEqual({ next: 'end' })
    expect(await dataOf(session.state())).toEqual({
      current_page_id: 'done',
      path: ['goal', 'name', 'health', 'done'],
      answers: { goal: 'sleep', name: 'Ada', illness: 'none', terms: true },
      ...{ state: 'IN_PROGRESS', payment: null, has_claim_token: false, locale: 'tr', version_no: 1 },
    })
    expect(await eventsOf(session.id)).toEqual([
      ['funnel.session.started', 'goal', null, null],
      ['funnel.session.advanced', 'name', null, null],
      ['funnel.session.advanced', 'health', null, null],
      ['funnel.session.advanced', 'health', null, null],
      ['funnel.session.advanced', 'done', null, null],
      ['funnel.session.completed', 'done', null, null],
    ])
    const [row] = (await s.ctx.db.select().from(s.ctx.tables.funnelSessions)).filter(({ id }) => id === session.id)
    expect([row?.utm, row?.referrer, row?.secretHash.length]).toEqual([{ utm_source: 'mail' }, 'a.example', 64])
    expect(JSON.stringify(row)).not.toContain(session.token)
  })

  test('keeps sensitive answers encrypted, and of a consent the text that was shown', async () => {
    const session = await begin(s, 'quiz')
    await dataOf(session.go('goal', { goal: 'sleep' }))
    await dataOf(session.go('name'))
    await dataOf(session.go('health', { illness: 'insomnia', terms: true }))
    const rows = new Map((await answersOf(session.id)).map((row) => [row.fieldId, row]))
    expect(rows.get('illness')?.isSealed).toBe(true)
    expect(JSON.stringify(rows.get('illness'))).not.toContain('insomnia')
    expect(rows.get('terms')?.value).toMatchObject({ accepted: true, shownText: 'I agree to **all** of it' })
    expect((await dataOf(session.state())).answers.illness).toBe('insomnia')
  })

  test('is presented by its cookie or its token, and is not there for anything else', async () => {
    const [session, other] = [await begin(s, 'quiz'), await begin(s, 'quiz')]
    expect(session.token).toMatch(/^svc_fst_[0-9A-Za-z_-]{43}$/)
    const path = `/public/funnel-sessions/${session.id}/state`
    const cookie = { key: null, headers: { cookie: `other=1; ${session.cookie}` } }
    expect((await s.get(path, undefined, cookie)).status).toBe(200)
    const message = (answer: Answer) => answer.body.error.message.replace(session.id, '')
    const stranger = await session.state(null)
    expect(codeOf(stranger)).toEqual([404, 'NOT_FOUND'])
    for (const token of [other.token, 'svc_fst_x', `${session.token}x`]) {
      const answer = await session.state(token)
      expect([answer.status, message(answer)]).toEqual([404, message(stranger)])
      for (const command of ['advance', 'answers'])
        expect((await session.post(command, { page_id: 'goal', answers: {} }, token)).status).not.toBe(200)
    }
    const unknown = await s.get(path.replace(session.id, `fse_${'0'.repeat(26)}`), undefined, cookie)
    expect(unknown.status).toBe(404)
  })

  test('stays on the version with which it began', async () => {
    const id = await publishFunnel(dev, 'changing', [funnelPage('a', 'b'), funnelPage('b')])
    const session = await begin(s, 'changing')
    await dataOf(dev.patch(`/funnels/${id}`, { pages: [funnelPage('a', 'c'), funnelPage('c')] }))
    await dataOf(dev.post(`/funnels/${id}/publish`, {}))
    expect(await dataOf(session.go('a'))).toEqual({ next: 'page', page_id: 'b' })
    expect((await dataOf(session.state())).version_no).toBe(1)
    expect((await dataOf((await begin(s, 'changing')).go('a'))).page_id).toBe('c')
  })

  test('of two tabs: the one that is behind learns the current page, and changes nothing', async () => {
    const session = await begin(s, 'quiz')
    await dataOf(session.go('goal', { goal: 'sleep' }))
    const late = await session.post('advance', { page_id: 'goal' })
    expect(codeOf(late)).toEqual([409, 'CONFLICT'])
    expect(late.body.error.details).toEqual({ current_page_id: 'name' })
    expect((await dataOf(session.state())).path).toEqual(['goal', 'name'])
    const unseen = await session.post('answers', { page_id: 'health', answers: { illness: 'x' } })
    expect([unseen.status, unseen.body.error.details]).toEqual([409, { current_page_id: 'name' }])
    // A page in the path may still be answered; only answers of the path count.
    await dataOf(session.post('answers', { page_id: 'goal', answers: { goal: 'focus' } }))
    expect(await dataOf(session.go('name'))).toEqual({ next: 'page', page_id: 'health' })
  })

  test('of two steps at once, one goes on and the other learns where it is', async () => {
    const session = await begin(s, 'quiz')
    await dataOf(session.post('answers', { page_id: 'goal', answers: { goal: 'sleep' } }))
    const both = await Promise.all([
      session.post('advance', { page_id: 'goal' }),
      session.post('advance', { page_id: 'goal' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await eventsOf(session.id)).map(([type]) => type)).toEqual([
      'funnel.session.started',
      'funnel.session.advanced',
    ])
  })

  test('refuses answers that do not fit, each by its field, and keeps none of them', async () => {
    const session = await begin(s, 'quiz')
    await dataOf(session.go('goal', { goal: 'sleep' }))
    const refused = async (page_id: string, answers: object) => {
      const answer = await session.post('answers', { page_id, answers })
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR'])
      return answer.body.error.details?.fields
    }
    expect(await refused('goal', { goal: 'money', other: 1 })).toEqual(['goal', 'other'])
    expect(await refused('name', { name: 'x'.repeat(21) })).toEqual(['name'])
    expect(await refused('name', { name: 5 })).toEqual(['name'])
    expect(await refused('name', { name: ['x'.repeat(20_000)] })).toEqual(['name'])
    expect((await dataOf(session.state())).answers).toEqual({ goal: 'sleep' })
    const early = await (await begin(s, 'quiz')).post('advance', { page_id: 'goal' })
    expect([early.status, early.body.error.details.fields]).toEqual([400, ['goal']])
    const strict = await session.post('answers', { page_id: 'name', answers: {}, more: 1 })
    expect(codeOf(strict)).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('forgets an answer that is withdrawn, and keeps the others', async () => {
    const session = await begin(s, 'quiz')
    await dataOf(session.go('goal', { goal: 'sleep' }))
    await dataOf(session.post('answers', { page_id: 'name', answers: { name: 'Ada' } }))
    await dataOf(session.post('answers', { page_id: 'name', answers: { name: null } }))
    expect((await answersOf(session.id)).map(({ fieldId }) => fieldId)).toEqual(['goal'])
    expect((await dataOf(session.state())).answers).toEqual({ goal: 'sleep' })
  })

  test('takes the other ways of a page only where the page offers them', async () => {
    const button = (id: string, action: object) => ({ id, type: 'button', props: { label: { en: id }, action } })
    await publishFunnel(dev, 'ways', [
      funnelPage('a', 'b', {
        fields: [choice('x', ['1'])],
        blocks: [{ id: 'f', type: 'field', props: { fieldId: 'x' } }, button('s', { type: 'skip' })],
      }),
      funnelPage('b', 'c', {
        next: { rules: [{ match: 'all', when: [{ field: 'x', op: 'eq', value: '1' }], to: 'd' }], default: 'c' },
        blocks: [button('t', { type: 'to', pageId: 'd' })],
      }),
      funnelPage('c', 'd'),
      funnelPage('d'),
    ])
    const session = await begin(s, 'ways')
    const go = (page_id: string, action: string) => session.post('advance', { page_id, action })
    expect((await go('a', 'to:d')).status).toBe(400)
    expect((await dataOf(go('a', 'skip'))).page_id).toBe('b')
    expect((await dataOf(go('b', 'to:d'))).page_id).toBe('d')
    expect((await go('d', 'elsewhere')).status).toBe(400)
  })

  test('is limited for each client address, also where addresses are not limited otherwise', async () => {
    const answers: Answer[] = []
    for (let count = 0; count < 31; count++)
      answers.push(await s.post(`/public/funnels/quiz/sessions?project=${project}`, {}, { key: null }))
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(30)
    const last = answers.at(-1)
    expect(last && codeOf(last)).toEqual([429, 'RATE_LIMITED'])
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    const [first] = answers
    if (first) expect((await sessionOf(s, first).state()).status).toBe(200)
  })
})
