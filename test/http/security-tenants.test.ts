import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../src/base/lib/clock'
import { type Answer, MONTHLY, type Stage, stage } from '../support/cast'
import { arrive, join, type Person, PLATFORM_DOMAIN } from '../support/crew'
import { work } from '../support/data-requests'
import { delivered, happen } from '../support/deliveries'
import { identify, rowOf } from '../support/facts'
import { importJob } from '../support/imports'
import { serveIntegrations } from '../support/integrations/server'
import { AMPLITUDE_BODY } from '../support/integrations/stage'
import { lastStoreEvent, notify } from '../support/notify'
import { isOperatorRoute, OPERATOR_ROUTES, type OperatorRoute, P } from '../support/operator-routes'
import { HALVES } from '../support/remote'

const providers = serveIntegrations()
let s: Stage
let owner: Person
let thief: Person
/** The ids of objects of the project, by route from `P` on up to the parameter. */
const ids: Record<string, string> = {}

beforeAll(async () => {
  s = await stage({
    env: {
      ...{ SVC_RATE_USER: '0', SVC_RATE_IP: '0', SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN },
      ...{ SVC_INTEGRATIONS_URL: providers.url, SVC_ALLOW_PRIVATE_TARGETS: '1' },
    },
  })
  owner = await join(s, 'ada', 'OWNER')
  thief = await join(s, 'thief', 'OWNER', s.other.id)
  ids.members = (await join(s, 'bo', 'GROWTH')).id
  for (const [kind, body] of Object.entries(MADE)) ids[kind] = (await created(`/${kind}`, body)).id
  const { key } = await created('/feature-flags', { ...MADE['feature-flags'], key: 'also_here' })
  ids['feature-flags/by-key'] = key
  const admin = await arrive(s, 'root', { isAdmin: true })
  const grant = { reason: 'A question', hours: 1 }
  ids['support-grants'] = dataOf(
    await admin.browser.post(`/admin/projects/${s.project.id}/support-grants`, grant),
    201,
  ).id
  await fillPeople()
  await fillDeliveries()
  await fillFunnelSession()
  await fillAsset()
  await fillThread()
  await fillIntent()
})
afterAll(async () => {
  await s.close()
  await providers[Symbol.asyncDispose]()
})

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

const MADE = {
  'api-keys': { label: 'Server' },
  invitations: { email: 'cy@example.com', role: 'GROWTH' },
  access: { identifier: 'gold', displayName: 'Gold' },
  products: { identifier: 'gold_monthly', type: 'SUBSCRIPTION', displayName: 'Monthly' },
  offerings: { identifier: 'summer' },
  'virtual-currencies': { code: 'stars', name: 'Stars' },
  audiences: { name: 'Here', rules: { country: 'TR' } },
  'feature-flags': { key: 'only_here', env: 'PROD', type: 'STRING', defaultValue: 'a' },
  experiments: { key: 'test_here', name: 'Test', type: 'FLAG', audienceId: null, variants: HALVES },
  placements: { identifier: 'only_here', name: 'Place', rows: [] },
  'fonts/families': { name: 'Only here' },
  funnels: { slug: 'only_here', name: 'Funnel', pages: [{ id: 'a', type: 'info', title: { en: 'A' } }] },
  'custom-domains': { hostname: 'only-here.example.com' },
  'webhook-endpoints': { name: 'Only here', url: `${NOWHERE}/hooks`, eventTypes: ['funnel.claimed'] },
  'notification-forwards': { store: 'IOS_STORE', url: `${NOWHERE}/forward` },
  integrations: { ...AMPLITUDE_BODY, enabledEvents: ['funnel.claimed'] },
  cohorts: { identifier: 'here', name: 'Here', definition: { event: 'purchase.initial' } },
  leaderboards: { identifier: 'here', name: 'Here', metric: 'spend', window: 'all' },
  'charts/views': { name: 'Here', chartId: 'revenue', params: {} },
  'charts/annotations': { at: '2026-11-20T08:00:00Z', text: 'Here' },
  queries: { name: 'Here', sql: 'select 1' },
  'exports/schedules': { to: 's3://only-here/a', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
  'compare/runs': { vendor: 'revenuecat', url: NOWHERE, key: 'sk_only_here' },
} as const

const at = (project: string, path: string) => `/dashboard/projects/${project}${path}`

function dataOf({ status, body }: Answer, wanted = 200) {
  expect([status, body.error]).toEqual([wanted, undefined])
  return body.data
}

const created = async (path: string, body: object) =>
  dataOf(await owner.browser.post(at(s.project.id, path), body), 201)

async function fillPeople(): Promise<void> {
  await s.receipt('svc_ada', s.buy(MONTHLY))
  await s.receipt('svc_bo', s.buy(MONTHLY))
  await s.get('/v1/me', 'svc_cy')
  await identify(s, 'svc_cy', 'cy')
  const [ada, bo, cy] = await Promise.all(['svc_ada', 'svc_bo', 'svc_cy'].map((device) => rowOf(s, device)))
  ids.subscribers = ada?.id ?? ''
  const { purchases, transactions } = s.ctx.tables
  const own = (await s.ctx.db.select().from(purchases)).find(({ subscriberId }) => subscriberId === ids.subscribers)
  ids.subscriptions = own?.id ?? ''
  ids.transactions = (await s.ctx.db.select().from(transactions)).find((row) => row.purchaseId === own?.id)?.id ?? ''
  ids.receiver = cy?.id ?? ''
  const order = { toSubscriberId: ids.receiver }
  const moved = await owner.browser.post(at(s.project.id, `/subscribers/${bo?.id}/transfer`), order)
  ids.transfers = dataOf(moved).transferId
  const asked = await owner.browser.post(at(s.project.id, `/subscribers/${ids.subscribers}/dsar`), { type: 'EXPORT' })
  ids.dsar = dataOf(asked).request.id
  ids.imports = (await importJob(s, {}, { kind: 'ANDROID_TOKEN_ENRICHMENT' })).id
  await work(s)
  await notify(s, ['SUBSCRIBED', 'INITIAL_BUY'], s.buy(MONTHLY), { id: 'n-1' })
  ids['store-events'] = (await lastStoreEvent(s)).id
}

/** A visitor of the funnel, who has paid nothing. */
async function fillFunnelSession(): Promise<void> {
  const id = s.ctx.ids.next('fse')
  ids['funnel-sessions'] = id
  const now = s.ctx.clock.now()
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.funnelSessions).values({
      ...{ id, projectId: s.project.id, funnelId: ids.funnels ?? '', versionNo: 1, state: 'IN_PROGRESS', path: ['a'] },
      ...{ locale: 'en', secretHash: id, query: {}, utm: {}, device: 'desktop', startedAt: now, activeAt: now },
      leaseFence: 0,
    }),
  )
}

/** A file that nothing shows, with its row only. */
async function fillAsset(): Promise<void> {
  const id = s.ctx.ids.next('ast')
  ids.assets = id
  const now = s.ctx.clock.now()
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.assets).values({
      ...{ id, projectId: s.project.id, name: 'here.png', kind: 'image', contentType: 'image/webp', hash: '0' },
      ...{ bytes: 1, storedBytes: 1, width: 1, height: 1, widths: [], alt: {}, createdAt: now, updatedAt: now },
      ...{ source: { format: 'png', bytes: 1, hadMetadata: false }, uploadedBy: { id: null, email: null } },
    }),
  )
}

/** A thread of the owner with the assistant, and an answer in it. */
async function fillThread(): Promise<void> {
  ids['assistant/threads'] = (await created('/assistant/threads', {})).id
  ids.message = s.ctx.ids.next('cms')
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.assistantMessages).values({
      ...{ id: ids.message ?? '', projectId: s.project.id, threadId: ids['assistant/threads'] ?? '', createdAt: 1 },
      ...{ role: 'ASSISTANT', text: 'Here', status: 'DONE', tools: [], inputTokens: 0, outputTokens: 0 },
    }),
  )
}

/** A proposal that nobody has decided about. */
async function fillIntent(): Promise<void> {
  const id = s.ctx.ids.next('cin')
  ids['assistant/intents'] = id
  const effects = { people: null, accessGained: [], accessLost: [], money: null, events: [] }
  await s.ctx.write((tx) =>
    tx.db.insert(tx.tables.assistantIntents).values({
      ...{ id, projectId: s.project.id, threadId: null, action: 'annotation', arguments: {}, summary: 'x' },
      ...{
        route: { method: 'POST', path: '' },
        preview: { changes: [], effects, warnings: [] },
        base: [],
        digest: 'x',
      },
      ...{ capability: 'CUSTOMER_SUPPORT', risk: 'low', proposedBy: null, status: 'PENDING', createdAt: 1 },
      ...{ expiresAt: s.ctx.clock.now() + DAY, decidedBy: null, decidedAt: null, result: null, replacedBy: null },
    }),
  )
}

/** A dead delivery of an event to each kind of target. */
async function fillDeliveries(): Promise<void> {
  const [event = ''] = await happen(s, ids.subscribers ?? '', [{}])
  ids.events = event
  const hooks = await delivered(s, { targetId: ids['webhook-endpoints'] ?? '', event })
  const connected = await delivered(s, { kind: 'INTEGRATION', targetId: ids.integrations ?? '', event })
  ids['webhook-deliveries'] = hooks.id
  ids['integration-deliveries'] = connected.id
}

/** Bodies that the routes accept, by the end of the route. All other routes accept an empty one. */
const BODIES: Record<string, (() => object) | undefined> = {
  'PATCH /members/:userId': () => ({ role: 'ADMIN' }),
  'PUT /products/:id/currency-grants': () => ({ grants: [] }),
  'POST /feature-flags/:id/toggle': () => ({ isEnabled: false }),
  'PATCH /subscribers/:id/attributes': () => ({ attributes: { plan: 'stolen' } }),
  'POST /subscribers/:id/credits': () => ({ code: 'coins', amount: 5, idempotencyKey: 'k1' }),
  'POST /subscribers/:id/transfer': () => ({ toSubscriberId: ids.receiver }),
  'POST /subscribers/:id/grants': () => ({ accessIds: ['pro'] }),
  'POST /audiences/:id/grants': () => ({ accessIds: ['pro'] }),
  'POST /subscribers/:id/dsar': () => ({ type: 'EXPORT' }),
  'POST /imports/:id/parts': () => ({ customer: 'a' }),
  'POST /subscriptions/:purchaseId/schedule': () => ({
    action: 'CANCEL',
    dueAt: new Date(s.ctx.clock.now() + HOUR).toISOString(),
  }),
  'POST /funnels/:id/revert': () => ({ versionNo: 1 }),
  'POST /funnels/:id/preview-link': () => ({ version: 'draft' }),
  'POST /funnels/:id/translate-template': () => ({ format: 'csv', text: 'key,en\na,b\n' }),
  'POST /funnel-sessions/:id/claim-link': () => ({ deliver: 'show' }),
  'POST /assistant/threads/:id/messages': () => ({ content: 'Why?' }),
  'POST /assistant/intents/:id/execute': () => ({ digest: 'x' }),
  'POST /assistant/intents/:id/revise': () => ({ arguments: { at: '2026-11-20T08:00:00Z', text: 'x' } }),
  'POST /integrations/:id/backfill': () => ({ days: 7 }),
}

/**
 * Their parameter names no object of a project, but a store, something at a store, or a chart, which all projects have.
 * Cards and invoices need a deployment that bills: `plan-billing-owners.test.ts`.
 */
const NOT_OBJECTS =
  /\/billing\/(payment-methods|invoices)\/:id(\/|$)|\/charts\/:chartId(\/|$)|\/credentials\/:store$|\/apps\/:store\/|\/test-notification\/:token$|\/faces\/:/
/** A project's own object is made when the key is free. */
const MAKES = 'PUT /feature-flags/by-key/:key'

const endOf = ({ method, path }: OperatorRoute): string => `${method} ${path.slice(P.length)}`
const WITH_ID = OPERATOR_ROUTES.filter(
  (route) => isOperatorRoute(`${route.method} ${route.path}`) && /^.+\/:/.test(route.path.slice(P.length)),
).filter((route) => route.path.startsWith(`${P}/`) && !NOT_OBJECTS.test(route.path) && endOf(route) !== MAKES)

const kindOf = (route: OperatorRoute): string => route.path.slice(P.length + 1).split('/:')[0] ?? ''

function idFor(route: OperatorRoute): string {
  const id = ids[kindOf(route)]
  if (!id) throw new Error(`no object of the project for ${endOf(route)}: make one above`)
  return id
}

function call(who: Person, projectId: string, route: OperatorRoute, id = idFor(route)): Promise<Answer> {
  const query = route.path.endsWith('/faces') ? '?weight=400' : ''
  const path =
    route.path
      .slice(P.length)
      .replace(/:\w+/, id)
      .replace(':access', 'pro')
      .replace(':messageId', ids.message ?? '') + query
  // Imports count the calls of a person in a minute.
  if (kindOf(route) === 'imports') s.ctx.clock.advance(MINUTE)
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  const body = hasBody ? (BODIES[endOf(route)]?.() ?? {}) : undefined
  return who.browser.call(route.method, at(projectId, path), body, { headers: typeOf(path) })
}

/** Of the bodies that are files. */
const typeOf = (path: string): Record<string, string> =>
  path.endsWith('/parts')
    ? { 'content-type': 'text/csv' }
    : path.endsWith('/members')
      ? { 'content-type': 'text/plain' }
      : {}

/** Every row of the database but those that any request may write. */
async function rows(): Promise<string> {
  const { tables } = s.ctx
  const all: string[] = []
  for (const [name, table] of Object.entries(tables))
    if (!['userSessions', 'accessTokens'].includes(name))
      all.push(Bun.inspect(await s.ctx.db.select().from(table), { depth: 20 }))
  return all.join('\n')
}

test('no route of one project knows an object of another project, and its refusal names it as one that is missing', async () => {
  const before = await rows()
  expect(WITH_ID.length).toBeGreaterThan(50)
  for (const route of WITH_ID) {
    const { status, body } = await call(thief, s.other.id, route)
    const code = kindOf(route) === 'fonts/families' ? 'FONT_FAMILY_NOT_FOUND' : 'NOT_FOUND'
    expect([endOf(route), status, body?.error?.code]).toEqual([endOf(route), 404, code])
    const id = idFor(route)
    const none = `${id.slice(0, -2)}00`
    const answer = await call(thief, s.other.id, route, none)
    const { message } = answer.body.error
    expect([endOf(route), message]).toEqual([
      endOf(route),
      expect.stringMatching(new RegExp(`^There is no .*${none}$`)),
    ])
    expect([endOf(route), body.error.message]).toEqual([endOf(route), message.replaceAll(none, id)])
  }
  expect(await rows()).toBe(before)
})

test('an object of another project is no part of an own one', async () => {
  const headers = { 'x-svc-app-user-id': 'svc_own' }
  const said = await s.post('/v1/me/attributes', { attributes: { plan: 'own' } }, { key: s.other.publicKey, headers })
  const own = said.body.data.subscriber.id
  expect((await thief.browser.get(at(s.other.id, `/subscribers/${own}`))).status).toBe(200)
  const before = await rows()
  const post = (path: string, body: object) => thief.browser.post(at(s.other.id, path), body)
  const answers = {
    'access of a product': await post('/products', { ...MADE.products, accessIds: [ids.access] }),
    'product of an offering': await post('/offerings', {
      ...MADE.offerings,
      packages: [{ identifier: 'one', productId: ids.products }],
    }),
    'audience of an experiment': await post('/experiments', { ...MADE.experiments, audienceId: ids.audiences }),
    'audience of a placement': await post('/placements', {
      ...MADE.placements,
      rows: [{ audienceId: ids.audiences, target: { type: 'none' } }],
    }),
    'offering of a placement': await post('/placements', {
      ...MADE.placements,
      rows: [{ audienceId: null, target: { type: 'offering', id: ids.offerings } }],
    }),
    'receiver of a transfer': await post(`/subscribers/${own}/transfer`, { toSubscriberId: ids.receiver }),
    'access of a grant': await post(`/subscribers/${own}/grants`, { accessIds: [ids.access] }),
    'product of a grant': await post(`/subscribers/${own}/grants`, { productId: ids.products }),
    'audience of a grant': await post(`/audiences/${ids.audiences}/grants`, { accessIds: ['pro'] }),
    'new owner': await post('/transfer', { userId: ids.members }),
    'audience of a list': await thief.browser.get(at(s.other.id, `/subscribers?audienceId=${ids.audiences}`)),
  }
  for (const [name, { status }] of Object.entries(answers))
    expect([name, [400, 404].includes(status)]).toEqual([name, true])
  expect(await rows()).toBe(before)
})

test('the same calls find the objects in their own project', async () => {
  // What deletes, ends or stops something comes last.
  const order = (route: OperatorRoute) =>
    route.method === 'DELETE' ? 3 : /\/(stop|refund|undo|rotate)$/.test(route.path) ? 2 : 1
  const found: string[] = []
  for (const route of [...WITH_ID].sort((a, b) => order(a) - order(b))) {
    const { status, body } = await call(owner, s.project.id, route)
    if (status === 404) found.push(`${endOf(route)}: ${body?.error?.code}`)
    if (status === 400 && body?.error?.code === 'VALIDATION_ERROR') found.push(`${endOf(route)}: ${body.error.message}`)
    if (status >= 500) found.push(`${endOf(route)}: ${status}`)
  }
  expect(found).toEqual([])
})
