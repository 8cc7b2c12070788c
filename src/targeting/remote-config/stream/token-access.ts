import type { Context } from '../../../base/context'
import { AppError, notFound } from '../../../base/errors'
import type { Call } from '../../../base/http/guarded'
import { WEB_PREFIX } from '../../../base/http/surface'
import { creationOf } from '../../../people/subscribers/creation'
import { checkDeviceKey } from '../../../people/subscribers/device-key'
import { isSubscriberId, subscriberOfDevice } from '../../../people/subscribers/service'
import { checkKey } from '../../../projects/doors/api'
import type { Credential } from '../../../projects/project/key-ring'
import type { KeyState } from '../../../projects/project/state'
import type { EvaluationTarget } from '../../audiences/evaluation-target'
import { findReferencedTarget } from '../referenced-target'
import { openStreamToken, type StreamGrant } from '../stream-token'

/** The key of the Authorization header; without that header the one behind a stream token (wire 2.23). */
export const keyOfStream = (ctx: Context, call: Call): Promise<KeyState> =>
  hasToken(call.request) ? keyOfToken(ctx, call) : checkKey(ctx, call, call.request.headers.get('authorization'))

async function keyOfToken(ctx: Context, { request, facts: { path }, headers }: Call): Promise<KeyState> {
  headers['access-control-allow-origin'] = '*' // The token gives access, whatever page sends it.
  const credential = await credentialOfGrant(ctx, grantOf(ctx, request))
  const key = credential && (await ctx.state.keys.find(credential))
  if (!key) throw refused()
  const inPath = path.startsWith(WEB_PREFIX) ? path.slice(WEB_PREFIX.length).split('/', 1)[0] : null
  if (inPath !== null && inPath !== key.publicKey)
    throw new AppError('FORBIDDEN', undefined, { message: 'The key in the path is not the one of the stream token' })
  return key
}

/** Whether the call has a stream token and no Authorization header, which would come first. */
export const hasToken = ({ headers, url }: Request): boolean => !headers.has('authorization') && tokenOf(url) !== null

const tokenOf = (url: string): string | null => new URL(url).searchParams.get('st') || null

/** The grant of the token of a call; 401 when svc did not sign it, or when its time is over. */
export function grantOf(ctx: Context, { url }: Request): StreamGrant {
  const opened = openStreamToken(ctx.mac, tokenOf(url) ?? '', ctx.clock.now())
  if (!opened) throw refused()
  if (!opened.isOver) return opened.grant
  ctx.state.streamOffers.withdraw(opened.grant)
  throw refused()
}

const refused = (): AppError =>
  new AppError('INVALID_API_KEY', undefined, {
    message: 'The stream token is not valid any more; evaluate the flags again for a new one',
  })

/** The credential of the half of the key that requested the token. */
export const credentialOfGrant = (ctx: Context, { keyId, presented }: StreamGrant): Promise<Credential | null> =>
  ctx.state.keys.credentialOfId(keyId, presented)

/** The target of a token; a device without a row gets one, as by any of its calls. */
export async function targetOfGrant(
  ctx: Context,
  { projectId, subscriber: reference, presented }: StreamGrant,
  request: Request,
): Promise<EvaluationTarget> {
  const named = presented === 'secret' ? await findReferencedTarget(ctx, projectId, reference) : null
  if (named) return named
  if (presented === 'secret' && isSubscriberId(reference)) throw notFound('subscriber', reference) // A subscriber id is not the key of a device.
  const deviceKey = checkDeviceKey(reference, 'subscriberId')
  return {
    deviceKey,
    subscriber: await subscriberOfDevice(ctx, projectId, deviceKey, { ...creationOf(ctx, request), platform: null }),
  }
}
