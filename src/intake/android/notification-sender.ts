import { decodeProtectedHeader } from 'jose'
import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { outsideNow } from '../../base/lib/clock'
import { googleKeys, packageNameOf } from '../../projects/connections/android-store'
import { pushEndpoint } from '../../projects/connections/push-endpoint'
import type { ProjectState } from '../../projects/project/state'
import type { NotificationAction } from '../../stores/android/notification'
import { checkPushToken, type PushTokenCheck } from '../../stores/android/push-token'
import { isSimulatedToken } from '../../stores/test-keys/ids'
import { findSimulatorPushKey, isSimulatorKeyId } from '../../stores/test-keys/service'

/** The authenticated sender of a push. */
export interface Sender {
  packageName: string
  isSimulator: boolean
}

/** The sender, after checking that the push comes from Google and from the project's service account. */
export async function checkSender(ctx: Context, project: ProjectState, authorization: string | null): Promise<Sender> {
  const isSimulator = ctx.config.isSimulatorOn && isSimulatorKeyId(keyIdOf(authorization))
  const check = isSimulator ? simulatorCheck(ctx, project.id) : googleCheck(ctx, project)
  const result = await checkPushToken(authorization, { ...check, now: isSimulator ? ctx.clock.now() : outsideNow(ctx) })
  if (result.ok) return { packageName: packageNameOf(project), isSimulator }
  if (result.reason !== 'keys_unavailable') throw unauthorized(result.reason)
  throw new AppError('STORE_UNAVAILABLE', undefined, { cause: new Error("Google's keys could not be fetched") })
}

/** Refuses a push of the test store about a purchase that the test store did not sell. */
export function checkReach({ isSimulator }: Sender, action: NotificationAction): void {
  if (isSimulator && (action.kind === 'IGNORED' || !isSimulatedToken(action.purchaseToken)))
    throw invalid('The test store speaks of its own purchases only')
}

/** The sender and the audience in the tokens of the test store. */
export const simulatedIdentity = (projectId: string) => ({
  audience: `https://simulator.invalid/webhooks/android/${projectId}`,
  email: 'test-store@simulator.invalid',
})

type Check = Omit<PushTokenCheck, 'now'>

function googleCheck(ctx: Context, { id, android }: ProjectState): Check {
  const audience = pushEndpoint(ctx, id)
  const serviceAccount = android?.clientEmail ?? null
  if (serviceAccount === null || audience === null) throw unauthorized('this project expects no pushes')
  return { keys: googleKeys(ctx), audience, serviceAccount }
}

function simulatorCheck(ctx: Context, projectId: string): Check {
  const { audience, email: serviceAccount } = simulatedIdentity(projectId)
  const keys: Check['keys'] = {
    async find(id) {
      const key = await findSimulatorPushKey(ctx, projectId)
      return key?.id === id ? { ok: true, key: key.publicKey } : { ok: false, reason: 'unknown_key' }
    },
  }
  return { keys, audience, serviceAccount }
}

const unauthorized = (reason: string): AppError =>
  new AppError('UNAUTHORIZED', undefined, { message: `The push was refused (${reason})` })

function keyIdOf(authorization: string | null): string {
  try {
    return decodeProtectedHeader((authorization ?? '').replace(/^Bearer +/i, '')).kid ?? ''
  } catch {
    return '' // Not a token: the check of the token refuses it later.
  }
}
