import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../src/base/lib/clock'
import { insertMember } from '../../src/operators/members/service'
import { accountCases } from '../support/audited-accounts'
import { type AuditedCall, type AuditedCase, come, publicBrowser, type World } from '../support/audited-calls'
import {
  catalogueCases,
  compareCases,
  endCases,
  exportCases,
  insightCases,
  peopleCases,
  platformCases,
  queryCases,
  storeCases,
  targetingCases,
  teamCases,
  testStoreCases,
  webhookCases,
} from '../support/audited-projects'
import type { Answer } from '../support/cast'
import { type Person, PLATFORM_DOMAIN } from '../support/crew'
import { OPERATOR_ROUTES, P } from '../support/operator-routes'
import { PUBLIC_URL, storesStage } from '../support/three-stores'

const w = { kept: new Map<string, string>() } as World
let stranger: Person
beforeAll(async () => {
  w.s = await storesStage({ SVC_ADMIN_EMAIL_DOMAINS: PLATFORM_DOMAIN, SVC_RATE_USER: '0', SVC_OPEN_SIGNUP: '1' })
  w.owner = await come(w, 'owner')
  w.root = await come(w, 'root', true)
  stranger = await come(w, 'stranger')
  await w.s.ctx.write((tx) => insertMember(tx, w.s.project.id, w.owner.id, 'OWNER'))
})
afterAll(() => w.s.close())

/** In this order: later ones use what earlier ones have made. */
const CASES: AuditedCase[] = [
  ...platformCases(w),
  ...catalogueCases(w),
  ...targetingCases(w),
  ...webhookCases(w),
  ...insightCases(w),
  ...testStoreCases(w),
  ...queryCases(w),
  ...exportCases(w),
  ...compareCases(w),
  ...storeCases(w),
  ...peopleCases(w),
  ...teamCases(w),
  ...endCases(w),
  ...accountCases(w),
]

/** Routes whose method may change something, and why no log names their calls. */
const NO_ROW: Record<string, string> = {
  'POST /api/auth/password-reset': 'asks for a mail, and nobody is signed in; using the link is what changes something',
  'POST /api/auth/verify-email/resend': 'asks for a mail, as above',
  'POST /api/auth/passkey/options': 'makes a challenge of five minutes',
  'POST /dashboard/me/passkeys/options': 'makes a challenge of five minutes',
  'POST /dashboard/me/accounts/:provider': 'begins the way to a provider; the callback, a GET, writes identity.link',
  'POST /dashboard/notifications/:id/read': 'what a person has read concerns nobody else',
  'POST /dashboard/notifications/read-all': 'as above',
  'POST /dashboard/notifications/test': 'sends a notice to the caller',
  'POST /unsubscribe': 'nobody is signed in; the link of a mail is the proof',
  'POST /webhooks/mail/:provider': 'called by a mail provider',
  'POST P/apps/ios/test-notification': 'asks the store to send a notification',
  'POST P/apps/android/pubsub/test': 'publishes a message to itself',
  'POST P/integrations/validate': 'asks a provider',
  'POST P/integrations/:id/test': 'sends a test event, which the delivery log has',
  'POST P/audiences/preview': 'counts',
  'POST P/funnels/:id/validate': 'says what publishing would refuse',
  'POST P/funnels/:id/preview-link': 'a link that shows the draft and changes nothing',
  'POST P/project-file/plan': 'plans',
  'POST P/queries/execute': 'reads',
  'POST P/assistant/threads': 'what a person asks the assistant is theirs alone',
  'DELETE P/assistant/threads/:id': 'as above',
  'POST P/assistant/threads/:id/stop': 'as above',
  'POST P/assistant/threads/:id/messages': 'as above',
  'POST P/assistant/intents/:id/execute':
    'assistant-intents.test.ts: the route of its action writes the row, which names the proposal',
  'POST P/assistant/intents/:id/reject': 'assistant-intents.test.ts: can reject it, which is in the log',
  'POST P/assistant/intents/:id/revise': 'as above',
  'POST P/webhook-endpoints/:id/test': 'sends a test event, which the delivery log has',
}

/** Routes whose row another test expects, because they need more than this stage has. */
const ELSEWHERE: Record<string, string> = {
  'DELETE /dashboard/me/accounts/:provider': 'oauth.test.ts: a provider of identities',
  'POST P/funnel-sessions/:id/claim-link': 'funnel-reclaims.test.ts: a paid session',
  'PUT P/audiences/:id/members': 'targeting-rules.test.ts: its body is a text',
  'POST P/integrations': 'integrations.test.ts: a provider',
  'PATCH P/integrations/:id': 'as above',
  'DELETE P/integrations/:id': 'as above',
  'POST P/integrations/:id/backfill': 'integrations-sending.test.ts: a provider',
  'POST P/integration-deliveries/:id/redeliver': 'as above',
  'POST P/assets/image': 'assets.test.ts: its body is a file',
  'POST P/assets/video': 'as above',
  'POST P/assets/lottie': 'as above',
  'PATCH P/assets/:id': 'assets.test.ts: it needs an uploaded file',
  'DELETE P/assets/:id': 'as above',
  'POST P/fonts/families/:id/faces': 'fonts.test.ts: its body is a file',
  'DELETE P/fonts/families/:id/faces/:id': 'fonts.test.ts: it needs an uploaded file',
  'POST P/imports': 'imports-jobs.test.ts: its body is a file',
  'POST P/imports/:id/parts': 'as above',
  'PATCH P/imports/:id/mapping': 'imports-jobs.test.ts: each state of an import',
  'POST P/imports/:id/dry-run': 'as above',
  'POST P/imports/:id/commit': 'as above',
  'POST P/imports/:id/resume': 'as above',
  'POST P/imports/:id/cancel': 'as above',
  'POST P/imports/:id/undo': 'imports-undo.test.ts',
  'POST P/imports/:id/products': 'imports-products.test.ts: what it creates has rows of its own',
  'POST P/products/waiting': 'relink.test.ts: as above',
  'PUT /admin/projects/:id/plan': 'platform-plan.test.ts: a deployment that bills its projects',
  'PUT P/billing/budget': 'budget.test.ts: a deployment that bills its projects',
  'POST P/billing/upgrade': 'plan-billing.test.ts: as above',
  'POST P/billing/cancel': 'as above',
  'POST P/billing/cancel/undo': 'as above',
  'POST P/billing/refresh': 'as above: only asks the provider',
  'PUT P/billing/details': 'as above',
  'POST P/billing/payment-methods': 'as above',
  'POST P/billing/payment-methods/:id/default': 'as above',
  'DELETE P/billing/payment-methods/:id': 'as above',
  'PUT P/assistant/credentials': 'assistant-credentials.test.ts: a provider',
  'DELETE P/assistant/credentials': 'as above',
  'DELETE P/payment/connection': 'payment-connection.test.ts: an account connected by OAuth',
}

const plain = (route: string) => route.replace(P, 'P').replace(/:\w+/g, ':id')

test('every route that may change something has a call here, or a reason', () => {
  const routes = OPERATOR_ROUTES.filter(({ method }) => method !== 'GET').map(({ method, path }) =>
    plain(`${method} ${path}`),
  )
  const named = [...CASES.map(({ route }) => route), ...Object.keys(NO_ROW), ...Object.keys(ELSEWHERE)].map(plain)
  expect(routes.filter((route) => !named.includes(route)).sort()).toEqual([])
  expect(named.filter((route) => !routes.includes(route)).sort()).toEqual([])
})

const rows = async () => {
  const { auditLog } = w.s.ctx.tables
  return w.s.ctx.db.select().from(auditLog).orderBy(auditLog.id)
}

/** The rows that a call writes, in any log. */
async function written(call: () => Promise<Answer>) {
  const before = new Set((await rows()).map(({ id }) => id))
  const answer = await call()
  return { answer, added: (await rows()).filter(({ id }) => !before.has(id)) }
}

/** Refused calls of the same route: by nobody, by a stranger, from another origin, and with a damaged body. */
async function expectRefusals(method: string, { path, body, by = w.owner }: AuditedCall): Promise<void> {
  const cookies = [...by.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie: cookies, origin: PUBLIC_URL }
  const refused: [name: string, call: () => Promise<Answer>][] = [
    ['another origin', () => by.browser.call(method, path, body, { origin: 'https://evil.example' })],
    ['a damaged body', () => w.s.call(method, path, { key: null, headers, raw: '{' })],
  ]
  if (!path.startsWith('/api/auth/')) refused.push(['nobody', () => publicBrowser(w.s).call(method, path, body)])
  if (path.startsWith('/dashboard/projects/') || path.startsWith('/admin/'))
    refused.push(['a stranger', () => stranger.browser.call(method, path, body)])
  for (const [name, call] of refused) {
    const { answer, added } = await written(call)
    expect([name, answer.status >= 400 && answer.status < 500, added]).toEqual([name, true, []])
  }
}

describe('one row, in the name of the caller', () => {
  test.each(CASES.map((one): [string, AuditedCase] => [one.route, one]))('%s', async (route, { prepare, after }) => {
    w.s.ctx.clock.advance(MINUTE)
    const method = route.split(' ')[0] ?? ''
    const order = await prepare()
    await expectRefusals(method, order)
    const { action, path, body, by = w.owner, target } = order
    const { answer, added } = await written(() => by.browser.call(method, path, body))
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    after?.(answer.body.data)
    const id = by.id === '' ? expect.stringMatching(/^usr_/) : by.id
    expect(added.map((row) => [row.action, row.actor])).toEqual([[action, { kind: 'USER', id, email: by.email }]])
    expect(added[0]?.target).toEqual({ type: expect.any(String), id: target ?? expect.any(String) })
  })
})
