import type { Context } from '../../base/context'
import { requireVault } from '../../base/errors'
import type { S3Credentials } from './model'
import type { ScheduleRow } from './queries'

type WithVault = Pick<Context, 'vault'>

// Part of the envelope, so that the credentials cannot be copied to another schedule.
export const contextOf = (scheduleId: string): string => `export-schedule:${scheduleId}`

/** Encrypts the credentials of a bucket. 503 `FEATURE_NOT_CONFIGURED` on a deployment without a master key. */
export function sealCredentials(
  ctx: WithVault,
  scheduleId: string,
  credentials: S3Credentials,
): Pick<ScheduleRow, 'sealedCredentials' | 'accessKeyLast4'> {
  return {
    sealedCredentials: requireVault(ctx).seal(JSON.stringify(credentials), contextOf(scheduleId)),
    accessKeyLast4: credentials.accessKeyId.slice(-4),
  }
}

/** Null when the schedule has none, or when this master key cannot open them. */
export function openCredentials(
  { vault }: WithVault,
  { id, sealedCredentials }: Pick<ScheduleRow, 'id' | 'sealedCredentials'>,
): S3Credentials | null {
  const text = sealedCredentials === null ? null : (vault?.open(sealedCredentials, contextOf(id)) ?? null)
  return text === null ? null : (JSON.parse(text) as S3Credentials) // `sealCredentials` has written it.
}
