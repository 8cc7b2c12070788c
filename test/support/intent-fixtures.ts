import type { Page, Route } from 'playwright-core'

export interface FixtureIntent {
  id: string
  threadId: string | null
  status: string
  [member: string]: unknown
}

let last = 0

/** A change that waits, in the form of the specification. */
export function waitingIntent(more: Partial<FixtureIntent> = {}): FixtureIntent {
  last += 1
  return {
    ...{ id: `cin_${String(last).padStart(26, '0')}`, threadId: null, action: 'flag.setEnabled', status: 'PENDING' },
    ...{ route: { method: 'POST', path: '/feature-flags/flg_1/toggle' }, arguments: { id: 'flg_1', isEnabled: false } },
    summary: 'Switch paywall_v2 off',
    preview: {
      changes: [{ path: 'isEnabled', before: true, after: false }],
      effects: { people: 128, accessGained: [], accessLost: [], money: null, events: [] },
      warnings: [],
    },
    ...{ base: [{ type: 'flag', id: 'flg_1', revision: 3 }], digest: `${'9f3c'.padEnd(60, '0')}21ae` },
    ...{ capability: 'flags:write', risk: 'low', proposedBy: { name: 'Deniz Arslan' } },
    via: { kind: typeof more.threadId === 'string' ? 'CHAT' : 'MCP', token: null, note: null },
    ...{ expiresAt: new Date(Date.now() + 13 * 60_000).toISOString(), decidedBy: null, decidedAt: null, result: null },
    ...more,
  }
}

export const REFUND = {
  ...{ action: 'refund', risk: 'high', capability: 'refunds:write', summary: 'Refund $59.99 of carla.b, Pro Yearly' },
  arguments: { id: 'sub_1', reason: 'The customer wrote twice' },
  ...{ proposedBy: { name: 'Tom Baker' }, via: { kind: 'MCP', token: 'ci-support', note: null } },
  preview: {
    changes: [{ path: 'access.pro', before: 'to 20 Nov 2027', after: null }],
    effects: {
      ...{ people: 1, accessGained: [], accessLost: [{ access: 'pro', people: 1 }] },
      ...{ money: { amountMicros: -59_990_000, currency: 'USD' }, events: ['purchase.refunded'] },
    },
    warnings: ['At Google Play it cannot be undone'],
  },
} satisfies Partial<FixtureIntent>

/** What a server without intents of its own answers, in the page alone. */
export interface IntentServer {
  intents: FixtureIntent[]
  /** What was sent: the act, the id, the body. */
  sent: [act: string, id: string, body: Record<string, unknown>][]
  /** The refusal of the next call of `execute`; null = it is done. */
  refuses: { status: number; code: string; details: object } | null
}

export async function serveIntents(page: Page): Promise<IntentServer> {
  const server: IntentServer = { intents: [], sent: [], refuses: null }
  await page.route(/\/assistant\/intents(\/|\?|$)/, (route) => answer(server, route))
  return server
}

function answer(server: IntentServer, route: Route): Promise<void> {
  const request = route.request()
  const [, id = '', act = ''] = /intents\/([^/?]+)\/(\w+)/.exec(request.url()) ?? []
  if (request.method() === 'GET') {
    const threadId = new URL(request.url()).searchParams.get('threadId')
    const items = server.intents.filter((one) => threadId === null || one.threadId === threadId)
    return send(route, 200, { data: { items, nextCursor: null } })
  }
  const body = request.postDataJSON() as Record<string, unknown>
  server.sent.push([act, id, body])
  const found = server.intents.find((one) => one.id === id)
  if (!found) return send(route, 404, { error: { code: 'NOT_FOUND', message: 'No such intent' } })
  const { refuses } = server
  if (act === 'execute' && refuses) {
    server.refuses = null
    return send(route, refuses.status, { error: { ...refuses, message: 'Refused' } })
  }
  return send(route, 200, { data: decided(server, found, act, body) })
}

function decided(
  server: IntentServer,
  found: FixtureIntent,
  act: string,
  body: Record<string, unknown>,
): FixtureIntent {
  Object.assign(found, { status: act === 'execute' ? 'EXECUTED' : 'REJECTED', decidedBy: { name: 'Owner' } })
  found.decidedAt = new Date().toISOString()
  if (act !== 'revise') return found
  const { summary, threadId, risk } = found
  const next = waitingIntent({
    ...{ summary, threadId, risk },
    arguments: body.arguments,
    summary: `${summary}, again`,
  })
  found.replacedBy = next.id
  server.intents.unshift(next)
  return next
}

const send = (route: Route, status: number, body: object): Promise<void> =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
