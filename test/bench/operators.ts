import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import { createContext } from '../../src/create-context'
import { findSubscriber } from '../../src/people/subscribers/service'
import { TEST_KEY, TestClock, testApp } from '../support/context'
import { person, TestSessions } from '../support/sessions'
import { median } from './measure'
import type { Row } from './report'
import { deviceOf, labelOf, seed } from './seed'
import type { Template } from './template'

interface Plan {
  folder: string
  template: Template
  subscribers: number
  say: (line: string) => void
}

/** The tables that lists and searches of the dashboard read. */
const TABLES = ['subscribers', 'purchases', 'transactions', 'ledger', 'balances', 'events']
const CALLS = 100
const WARM_CALLS = 10
const MOST_MEDIAN_MS = 50

/**
 * Lists and searches of the dashboard over many subscribers, each beside a read by primary key in the same round. The
 * app runs in this process, because the sessions are in memory.
 */
export async function benchOperators({ folder, template, subscribers, say }: Plan): Promise<Row[]> {
  const data = join(folder, 'operators')
  seed(template, data, subscribers, say, TABLES)
  vary(join(data, 'svc.db'), say)
  const clock = new TestClock(Date.now())
  const config = readConfig({ SVC_DATA_DIR: data, SVC_MASTER_KEY: TEST_KEY, SVC_RATE_USER: '0', SVC_RATE_IP: '0' })
  const ctx = Object.assign(await createContext(config, { clock }), { clock, lines: [] as string[] })
  try {
    ctx.state.sessions = ownerOf(template.project.id, clock.now())
    const app = testApp(ctx)
    const call = async (path: string) => {
      const url = `http://localhost/dashboard/projects/${template.project.id}${path}`
      const answer = await app.handle(new Request(url, { headers: { cookie: 'svc_session=bench' } }))
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
      return text
    }
    const cursors = await deepCursors(call)
    const rows: Row[] = []
    for (const [what, pathOf] of loads(subscribers, cursors)) {
      const byKey = (index: number) => findSubscriber(ctx, template.project.id, idOf(index))
      rows.push(await measure(what, subscribers, (index) => call(pathOf(index)), byKey))
      say(what)
    }
    return rows
  } finally {
    await ctx.close()
  }
}

/** Gives some rows an address or another status, so that there is something rare to be found. */
function vary(path: string, say: (line: string) => void): void {
  const database = new Database(path)
  database.exec(`
    UPDATE subscribers SET attributes = json_set(attributes, '$."$email"',
      json_object('value', app_user_id || '@example.com', 'source', 'sdk', 'updatedAt', 1)) WHERE rowid % 4 = 0;
    UPDATE subscribers SET attributes = json_set(attributes, '$.platform',
      json_object('value', CASE rowid % 3 WHEN 0 THEN 'ios' WHEN 1 THEN 'android' ELSE 'web' END,
        'source', 'sdk', 'updatedAt', 1)) WHERE rowid % 4 <> 1;
    UPDATE purchases SET status = 'GRACE_PERIOD', fold = json_set(fold, '$.billingTrouble', 'GRACE',
      '$.gracePeriodExpiresAt', 4000000000000) WHERE rowid % 1000 = 0;
    PRAGMA wal_checkpoint(TRUNCATE)`)
  database.close()
  say('addresses, platforms and statuses')
}

function ownerOf(projectId: string, now: number): TestSessions {
  const sessions = new TestSessions()
  const user = person('usr_bench')
  const life = { createdAt: now, expiresAt: now + 1e9, revokedAt: null, hasPassedTwoFactor: true }
  sessions.sessions.set('bench', { id: 'ses_bench', user, ...life })
  sessions.roles.set(`${user.id} ${projectId}`, 'OWNER')
  return sessions
}

const idOf = (index: number): string => `sub_${String(index).padStart(25, '0')}0`

/** Cursors far into the lists, so that a list that grows slower with its depth is seen. */
async function deepCursors(call: (path: string) => Promise<string>): Promise<Record<string, string>> {
  const cursors: Record<string, string> = {}
  for (const path of ['/subscribers', '/subscriptions', '/transactions']) {
    let cursor = ''
    for (let page = 0; page < 25; page++) {
      const { data } = JSON.parse(await call(`${path}?limit=200${cursor}`))
      cursor = `&cursor=${data.nextCursor}`
    }
    cursors[path] = cursor
  }
  return cursors
}

type Load = [what: string, pathOf: (index: number) => string]

const loads = (subscribers: number, cursors: Record<string, string>): Load[] => {
  const email = (index: number) => encodeURIComponent(`user-${index - (index % 4) + 4}@example.com`)
  return [
    ['GET subscribers', () => '/subscribers'],
    ['GET subscribers, page 26', () => `/subscribers?limit=200${cursors['/subscribers']}`],
    ['GET subscribers?platform', () => '/subscribers?platform=ios'],
    ['GET subscribers?status=GRACE_PERIOD, 1 in 1000', () => '/subscribers?status=GRACE_PERIOD'],
    ['GET subscribers?status=REFUNDED, none', () => '/subscribers?status=REFUNDED'],
    ['GET subscribers?access=pro', () => '/subscribers?access=pro'],
    ['GET subscribers?access=coach, nobody, up to the bound', () => '/subscribers?access=coach'],
    ['GET subscribers?q&status=REFUNDED, nobody, up to the bound', () => '/subscribers?q=user-&status=REFUNDED'],
    ['GET subscribers?q, label prefix of many', () => '/subscribers?q=user-'],
    ['GET subscribers?q, device key', (index) => `/subscribers?q=${deviceOf(index)}`],
    ['GET subscribers/:id', (index) => `/subscribers/${idOf(index)}`],
    ['GET subscribers/:id/timeline', (index) => `/subscribers/${idOf(index - (index % 10) + 10)}/timeline`],
    ['GET subscribers/:id/ledger', (index) => `/subscribers/${idOf(index - (index % 10) + 10)}/ledger`],
    ['GET search, label', (index) => `/search?q=${labelOf(index)}`],
    ['GET search, label prefix of many', () => '/search?q=user-1'],
    ['GET search, device key prefix', (index) => `/search?q=${deviceOf(index).slice(0, 6)}`],
    ['GET search, sub_ id', (index) => `/search?q=${idOf(index)}`],
    ['GET search, e-mail', (index) => `/search?q=${email(Math.min(index, subscribers - 8))}`],
    ['GET search, store transaction id', (index) => `/search?q=2${String(index).padStart(15, '0')}`],
    ['GET search, nothing found', () => '/search?q=zzzzzz'],
    ['GET subscriptions', () => '/subscriptions'],
    ['GET subscriptions, page 26', () => `/subscriptions?limit=200${cursors['/subscriptions']}`],
    ['GET subscriptions?status=GRACE_PERIOD', () => '/subscriptions?status=GRACE_PERIOD'],
    ['GET subscriptions?store=PAYMENT, none, up to the bound', () => '/subscriptions?store=PAYMENT'],
    ['GET subscriptions/billing-issues', () => '/subscriptions/billing-issues'],
    ['GET transactions', () => '/transactions'],
    ['GET transactions, page 26', () => `/transactions?limit=200${cursors['/transactions']}`],
    ['GET transactions?kind=REFUND, none, up to the bound', () => '/transactions?kind=REFUND'],
    ['GET transactions?subscriberId', (index) => `/transactions?subscriberId=${idOf(index)}`],
    ['GET transfers', () => '/transfers'],
  ]
}

/** Calls and reads by key take turns, so that other work of the machine affects both. */
async function measure(
  what: string,
  subscribers: number,
  call: (index: number) => Promise<unknown>,
  byKey: (index: number) => Promise<unknown>,
): Promise<Row> {
  const [calls, reads]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < CALLS + WARM_CALLS; turn++) {
    const index = 1 + ((turn * 7919 * 13) % (subscribers - 20))
    const times = [await time(() => call(index)), await time(() => byKey(index))] as const
    if (turn < WARM_CALLS) continue
    calls.push(times[0])
    reads.push(times[1])
  }
  const figure = (times: number[]) => ({
    value: median(times),
    unit: 'ms' as const,
    p50Ms: median(times),
    p99Ms: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0,
  })
  return {
    what: `${what}, ${subscribers.toLocaleString('en')} subscribers (yardstick: one by primary key)`,
    result: figure(calls),
    yardstick: figure(reads),
    aim: { of: 'result', is: 'at most', value: MOST_MEDIAN_MS },
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
