import { afterEach, beforeEach, expect, test } from 'bun:test'
import { FairQueue } from '../../src/base/http/fair-queue'
import { figureQueueOf } from '../../src/insight/clickhouse/numbers'
import { type Answer, type Stage, stage } from '../support/cast'
import { staff } from '../support/staff'

let s: Stage
/** Lets the computation end that holds the project's place. */
let release: () => void
beforeEach(async () => {
  s = await stage()
  s.ctx.state.figureQueue = figureQueueOf(s.ctx)
})
afterEach(() => s.close())

/** Another caller's computation of the project, one for each of its places. */
function hold(places = 2): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  for (let place = 0; place < places; place++) void s.ctx.state.figureQueue.run(s.project.id, undefined, () => promise)
}

const settled = () => new Promise(setImmediate)
const reportOf =
  ({ id, secretKey }: Stage['project']) =>
  (): Promise<Answer> =>
    s.call('GET', `/metrics/retention?projectId=${id}`, { key: secretKey })
const statusOf = ({ status, headers, body }: Answer) => [status, body.error?.code, headers.get('retry-after')]

test('charts, their rows and files, and metrics wait for the turn of their project, not of another', async () => {
  hold()
  const member = staff(s).as('CUSTOMER_SUPPORT')
  const done: string[] = []
  const paths = [
    '/charts/revenue',
    '/charts/revenue/export',
    '/charts/transactions/rows?start=2026-01-01&grain=total',
    '/metrics/mrr',
  ]
  const waiting = [
    ...paths.map((path) => member.get(path).then(({ status }) => done.push(`${status} ${path}`))),
    reportOf(s.project)().then(({ status }) => done.push(`${status} report`)),
  ]
  expect((await reportOf(s.other)()).status).toBe(200)
  await settled()
  expect(done).toEqual([])
  release()
  await Promise.all(waiting)
  expect(done.toSorted()).toEqual([...paths, 'report'].map((path) => `200 ${path}`).toSorted())
})

test('too many that wait for one project are refused with when to come again', async () => {
  hold()
  const waiting = Array.from({ length: 40 }, reportOf(s.project))
  const refused = (await Promise.race([Promise.all(waiting.slice(-5)), settledAnswers(waiting)])) as Answer[]
  expect(refused.map(statusOf)).toContainEqual([429, 'RATE_LIMITED', '5'])
  expect((await reportOf(s.other)()).status).toBe(200)
  release()
  const all = (await Promise.all(waiting)).map(({ status }) => status)
  expect(new Set(all)).toEqual(new Set([200, 429]))
})

/** The first five that are answered. */
async function settledAnswers(calls: Promise<Answer>[]): Promise<Answer[]> {
  const found: Answer[] = []
  for (const call of calls) void call.then((answer) => found.push(answer))
  while (found.length < 5) await settled()
  return found
}

test('whoever waited too long gets 503 and when to come again, before the connection is closed', async () => {
  const timers: (() => void)[] = []
  const limits = { places: 1, placesOfGroup: 1, waitingOfGroup: 9, patienceMs: 1 }
  s.ctx.state.figureQueue = new FairQueue(limits, (_, run) => {
    timers.push(run)
    return () => {}
  })
  hold(1)
  const late = reportOf(s.project)()
  while (timers.length < 1) await settled()
  for (const timer of timers) timer()
  expect(statusOf(await late)).toEqual([503, 'QUEUE_UNAVAILABLE', '5'])
  release()
})
