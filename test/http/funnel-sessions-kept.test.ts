import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { sweepRetention } from '../../src/base/retention/sweep'
import { abandonIdle } from '../../src/funnels/sessions/retention'
import { lockedSession, markPaid } from '../../src/funnels/sessions/service'
import { type Stage, stage } from '../support/cast'
import { exportOf, linesOf, openRequest, work } from '../support/data-requests'
import { begin, funnelPage, publishFunnel, QUIZ, type VisitorSession } from '../support/funnels'
import { dataOf } from '../support/operator'
import { staff } from '../support/staff'

let s: Stage
beforeAll(async () => {
  s = await stage()
  const dev = staff(s).as('DEVELOPER')
  await publishFunnel(dev, 'quiz')
  await publishFunnel(dev, 'short', [funnelPage('a', 'end'), funnelPage('end', null, { type: 'success' })])
  expect(QUIZ).toHaveLength(4)
})
beforeEach(() => s.ctx.clock.advance(2 * MINUTE)) // Client addresses are limited by the minute.
afterAll(() => s.close())

const stateOf = async (session: VisitorSession) => (await dataOf(session.state())).state

/** Pays a session as the slice of the payments does, for the subscriber of a device. */
async function pay(session: VisitorSession, device: string): Promise<string> {
  await dataOf(s.post('/v1/me/attributes', { attributes: {} }, { headers: { 'x-svc-app-user-id': device } }))
  const rows = await s.ctx.db.select().from(s.ctx.tables.subscribers)
  const subscriberId = rows.find(({ deviceKey }) => deviceKey === device)?.id ?? ''
  const at = s.ctx.clock.now()
  await s.ctx.write(async (tx) => markPaid(tx, await lockedSession(tx, session.id), { subscriberId, at }))
  return subscriberId
}

const rowOf = async (session: VisitorSession) =>
  (await s.ctx.db.select().from(s.ctx.tables.funnelSessions)).find(({ id }) => id === session.id)
const answersOf = async (session: VisitorSession) =>
  (await s.ctx.db.select().from(s.ctx.tables.funnelAnswers)).filter(({ sessionId }) => sessionId === session.id)

test('a session is abandoned after a day without a step, and goes on with the next answer', async () => {
  const [idle, paid, done] = [await begin(s, 'quiz'), await begin(s, 'quiz'), await begin(s, 'short')]
  await pay(paid, 'svc_paid')
  await dataOf(done.go('a'))
  s.ctx.clock.advance(DAY - HOUR)
  const fresh = await begin(s, 'quiz')
  await abandonIdle(s.ctx)
  expect(await stateOf(idle)).toBe('IN_PROGRESS')
  s.ctx.clock.advance(HOUR + 1)
  await abandonIdle(s.ctx)
  expect([await stateOf(idle), await stateOf(paid), await stateOf(done), await stateOf(fresh)]).toEqual([
    'ABANDONED',
    'PAID',
    'IN_PROGRESS',
    'IN_PROGRESS',
  ])
  await dataOf(idle.post('answers', { page_id: 'goal', answers: { goal: 'sleep' } }))
  expect(await stateOf(idle)).toBe('IN_PROGRESS')
})

test('a paid session takes no answers, goes on to the page after it, and not back', async () => {
  const session = await begin(s, 'quiz')
  await dataOf(session.go('goal', { goal: 'sleep' }))
  const subscriberId = await pay(session, 'svc_buyer')
  const refused = await session.post('answers', { page_id: 'goal', answers: { goal: 'focus' } })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
  expect(await dataOf(session.state())).toMatchObject({
    state: 'PAID',
    current_page_id: 'health',
    answers: { goal: 'sleep' },
  })
  expect(await dataOf(session.post('advance', { page_id: 'health' }))).toEqual({ next: 'page', page_id: 'done' })
  const told = (await s.events(subscriberId)).filter(({ type }) => type.startsWith('funnel.'))
  expect(told.map(({ type, seq }) => [type, seq])).toEqual([
    ['funnel.session.advanced', 1],
    ['funnel.session.advanced', 2],
    ['funnel.session.completed', 3],
  ])
})

test('after 30 days, sessions in which nothing was bought are gone with their answers', async () => {
  const [unpaid, paid] = [await begin(s, 'quiz'), await begin(s, 'quiz')]
  for (const session of [unpaid, paid]) await dataOf(session.go('goal', { goal: 'sleep' }))
  await pay(paid, 'svc_kept')
  s.ctx.clock.advance(30 * DAY - HOUR)
  await sweepRetention(s.ctx)
  expect(await rowOf(unpaid)).toBeDefined()
  s.ctx.clock.advance(2 * HOUR)
  await sweepRetention(s.ctx)
  expect([(await unpaid.state()).status, await answersOf(unpaid)]).toEqual([404, []])
  const steps = await s.ctx.db.select().from(s.ctx.tables.funnelSteps)
  expect(steps.filter(({ sessionId }) => sessionId === unpaid.id)).toEqual([])
  expect((await paid.state()).status).toBe(200)
  expect(await answersOf(paid)).toHaveLength(1)
})

test('a session follows its buyer into a merge, and comes back when that is undone', async () => {
  const session = await begin(s, 'quiz')
  const from = await pay(session, 'svc_web')
  await pay(await begin(s, 'quiz'), 'svc_phone')
  const body = { fromAppUserId: 'svc_web', toAppUserId: 'svc_phone' }
  const moved = await dataOf(s.post('/v1/subscribers/transfer', body, { key: s.project.secretKey }))
  const to = (await rowOf(session))?.subscriberId
  expect(to).not.toBe(from)
  const transferId = moved.transferId ?? moved.transfer?.id ?? moved.id
  await dataOf(s.post(`/v1/subscribers/transfer/${transferId}/undo`, {}, { key: s.project.secretKey }))
  expect((await rowOf(session))?.subscriberId).toBe(from)
})

test('an export has every answer of a person, an erasure leaves none and nothing that tells about them', async () => {
  const session = await begin(s, 'quiz', { utm: { source: 'zq-mail' }, referrer: 'https://zq.example/' })
  await dataOf(session.go('goal', { goal: 'sleep' }))
  await dataOf(session.go('name', { name: 'zq-Ada' }))
  await dataOf(session.post('answers', { page_id: 'health', answers: { illness: 'zq-illness', terms: true } }))
  const stranger = await begin(s, 'quiz')
  await dataOf(stranger.go('goal', { goal: 'focus' }))
  await pay(session, 'svc_gone')
  const lines = linesOf(await exportOf(s, 'svc_gone'), 'funnels.jsonl')
  expect(lines.map(({ record, fieldId, pageId }) => [record, fieldId ?? pageId ?? null])).toEqual([
    ['session', null],
    ...['goal', 'name', 'illness', 'terms'].map((fieldId) => ['answer', fieldId]),
    ...['goal', 'name', 'health', 'done'].map((pageId) => ['page', pageId]),
  ])
  expect(lines.find(({ fieldId }) => fieldId === 'illness').value).toBe('zq-illness')
  expect(lines.find(({ fieldId }) => fieldId === 'terms').value).toMatchObject({ accepted: true })
  expect(JSON.stringify(lines)).not.toContain(stranger.id)

  await dataOf(openRequest(s, 'erasure', 'svc_gone'))
  await work(s)
  const row = await rowOf(session)
  expect(row).toMatchObject({ utm: {}, query: {}, referrer: null, secretHash: '', paidAt: expect.any(Number) })
  expect(JSON.stringify(row)).not.toContain('zq')
  expect(await answersOf(session)).toEqual([])
  expect((await session.state()).status).toBe(404)
  expect((await dataOf(stranger.state())).answers).toEqual({ goal: 'focus' })
})
