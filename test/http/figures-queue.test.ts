import { afterEach, beforeEach, expect, test } from 'bun:test'
import { FairQueue } from '../../src/base/http/fair-queue'
import { DAY } from '../../src/base/lib/clock'
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

/** Holds the project's long reads, so that what computes its figures cannot continue. */
function holdReads(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  release = resolve
  void s.ctx.storage.readInThread(() => promise, { group: s.project.id })
}

/** Waits until no place of the project is free; what is returned then waits for one. */
async function untilFull(): Promise<{ next: Promise<string> }> {
  for (;;) {
    await settled()
    const next = s.ctx.state.figureQueue.run(s.project.id, undefined, async () => 'begun')
    if ((await Promise.race([next, settled()])) !== 'begun') return { next }
  }
}

test('a computation ends when its caller leaves: its place is free for the next caller of the project', async () => {
  holdReads()
  const member = staff(s).as('CUSTOMER_SUPPORT')
  const leaving = new AbortController()
  const { signal } = leaving
  const paths = [
    ...['/charts/revenue?grain=day', '/charts/revenue', '/charts/revenue/export', '/metrics/mrr'],
    '/charts/transactions/rows?start=2026-01-01&grain=total',
  ]
  const left = paths.map((path) => member.get(path, { signal }))
  const { next } = await untilFull()
  leaving.abort()
  expect((await Promise.all(left)).map(({ status }) => status)).toEqual(paths.map(() => 408))
  expect(await next).toBe('begun')
  release()
  expect((await member.get('/charts/revenue')).status).toBe(200)
})

test('what several callers wait for ends only when the last one has left', async () => {
  const member = staff(s).as('GROWTH')
  const made = await member.post('/cohorts', { identifier: 'c', name: 'C', definition: { event: 'level_up' } })
  s.ctx.clock.advance(DAY)
  holdReads()
  const [ada, bo] = [new AbortController(), new AbortController()]
  const read = ({ signal }: AbortController) => member.get(`/cohorts/${made.body.data.id}/analysis`, { signal })
  const [first, second] = [read(ada), read(bo)]
  for (let step = 0; step < 50; step++) await settled()
  ada.abort()
  expect((await first).status).toBe(408)
  expect(await Promise.race([second, settled().then(() => 'waits')])).toBe('waits')
  release()
  expect((await second).status).toBe(200)
  holdReads()
  s.ctx.clock.advance(DAY)
  const [third, fourth] = [new AbortController(), new AbortController()]
  const both = [read(third), read(fourth)]
  for (let step = 0; step < 50; step++) await settled()
  third.abort()
  fourth.abort()
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([408, 408])
  release()
  expect((await member.get(`/cohorts/${made.body.data.id}/analysis`)).status).toBe(200)
})
