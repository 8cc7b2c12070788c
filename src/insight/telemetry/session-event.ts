import { DAY, HOUR, MINUTE } from '../../base/lib/clock'
import { sha256Hex } from '../../base/lib/hash'
import { toIso } from '../../base/lib/time'

export const SESSION_EVENT_TYPES = ['open', 'background', 'close'] as const
export type SessionEventType = (typeof SESSION_EVENT_TYPES)[number]

/** What an app reports of one of its sessions (wire 2.15). */
export interface SessionEvent {
  type: SessionEventType
  /** Unix milliseconds. */
  occurredAt: number
  /** 0 = none was given. */
  durationMs: number
  /** Null when it was not given; an empty one is kept. */
  appVersion: string | null
  sdkVersion: string | null
}

const MAX_AGE_MS = 48 * HOUR
const MAX_AHEAD_MS = 5 * MINUTE

/** Whether an event is neither too old nor too far ahead to be kept. Both limits are still fresh. */
export const isFresh = ({ occurredAt }: Pick<SessionEvent, 'occurredAt'>, now: number): boolean =>
  occurredAt >= now - MAX_AGE_MS && occurredAt <= now + MAX_AHEAD_MS

/** What makes two events of a subscriber the same one. */
export const identityOf = ({ type, occurredAt, durationMs }: SessionEvent): string =>
  `${type}|${occurredAt}|${durationMs}`

/** The id of an event: 32 hex characters. It is not stored, because the stored event has all that it is made of. */
export const eventIdOf = (
  projectId: string,
  subscriberId: string,
  { type, occurredAt, durationMs }: SessionEvent,
): string => sha256Hex([projectId, subscriberId, type, toIso(occurredAt), durationMs].join('|')).slice(0, 32)

/** The play time that an event adds. A session of more than a day is the fault of a clock, and counts as a day. */
export const playTimeOf = ({ durationMs }: Pick<SessionEvent, 'durationMs'>): number => Math.min(durationMs, DAY)
