import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import { NOTIFICATION_URL_NOT_FOUND, TEST_TOKEN_UNKNOWN } from '../../stores/ios/api-client'
import type { TestNotificationStatus } from '../../stores/ios/api-client-shapes'
import type { PurchaseEnvironment } from '../../stores/observation'
import { findByNotification } from '../inbox/service'
import { requireIosClient, storeFault } from './call'
import { STORE, verifyForProject } from './notification'

/** The store returns the result of a token for six months. */
const TOKEN_LIFE_MS = 180 * DAY

export interface RequestedTest {
  token: string
  expiresAt: number
}

/** Requests a TEST notification from the iOS store, to the URL that is saved at the store (wire 7.4). */
export async function requestIosTest(
  ctx: Context,
  project: ProjectState,
  environment: PurchaseEnvironment,
): Promise<RequestedTest> {
  const { client } = await requireIosClient(ctx, project)
  const result = await client.requestTestNotification(environment)
  if (result.ok) return { token: result.value.testNotificationToken, expiresAt: ctx.clock.now() + TOKEN_LIFE_MS }
  const isUnset = result.kind === 'rejected' && result.errorCode === NOTIFICATION_URL_NOT_FOUND
  throw isUnset
    ? new AppError('STORE_API_ERROR', undefined, { message: unsetMessage(ctx, project) })
    : storeFault(result)
}

/** Where the store must post its notifications; without a public address only the path is known. */
export const iosEndpoint = ({ config }: Context, { id }: ProjectState): string =>
  `${config.publicBaseUrl ?? '<PUBLIC_BASE_URL>'}/webhooks/ios/${id}`

const unsetMessage = (ctx: Context, project: ProjectState): string =>
  `No notification address is saved at the store for this app; save ${iosEndpoint(ctx, project)} in App Store Connect`

export interface TestState {
  /** `RECEIVED` once the store got a 200, `FAILED` when every attempt failed. */
  status: 'PENDING' | 'RECEIVED' | 'FAILED'
  /** When it arrived here; null when it did not. Another URL may have received it. */
  receivedAt: number | null
  attempts: { at: number; result: string }[]
}

/** The result of a TEST notification; 400 `STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN` for an unknown token. */
export async function readIosTest(
  ctx: Context,
  project: ProjectState,
  environment: PurchaseEnvironment,
  token: string,
): Promise<TestState> {
  const { client } = await requireIosClient(ctx, project)
  const result = await client.getTestNotificationStatus(environment, token)
  if (result.ok) return toState(result.value, await findArrival(ctx, project, result.value))
  const isUnknown = result.kind === 'rejected' && TEST_TOKEN_UNKNOWN.includes(result.errorCode)
  throw isUnknown ? new AppError('STORE_TEST_NOTIFICATION_TOKEN_UNKNOWN') : storeFault(result)
}

/** When this notification arrived here; null when it did not. */
async function findArrival(
  ctx: Context,
  project: ProjectState,
  { signedPayload }: TestNotificationStatus,
): Promise<number | null> {
  if (!project.ios || signedPayload === undefined) return null
  const result = await verifyForProject(ctx, project, project.ios, signedPayload)
  if (!result.ok) return null
  const row = await findByNotification(ctx, project.id, STORE, result.notification.notificationId)
  return row?.receivedAt ?? null
}

function toState({ sendAttempts = [] }: TestNotificationStatus, receivedAt: number | null): TestState {
  const attempts = sendAttempts.map(({ attemptDate, sendAttemptResult }) => ({
    at: attemptDate,
    result: sendAttemptResult,
  }))
  const isTaken = attempts.some(({ result }) => result === 'SUCCESS')
  return { status: isTaken ? 'RECEIVED' : attempts.length > 0 ? 'FAILED' : 'PENDING', receivedAt, attempts }
}
