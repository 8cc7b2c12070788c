import { sql, sum } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import { pathOf } from '../../base/http/request'
import { familyOf } from '../../people/subscribers/family'

const PATHS = ['/v1/sdk/sessions', '/v1/events']

/** Apps know one code for events that cannot be stored now, whichever step found the database away. */
export function telemetryRefusal({ state }: Context, request: Request, refusal: AppError): AppError | null {
  if (refusal.refusal !== 'DATABASE_UNAVAILABLE' || request.method !== 'POST') return null
  if (!PATHS.includes(state.surface.withoutMount(pathOf(request.url)))) return null
  return new AppError('TELEMETRY_UNAVAILABLE', undefined, { cause: refusal })
}

/**
 * The length of all sessions of a subscriber and of those merged into it, in milliseconds; null when none has a length.
 * It also counts sessions that are deleted already.
 */
export async function playTimeOf({ db, tables }: Handle, subscriberId: string): Promise<number | null> {
  const { sessionSubjects: s } = tables
  const [row] = await db
    .select({ playMs: sum(s.playMs) })
    .from(s)
    .where(sql`${s.subscriberId} in ${familyOf(tables, subscriberId)}`)
  const playMs = Number(row?.playMs ?? 0)
  return playMs === 0 ? null : playMs
}
