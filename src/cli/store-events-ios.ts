import type { Context } from '../context'
import { toIso } from '../lib/time'
import {
  type FetchedHistory,
  fetchIosHistory,
  type HistoryCount,
  type HistoryOrder,
} from '../notifications/ios-history'
import { iosEndpoint, readIosTest, requestIosTest, type TestState } from '../notifications/ios-test'
import type { ProjectState } from '../projects/state'
import type { PurchaseEnvironment } from '../stores/observation'
import { type Io, UsageError } from './command'
import { grouped } from './progress'
import { stopSignal } from './storage'

/** `--environment production|sandbox`. */
export function toEnvironment(given = 'production'): PurchaseEnvironment {
  if (given === 'production') return 'PRODUCTION'
  if (given === 'sandbox') return 'SANDBOX'
  throw new UsageError(`--environment is production or sandbox, not "${given}"`)
}

const optionOf = (environment: PurchaseEnvironment): string => environment.toLowerCase()

/** Takes in the history of the iOS store; exit 1 when it stopped before the end or something was refused. */
export async function fetchHistory(
  ctx: Context,
  io: Io,
  project: ProjectState,
  order: HistoryOrder,
  json: boolean | undefined,
): Promise<number> {
  const onCount = (count: HistoryCount) => io.progress(`Fetching notifications: ${describe(count)}`)
  const fetched = await fetchIosHistory(ctx, project, order, { signal: stopSignal(io), onCount })
  io.progress(null)
  const { from, to, ...rest } = fetched
  if (json) io.out(JSON.stringify({ ...rest, from: toIso(from), to: toIso(to) }))
  else io.out(reportOf(project, order.environment, fetched))
  return fetched.stopped === null && fetched.failed === 0 ? 0 : 1
}

const describe = (count: HistoryCount): string =>
  `${grouped(count.new)} new, ${grouped(count.known)} known, ${grouped(count.failed)} failed`

function reportOf({ slug }: ProjectState, environment: PurchaseEnvironment, fetched: FetchedHistory): string {
  const { from, to, reasons, stopped } = fetched
  const lines = [
    `Notifications of the iOS store (${optionOf(environment)}) from ${toIso(from)} to ${toIso(to)}: ${describe(fetched)}.`,
    ...reasons.map(({ reason, count }) => `  ${count} failed: ${reason}`),
  ]
  if (stopped === null) return lines.join('\n')
  const page = stopped.page === null ? '' : ` --page ${quoted(stopped.page)}`
  const span = `--environment ${optionOf(environment)} --from ${toIso(from)} --to ${toIso(to)}${page}`
  return [
    ...lines,
    `It stopped before the end: ${stopped.reason}.`,
    `Go on with: svc store-events fetch --project ${slug} ${span}`,
  ].join('\n')
}

/** For a shell: the store chooses the text. */
const quoted = (text: string): string => (/^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

export interface TestOrder {
  environment: PurchaseEnvironment
  /** Looks at a test that was asked for before. */
  token: string | undefined
  waitSeconds: number
}

const POLL_SECONDS = 2

/** Asks the iOS store for a TEST notification and watches what becomes of it; exit 1 unless it came here. */
export async function testConnection(
  ctx: Context,
  io: Io,
  project: ProjectState,
  order: TestOrder,
  json: boolean | undefined,
): Promise<number> {
  const { environment } = order
  const token = order.token ?? (await requestIosTest(ctx, project, environment)).token
  const state = await watch(ctx, io, project, token, order)
  const { status, receivedAt } = state
  const attempts = state.attempts.map(({ at, result }) => ({ at: toIso(at), result }))
  const wire = { token, status, receivedAt: receivedAt === null ? null : toIso(receivedAt), attempts }
  io.out(json ? JSON.stringify(wire) : verdict(ctx, project, environment, token, state))
  return receivedAt === null ? 1 : 0
}

async function watch(
  ctx: Context,
  io: Io,
  project: ProjectState,
  token: string,
  { environment, waitSeconds }: TestOrder,
): Promise<TestState> {
  const signal = stopSignal(io)
  for (let waited = 0; ; waited += POLL_SECONDS) {
    const state = await readIosTest(ctx, project, environment, token)
    if (state.status !== 'PENDING' || waited >= waitSeconds || signal.aborted) return state
    io.progress(`Waiting for the store to deliver: ${waited} of ${waitSeconds} s`)
    await Promise.race([Bun.sleep(POLL_SECONDS * 1000), io.stopped])
    io.progress(null)
  }
}

function verdict(
  ctx: Context,
  project: ProjectState,
  environment: PurchaseEnvironment,
  token: string,
  { status, receivedAt, attempts }: TestState,
): string {
  const endpoint = iosEndpoint(ctx, project)
  if (receivedAt !== null) return `The test notification was received at ${toIso(receivedAt)}.`
  if (status === 'RECEIVED')
    return `The store delivered its test notification, but not to this deployment; the address saved at the store must be ${endpoint}`
  if (status === 'FAILED')
    return `The store could not deliver its test notification (${attempts.map(({ result }) => result).join(', ')}); check that it reaches ${endpoint}`
  const again = `svc store-events test --project ${project.slug} --environment ${optionOf(environment)} --token ${quoted(token)}`
  return `The store has not delivered its test notification yet; look again with: ${again}`
}
