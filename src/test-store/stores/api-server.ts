import type {
  CheckTestNotificationResponse,
  ExtendRenewalDateResponse,
  LastTransactionsItem,
  NotificationHistoryResponse,
  NotificationHistoryResponseItem,
  SendTestNotificationResponse,
  StatusResponse,
  TransactionInfoResponse,
} from '@apple/app-store-server-library'
import { decodeJwt } from 'jose'

/** The data of the stand-in. Tests and the simulator change it while it runs. */
export interface ApiFacts {
  bundleId: string
  /** Signed transactions by transaction id. */
  transactions: Map<string, string>
  /** The newest transaction of each subscription, by original transaction id. */
  statuses: Map<string, LastTransactionsItem & { subscriptionGroupIdentifier: string }>
  /** All notifications, oldest first. */
  notifications: NotificationHistoryResponseItem[]
  /** The state of test notifications, by token. */
  tests: Map<string, CheckTestNotificationResponse>
  /** Called for each requested test notification; returns its token. */
  requestTest: () => string
  /** New ends of periods, by original transaction id; `extend` answers with them. */
  extensions: Map<string, number>
  pageSize: number
  /**
   * Whether the history lists only notifications signed within the requested span, like Apple's. False = all of them.
   */
  isSpanKept: boolean
}

/** Faults of the next answers, until they are changed. */
export interface ApiFault {
  /** Status of each answer, in place of the real answer. */
  status?: number
  errorCode?: number
  /** Milliseconds before every answer. */
  delayMs?: number
  /** Answers only after this promise is fulfilled. */
  until?: Promise<void>
  /** Text in place of the JSON of the answer. */
  body?: string
  retryAfter?: string
  /** The number of answers with a fault; absent = all. */
  times?: number
}

export interface ApiRequest {
  method: string
  path: string
  query: Record<string, string>
  authorization: string | null
  body: unknown
}

/** A stand-in for the App Store Server API on loopback; `close` frees its port. */
export interface ApiServer {
  url: string
  facts: ApiFacts
  requests: ApiRequest[]
  trouble: ApiFault | null
  close(): Promise<void>
}

/** Answers in the form that Apple's own library declares. Any bearer token is accepted. */
export function startApiServer(facts: Partial<ApiFacts> & { bundleId: string }): ApiServer {
  const held: ApiFacts = { ...emptyFacts(), ...facts }
  const listener = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => serve(server, request) })
  const server: ApiServer = {
    url: `http://127.0.0.1:${listener.port}`,
    facts: held,
    requests: [],
    trouble: null,
    close: () => listener.stop(true),
  }
  return server
}

export const emptyFacts = (): Omit<ApiFacts, 'bundleId'> => ({
  transactions: new Map(),
  statuses: new Map(),
  notifications: [],
  tests: new Map(),
  requestTest: () => 'test-token',
  extensions: new Map(),
  pageSize: 20,
  isSpanKept: false,
})

async function serve(server: ApiServer, request: Request): Promise<Response> {
  const read = await readRequest(request)
  server.requests.push(read)
  const fault = takeFault(server)
  if (fault?.delayMs !== undefined) await Bun.sleep(fault.delayMs)
  await fault?.until
  if (fault?.status !== undefined || fault?.body !== undefined) return faultyAnswer(fault)
  if (!read.authorization?.startsWith('Bearer ')) return new Response('Unauthenticated', { status: 401 })
  return answerApi(server.facts, read)
}

export async function readRequest(request: Request): Promise<ApiRequest> {
  const { pathname, searchParams } = new URL(request.url)
  const text = await request.text()
  return {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    authorization: request.headers.get('authorization'),
    body: text === '' ? null : JSON.parse(text),
  }
}

function takeFault(server: ApiServer): ApiFault | null {
  const { trouble: fault } = server
  if (fault?.times === undefined) return fault
  server.trouble = fault.times > 1 ? { ...fault, times: fault.times - 1 } : null
  return fault
}

function faultyAnswer({ status = 200, errorCode, body, retryAfter }: ApiFault): Response {
  const text = body ?? JSON.stringify(errorCode === undefined ? {} : { errorCode, errorMessage: 'Troubled.' })
  return new Response(text, { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })
}

/** The App Store Server API over given data, for the loopback server and for the test store within the process. */
export function answerApi(facts: ApiFacts, request: ApiRequest): Response {
  const asked = `${request.method} ${request.path}`
  for (const [pattern, handle] of ROUTES) {
    const match = pattern.exec(asked)
    if (match) return handle(facts, decodeURIComponent(match[1] ?? ''), request)
  }
  return new Response('Not Found', { status: 404 })
}

type Handle = (facts: ApiFacts, id: string, request: ApiRequest) => Response

const ROUTES: readonly [pattern: RegExp, handle: Handle][] = [
  [/^GET \/inApps\/v1\/transactions\/([^/]+)$/, transactionInfo],
  [/^GET \/inApps\/v1\/subscriptions\/([^/]+)$/, subscriptionStatuses],
  [/^POST \/inApps\/v1\/notifications\/history$/, notificationHistory],
  [/^POST \/inApps\/v1\/notifications\/test$/, requestTest],
  [/^GET \/inApps\/v1\/notifications\/test\/([^/]+)$/, testStatus],
  [/^PUT \/inApps\/v1\/transactions\/consumption\/([^/]+)$/, takeConsumption],
  [/^PUT \/inApps\/v1\/subscriptions\/extend\/([^/]+)$/, extend],
]

const refuse = (status: number, errorCode: number): Response =>
  Response.json({ errorCode, errorMessage: 'Refused.' }, { status })

function transactionInfo({ transactions }: ApiFacts, id: string): Response {
  const signedTransactionInfo = transactions.get(id)
  if (signedTransactionInfo === undefined) return refuse(404, 4040010)
  return Response.json({ signedTransactionInfo } satisfies TransactionInfoResponse)
}

function subscriptionStatuses({ statuses, bundleId }: ApiFacts, id: string): Response {
  const held = statuses.get(id)
  if (!held) return refuse(404, 4040005)
  const { subscriptionGroupIdentifier, ...item } = held
  const data = [{ subscriptionGroupIdentifier, lastTransactions: [item] }]
  return Response.json({ environment: 'Sandbox', bundleId, data } satisfies StatusResponse)
}

/** The token of a page is the number of its first row. */
function notificationHistory(facts: ApiFacts, _id: string, { query, body }: ApiRequest): Response {
  const { pageSize } = facts
  const notifications = facts.isSpanKept
    ? facts.notifications.filter((item) => isWithin(item, body))
    : facts.notifications
  const from = Number(query.paginationToken ?? 0)
  if (!Number.isInteger(from) || from < 0) return refuse(400, 4000014)
  const next = from + pageSize
  const hasMore = next < notifications.length
  const page = { notificationHistory: notifications.slice(from, next), hasMore }
  return Response.json(
    (hasMore ? { ...page, paginationToken: String(next) } : page) satisfies NotificationHistoryResponse,
  )
}

function isWithin({ signedPayload = '' }: NotificationHistoryResponseItem, span: unknown): boolean {
  const { startDate, endDate } = span as { startDate: number; endDate: number } // Our own client sends these members.
  const { signedDate } = decodeJwt<{ signedDate: number }>(signedPayload)
  return signedDate >= startDate && signedDate <= endDate
}

function requestTest({ requestTest: request }: ApiFacts): Response {
  return Response.json({ testNotificationToken: request() } satisfies SendTestNotificationResponse)
}

function testStatus({ tests }: ApiFacts, token: string): Response {
  const held = tests.get(token)
  return held ? Response.json(held satisfies CheckTestNotificationResponse) : refuse(404, 4040008)
}

function takeConsumption({ transactions }: ApiFacts, id: string): Response {
  return transactions.has(id) ? new Response(null, { status: 202 }) : refuse(404, 4040010)
}

function extend({ extensions }: ApiFacts, id: string): Response {
  const effectiveDate = extensions.get(id)
  if (effectiveDate === undefined) return refuse(403, 4030004)
  const done = { originalTransactionId: id, webOrderLineItemId: id, success: true, effectiveDate }
  return Response.json(done satisfies ExtendRenewalDateResponse)
}
