import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parseIso } from '../../base/lib/time'
import type { EventRow } from '../../people/events/feed'

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** The members of an event that a delivery needs. A newer server may send more. */
const RemoteEvent = Type.Object({
  id: Type.String(),
  seq: Type.Union([Type.Integer(), Type.Null()]),
  type: Type.String(),
  projectId: Type.String(),
  subscriberId: textOrNull,
  appUserId: textOrNull,
  environment: Type.String(),
  occurredAt: Type.String(),
  recordedAt: Type.String(),
  cause: Type.Record(Type.String(), Type.Unknown()),
  before: Type.Unknown(),
  after: Type.Unknown(),
  data: Type.Record(Type.String(), Type.Unknown()),
})

/** An event of a server's answer; null when it is none. Positions are known to the server alone. */
export function readRemoteEvent(value: unknown): EventRow | null {
  if (!Value.Check(RemoteEvent, value)) return null
  const { cause, environment, ...plain } = value
  const [occurredAt, recordedAt] = [parseIso(plain.occurredAt), parseIso(plain.recordedAt)]
  if (occurredAt === null || recordedAt === null) return null
  // A newer server may know causes and environments that this version does not. They are passed on as they are.
  const passedOn = { cause, environment } as unknown as Pick<EventRow, 'cause' | 'environment'>
  return { ...plain, ...passedOn, occurredAt, recordedAt, position: 0 }
}
