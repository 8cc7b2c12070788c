import { type Static, Type } from '@sinclair/typebox'
import { type Io, UsageError } from '../../base/cli/command'
import { stopSignal } from '../../base/cli/storage'
import { type ProjectApi, withProject } from '../../projects/project/project-api'
import type { PurchaseEnvironment } from '../../stores/observation'
import { IosTestState } from '../ios/notification-test-wire'
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

const PATH = ['apps', 'ios', 'test-notification']
const Requested = Type.Object({ token: Type.String() })
/** A newer server may answer more. */
const State = Type.Omit(IosTestState, [], { additionalProperties: true })
type State = Static<typeof IosTestState>

type Values = Parameters<typeof withProject>[1] & { json?: boolean | undefined }

/**
 * Tests the way to the project that the options name. `--token` is that of the notification, so the token for a server
 * comes from the environment.
 */
export const testOfProject = (io: Io, values: Values, order: TestOrder): Promise<number> =>
  withProject(io, { ...values, token: undefined }, (project) => testConnection(io, project, order, values.json))

/** Requests a TEST notification from the iOS store and waits for its result; exit 1 unless it arrived here. */
async function testConnection(
  io: Io,
  project: ProjectApi,
  order: TestOrder,
  json: boolean | undefined,
): Promise<number> {
  const token = order.token ?? (await request(project, order))
  const state = await watch(io, project, token, order)
  const { status, receivedAt, attempts } = state
  io.out(json ? JSON.stringify({ token, status, receivedAt, attempts }) : verdict(project, order, token, state))
  return receivedAt === null ? 1 : 0
}

/** The token is printed as the store knows it, without the environment that the route puts before it. */
async function request(project: ProjectApi, { environment }: TestOrder): Promise<string> {
  const body = { environment: optionOf(environment) }
  const { token } = await project.call('POST', PATH, { data: Requested, body })
  return token.replace(`${body.environment}_`, '')
}

async function watch(
  io: Io,
  project: ProjectApi,
  token: string,
  { environment, waitSeconds }: TestOrder,
): Promise<State> {
  const signal = stopSignal(io)
  for (let waited = 0; ; waited += POLL_SECONDS) {
    const state = await project.call('GET', [...PATH, `${optionOf(environment)}_${token}`], { data: State })
    if (state.status !== 'PENDING' || waited >= waitSeconds || signal.aborted) return state
    io.progress(`Waiting for the store to deliver: ${waited} of ${waitSeconds} s`)
    await Promise.race([Bun.sleep(POLL_SECONDS * 1000), io.stopped])
    io.progress(null)
  }
}

function verdict(
  { slug }: ProjectApi,
  { environment }: TestOrder,
  token: string,
  { status, receivedAt, attempts, endpoint }: State,
): string {
  if (receivedAt !== null) return `The test notification was received at ${receivedAt}.`
  if (status === 'RECEIVED')
    return `The store delivered its test notification, but not to this deployment; the address saved at the store must be ${endpoint}`
  if (status === 'FAILED')
    return `The store could not deliver its test notification (${attempts.map(({ result }) => result).join(', ')}); check that it reaches ${endpoint}`
  const again = `svc store-events test --project ${slug} --environment ${optionOf(environment)} --token ${quoted(token)}`
  return `The store has not delivered its test notification yet; look again with: ${again}`
}
