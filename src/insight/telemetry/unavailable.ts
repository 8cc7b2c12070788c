import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { pathOf } from '../../base/http/request'

const PATHS = ['/v1/sdk/sessions', '/v1/events']

/** Apps know one code for events that cannot be stored now, whichever step found the database away. */
export function telemetryRefusal({ state }: Context, request: Request, refusal: AppError): AppError | null {
  if (refusal.refusal !== 'DATABASE_UNAVAILABLE' || request.method !== 'POST') return null
  if (!PATHS.includes(state.surface.withoutMount(pathOf(request.url)))) return null
  return new AppError('TELEMETRY_UNAVAILABLE', undefined, { cause: refusal })
}
