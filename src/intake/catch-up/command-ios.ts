import { type Io, UsageError } from '../../base/cli/command'
import { stopSignal } from '../../base/cli/storage'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import { iosEndpoint, readIosTest, requestIosTest, type TestState } from '../ios/notification-test'
import { optionOf, quoted } from './command-fetch'

/** `--environment production|sandbox`. */
export function toEnvironment(given = 'production'): PurchaseEnvironment {
  if (given === 'production') return 'PRODUCTION'
  if (given === 'sandbox') return 'SANDBOX'
  throw new UsageError(`--environment is production or sandbox, not "${given}"`)
}

export interface TestOrder {
  environment: PurchaseEnvironment
  /** The token of a test that was requested before; undefined = request a new one. */
  token: string | undefined
  waitSeconds: number
}

const POLL_SECONDS = 2

/** Requests a TEST notification from the iOS store and waits for its result; exit 1 unless it arrived here. */
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
