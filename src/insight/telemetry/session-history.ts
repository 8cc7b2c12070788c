import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { readPackKey } from './pack-key'
import { type CountedPack, deleteDay, deleteSubject, listDay, listSubjects, type SubjectRow } from './pack-queries'
import { readPack } from './pack-text'
import { eventIdOf, type SessionEvent } from './session-event'

export interface IdentifiedEvent extends SessionEvent {
  id: string
}

/** All kept session events of subscribers, in the order of their times. Events of one time keep the order of arrival. */
export async function listSessionEvents(handle: Handle, subscriberIds: readonly string[]): Promise<IdentifiedEvent[]> {
  const events: IdentifiedEvent[] = []
  for await (const event of sessionEventsOf(handle, subscriberIds)) events.push(event)
  return events.sort((a, b) => a.occurredAt - b.occurredAt)
}

/** The same events as they are read, day by day of each subscriber. */
export async function* sessionEventsOf(
  handle: Handle,
  subscriberIds: readonly string[],
): AsyncGenerator<IdentifiedEvent> {
  for (const subject of await listSubjects(handle, subscriberIds))
    for (const day of daysOf(subject))
      for (const row of await listDay(handle, day, subject.number))
        for (const event of readPack(readPackKey(row.key).day, row))
          yield { id: eventIdOf(subject.projectId, subject.subscriberId, event), ...event }
}

/** Deletes the session events of subscribers and their totals; returns the packs, and how many totals. */
export async function eraseSessions(tx: Tx, subscriberIds: readonly string[]) {
  const subjects = await listSubjects(tx, subscriberIds)
  const packs: CountedPack[] = []
  for (const subject of subjects) {
    for (const day of daysOf(subject)) packs.push(...(await deleteDay(tx, day, subject.number)))
    await deleteSubject(tx, subject.number)
  }
  return { packs, subjects: subjects.length }
}

const daysOf = ({ firstDay, lastDay }: SubjectRow): number[] =>
  Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
