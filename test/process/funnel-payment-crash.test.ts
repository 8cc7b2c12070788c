import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { migrate } from '../../src/base/db/migrate'
import { type Clock, MINUTE, systemClock } from '../../src/base/lib/clock'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { applyFile } from '../../src/projects/project-file/apply'
import { parseProjectFile } from '../../src/projects/project-file/parse'
import { makeProject } from '../support/cast'
import { TEST_KEY, type TestContext } from '../support/context'
import { startServerProcess, tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'
import { SECTIONS } from '../support/sections'

const KILLS = moreInRelease(24, 100)
const VISITORS = 5
const env = { SVC_MASTER_KEY: TEST_KEY, SVC_RATE_IP: '0', SVC_RATE_NEW: '0' }

const FUNNEL = `version: 1
offerings: { web: { packages: [{ identifier: monthly, product: pro_monthly }] } }
funnels:
  sleep:
    name: Sleep
    publish: true
    defaultLocale: en
    settings: { offering: web }
    pages:
      - { id: hello, type: info, title: { en: Hello }, next: { default: pay } }
      - { id: pay, type: payment, title: { en: Pay }, next: { default: done } }
      - { id: done, type: success, title: { en: Done } }
`

const folder = tempFolder()
let project = ''

const open = (clock: Clock = systemClock): Promise<Context> =>
  createContext(readConfig({ SVC_DATA_DIR: folder.path, ...env }), {
    clock,
    log: createLog({ level: 'off', now: () => 0 }),
  })

beforeAll(async () => {
  const ctx = await open()
  await migrate(ctx.storage)
  const made = await makeProject(ctx as TestContext, 1, {})
  const file = parseProjectFile(SECTIONS, FUNNEL, { env: () => null, file: () => null })
  if ('unreadable' in file) throw new Error(JSON.stringify(file.unreadable))
  expect((await applyFile(ctx, made.id, file, { prune: false })).problems).toEqual([])
  project = (await ctx.state.projects.get(made.id)).slug
  await ctx.close()
}, 600_000)
afterAll(() => folder.remove())

/** A visitor, and how far the server has told them that they are. */
interface Visitor {
  sessionId: string | null
  token: string
  paymentId: string | null
  hasPaid: boolean
  hasToken: boolean
}

const newVisitor = (): Visitor => ({ sessionId: null, token: '', paymentId: null, hasPaid: false, hasToken: false })

const STAGES = ['paymentId', 'hasPaid', 'hasToken'] as const

type Call = (path: string, body: object, token?: string) => Promise<{ status: number; body: Answer } | null>
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: the answers have many shapes.
  data?: any
  error?: { code: string }
}

const caller =
  (handle: (request: Request) => Promise<Response>, url: string): Call =>
  async (path, body, token = '') => {
    const headers = { 'content-type': 'application/json', 'x-svc-funnel-session': token }
    const request = new Request(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await handle(request).catch(() => null)
    const text = answer && (await answer.text().catch(() => null))
    return answer && text !== null ? { status: answer.status, body: JSON.parse(text) } : null
  }

/** Walks through the funnel as far as the server lives. */
async function visit(call: Call, visitor: Visitor): Promise<void> {
  const begun = await call(`/public/funnels/sleep/sessions?project=${project}`, {})
  if (begun?.status !== 201) return
  const { session_id, session_token } = begun.body.data
  Object.assign(visitor, { sessionId: session_id, token: session_token })
  await call(`/public/funnel-sessions/${session_id}/advance`, { page_id: 'hello' }, session_token)
  await pay(call, visitor)
}

async function pay(call: Call, visitor: Visitor): Promise<void> {
  const { sessionId, token } = visitor
  const post = (path: string, body: object) => call(`/public/funnel-sessions/${sessionId}/${path}`, body, token)
  const order = { package_identifier: 'monthly', page_id: 'pay', email: 'ada@example.com' }
  const intent = await post('payment-intent', order)
  if (intent?.status !== 200) return
  visitor.paymentId = intent.body.data.payment_id
  const payment_id = visitor.paymentId
  const paid = await post('test-payment', { payment_id, outcome: 'pays' })
  if (paid?.status !== 200) return
  visitor.hasPaid = true
  const confirmed = await post('confirm', { payment_id })
  if (confirmed?.status === 200) visitor.hasToken = true
}

test(
  `${KILLS} kill -9 while visitors pay: one purchase and one token each, and nobody pays in vain`,
  async () => {
    const all: Visitor[] = []
    for (let round = 0; round < KILLS; round++) {
      const visitors = Array.from({ length: VISITORS }, newVisitor)
      all.push(...visitors)
      const server = await startServerProcess(folder.path, env)
      const { promise: isThere, resolve: arrive } = Promise.withResolvers<void>()
      const stage = STAGES[round % STAGES.length] ?? 'hasPaid'
      const call = caller(fetch, server.url)
      const watched: Call = async (...order) => {
        const answer = await call(...order)
        // The visitor notes what an answer has told in the same turn.
        setTimeout(() => visitors.some((one) => one[stage]) && arrive())
        return answer
      }
      const visits = visitors.map((one) => visit(watched, one))
      // The process dies at another point of the work each time, however slow the machine is.
      await Promise.race([isThere, Promise.all(visits)])
      await Bun.sleep((round % 8) * 5)
      await server.kill('SIGKILL')
      await Promise.all(visits)
    }
    // The kills came neither before all work nor after it.
    expect(all.some(({ hasToken }) => hasToken)).toBe(true)
    expect(all.some(({ hasPaid, hasToken }) => hasPaid && !hasToken)).toBe(true)
    await finish(all)
    await expectEachOnce(all)
  },
  moreInRelease(600_000, 3_600_000),
)

/** Later, when every lease of a dead process has run out, the visitors go on where they were. */
async function finish(all: readonly Visitor[]): Promise<void> {
  let minutes = 2
  const ctx = await open({ now: () => systemClock.now() + minutes * MINUTE })
  const app = createApp(ctx)
  const call = caller((request) => Promise.resolve(app.handle(request)), 'http://localhost')
  for (const one of all.filter(({ sessionId }) => sessionId !== null)) {
    minutes += 1 // The calls of an address are counted by the minute.
    const { sessionId, token, paymentId: payment_id } = one
    if (one.hasPaid) {
      const answer = await call(`/public/funnel-sessions/${sessionId}/confirm`, { payment_id }, token)
      expect([answer?.status, answer?.body.error]).toEqual([200, undefined])
    } else await pay(call, one)
  }
  await ctx.close()
}

async function expectEachOnce(all: readonly Visitor[]): Promise<void> {
  const ctx = await open()
  const { funnelPayments, funnelSessions, funnelTokens, purchases, events } = ctx.tables
  const payments = await ctx.db.select().from(funnelPayments)
  const tokens = await ctx.db.select().from(funnelTokens)
  const sold = await ctx.db.select().from(purchases)
  const told = (await ctx.db.select().from(events)).filter(({ type }) => type === 'funnel.paid')
  const paid = (await ctx.db.select().from(funnelSessions)).filter(({ paidAt }) => paidAt !== null)
  expect(paid.length).toBeGreaterThan(0)
  for (const { hasPaid, sessionId } of all) if (hasPaid) expect(paid.map(({ id }) => id)).toContain(sessionId ?? '')
  for (const { id } of paid) {
    const own = payments.filter(({ sessionId, status }) => sessionId === id && status === 'PAID')
    const counts = [
      own.length,
      sold.filter((one) => one.id === own[0]?.purchaseId).length,
      tokens.filter(({ sessionId }) => sessionId === id).length,
      told.filter(({ data }) => (data as { sessionId?: string }).sessionId === id).length,
    ]
    expect(counts).toEqual([1, 1, 1, 1])
  }
  expect(sold).toHaveLength(paid.length)
  await ctx.close()
}
