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
import { addPrice } from '../../src/test-store/stores/payment-billing'
import { signEvent } from '../../src/test-store/stores/payment-events'
import { attempt } from '../../src/test-store/stores/payment-intents'
import { PaymentServer } from '../../src/test-store/stores/payment-server'
import { PaymentWorld } from '../../src/test-store/stores/payment-world'
import { makeProject } from '../support/cast'
import { TEST_KEY, type TestContext } from '../support/context'
import { PRICES, SECRET_KEY, sellThrough, WEBHOOK_SECRET } from '../support/payment'
import { startServerProcess, tempFolder } from '../support/process'
import { moreInRelease } from '../support/release'
import { SECTIONS } from '../support/sections'

// The provider has done its part, and the process dies before it commits its own.

const KILLS = moreInRelease(6, 100)

const FUNNEL = `version: 1
offerings: { web: { packages: [{ identifier: monthly, product: pro_monthly }] } }
funnels:
  sleep:
    name: Sleep
    publish: true
    defaultLocale: en
    settings: { offering: web }
    pages:
      - { id: pay, type: payment, title: { en: Pay }, next: { default: done } }
      - { id: done, type: success, title: { en: Done } }
`

/** Hands every call on to the provider. While it holds, what the provider did to a sale is not told any more. */
class HeldProvider {
  held = 0
  isHolding = false
  onHeld = () => {}
  #release = Promise.withResolvers<void>()
  readonly #server: Bun.Server<undefined>

  constructor(provider: string) {
    this.#server = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0, idleTimeout: 0 },
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        const body = request.method === 'POST' ? await request.text() : undefined
        const init = { method: request.method, headers: request.headers, ...(body !== undefined && { body }) }
        const answer = await fetch(`${provider}${pathname}${search}`, init)
        const text = await answer.text()
        if (this.isHolding && isOfSale(request.method, pathname)) await this.#hold()
        return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } })
      },
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  release(): void {
    this.isHolding = false
    this.held = 0
    this.#release.resolve()
    this.#release = Promise.withResolvers()
  }

  close = (): Promise<void> => this.#server.stop(true)

  #hold(): Promise<void> {
    this.held += 1
    this.onHeld()
    return this.#release.promise
  }
}

const isOfSale = (method: string, path: string): boolean =>
  method === 'POST' ? path === '/v1/subscriptions' : path.startsWith('/v1/subscriptions/')

const world = new PaymentWorld(systemClock)
const provider = new PaymentServer(world, SECRET_KEY)
const between = new HeldProvider(provider.url)
const env = { SVC_MASTER_KEY: TEST_KEY, SVC_RATE_IP: '0', SVC_RATE_NEW: '0', SVC_PAYMENT_API_URL: between.url }
const folder = tempFolder()
let projectId = ''
let slug = ''

const open = (clock: Clock = systemClock): Promise<Context> =>
  createContext(readConfig({ SVC_DATA_DIR: folder.path, ...env }), {
    clock,
    log: createLog({ level: 'off', now: () => 0 }),
  })

beforeAll(async () => {
  const ctx = await open()
  await migrate(ctx.storage)
  const made = await makeProject(ctx as TestContext, 1, {})
  await sellThrough({ ctx: ctx as TestContext }, made, null, 'test', 'pk_test_stage')
  for (const [id, price] of Object.entries(PRICES)) addPrice(world, { id, ...price })
  const file = parseProjectFile(SECTIONS, FUNNEL, { env: () => null, file: () => null })
  if ('unreadable' in file) throw new Error(JSON.stringify(file.unreadable))
  expect((await applyFile(ctx, made.id, file, { prune: false })).problems).toEqual([])
  projectId = made.id
  slug = (await ctx.state.projects.get(made.id)).slug
  await ctx.close()
}, 600_000)
afterAll(async () => {
  between.release()
  await between.close()
  await provider.close()
  folder.remove()
})

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answers have many shapes.
  data?: any
  error?: { code: string }
}
type Handle = (request: Request) => Promise<Response>

async function post(handle: Handle, url: string, body: object, token = ''): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-svc-funnel-session': token }
  const answer = await handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
  return { status: answer.status, ...JSON.parse(await answer.text()) }
}

/** A visitor on the payment page, and the intent that the provider collects. */
class Visitor {
  paymentId = ''
  intent = ''

  private constructor(
    readonly id: string,
    readonly token: string,
  ) {}

  static async come(url: string): Promise<Visitor> {
    const { data } = await post(fetch, `${url}/public/funnels/sleep/sessions?project=${slug}`, {})
    return new Visitor(data.session_id, data.session_token)
  }

  call = (handle: Handle, url: string, path: string, body: object): Promise<Answer> =>
    post(handle, `${url}/public/funnel-sessions/${this.id}/${path}`, body, this.token)

  async begin(handle: Handle, url: string): Promise<Answer> {
    const order = { package_identifier: 'monthly', page_id: 'pay', email: 'ada@example.com' }
    const answer = await this.call(handle, url, 'payment-intent', order)
    this.paymentId = answer.data?.payment_id ?? ''
    this.intent = answer.data?.client_secret.split('_secret_')[0] ?? ''
    return answer
  }

  /** What the visitor does in the provider's form. */
  pay = (): void => attempt(world, this.intent, 'succeeded')

  confirm = (handle: Handle, url: string): Promise<Answer> =>
    this.call(handle, url, 'confirm', { payment_id: this.paymentId })
}

/** By when the process dies: while the sale is opened, while it is confirmed, and while the provider reports it. */
interface Round {
  opening: Visitor
  confirming: Visitor
  reported: Visitor
}

async function notify(handle: Handle, url: string, event: object, now: number): Promise<number> {
  const { body, signature } = await signEvent(event, { secret: WEBHOOK_SECRET, now })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  return (await handle(new Request(`${url}/webhooks/payment/${projectId}`, { method: 'POST', headers, body }))).status
}

async function kill(): Promise<Round> {
  const server = await startServerProcess(folder.path, env)
  const { url } = server
  const [opening, confirming, reported] = [await Visitor.come(url), await Visitor.come(url), await Visitor.come(url)]
  for (const one of [confirming, reported]) {
    expect((await one.begin(fetch, url)).status).toBe(200)
    one.pay()
  }
  const { promise: areHeld, resolve } = Promise.withResolvers<void>()
  between.onHeld = () => between.held >= 3 && resolve()
  between.isHolding = true
  const paid = world.events.findLast(({ type }) => type === 'invoice.paid')
  const calls = Promise.allSettled([
    opening.begin(fetch, url),
    confirming.confirm(fetch, url),
    notify(fetch, url, paid ?? {}, systemClock.now()),
  ])
  // All three are answered only where one of them did not ask the provider; the count says so.
  await Promise.race([areHeld, calls])
  expect(between.held).toBe(3)
  await server.kill('SIGKILL')
  between.release()
  const ends = await calls
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  return { opening, confirming, reported }
}

test(
  `${KILLS} kill -9 between the provider and the commit, three payments each: one purchase and one token each`,
  async () => {
    const rounds: Round[] = []
    for (let round = 0; round < KILLS; round++) rounds.push(await kill())
    const visitors = rounds.flatMap(({ opening, confirming, reported }) => [opening, confirming, reported])
    await expectNothingSold()
    await finish(rounds)
    await expectEachOnce(visitors)
  },
  moreInRelease(600_000, 3_600_000),
)

async function expectNothingSold(): Promise<void> {
  const ctx = await open()
  const { purchases, funnelTokens } = ctx.tables
  expect(await ctx.db.select().from(purchases)).toEqual([])
  expect(await ctx.db.select().from(funnelTokens)).toEqual([])
  await ctx.close()
}

/** Minutes later the visitors go on, and the provider reports everything twice. */
async function finish(rounds: readonly Round[]): Promise<void> {
  let minutes = 20
  const now = () => systemClock.now() + minutes * MINUTE
  const ctx = await open({ now })
  const app = createApp(ctx)
  const handle: Handle = (request) => Promise.resolve(app.handle(request))
  const url = 'http://localhost'
  for (const { opening, confirming, reported } of rounds) {
    minutes += 1 // The calls of an address are counted by the minute.
    expect((await opening.begin(handle, url)).error).toBeUndefined()
    opening.pay()
    for (const one of [opening, confirming, reported]) expect((await one.confirm(handle, url)).error).toBeUndefined()
  }
  for (const event of [...world.events, ...world.events]) expect(await notify(handle, url, event, now())).toBe(200)
  await ctx.close()
}

async function expectEachOnce(visitors: readonly Visitor[]): Promise<void> {
  const ctx = await open()
  const { funnelPayments, funnelTokens, purchases, events, transactions } = ctx.tables
  const payments = (await ctx.db.select().from(funnelPayments)).filter(({ status }) => status === 'PAID')
  const tokens = await ctx.db.select().from(funnelTokens)
  const sold = await ctx.db.select().from(purchases)
  const charges = await ctx.db.select().from(transactions)
  const told = (await ctx.db.select().from(events)).filter(({ type }) => type === 'funnel.paid')
  const subscriptions = [...world.subscriptions.values()].filter(({ status }) => status === 'active')
  for (const { id } of visitors) {
    const own = payments.filter(({ sessionId }) => sessionId === id)
    const { purchaseId = '' } = own[0] ?? {}
    const counts = [
      own.length,
      sold.filter((one) => one.id === purchaseId).length,
      charges.filter((one) => one.purchaseId === purchaseId).length,
      tokens.filter(({ sessionId }) => sessionId === id).length,
      told.filter(({ data }) => (data as { sessionId?: string }).sessionId === id).length,
      subscriptions.filter(({ metadata }) => metadata.svc_funnel_session === id).length,
    ]
    expect([id, counts]).toEqual([id, [1, 1, 1, 1, 1, 1]])
  }
  expect([sold.length, subscriptions.length]).toEqual([visitors.length, visitors.length])
  await ctx.close()
}
