import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import {
  type Creation,
  lockLive,
  resolveDevice,
  type SubscriberRow,
  unlessUnresolvable,
} from '../../people/subscribers/service'
import { dropOverBudget } from '../../projects/budget/service'
import { countUsage } from '../../projects/usage/service'
import { addToPacks, figuresOf, type Pack } from './pack'
import { dayOf, minuteOf, packKey, readPackKey } from './pack-key'
import {
  countPacks,
  findProjectNumber,
  findSubject,
  insertProject,
  insertSubject,
  listPacks,
  listSubjects,
  type SubjectRow,
  savePack,
  updateSubject,
} from './pack-queries'
import { readPack, writePack } from './pack-text'
import { identityOf, isFresh, type SessionEvent } from './session-event'

/** What became of the fresh events of a batch. */
interface Outcome {
  saved: number
  /** Were saved before. */
  repeated: number
  /** For which the day of the subscriber has no room, or whose subscriber was erased. */
  dropped: number
}

/**
 * Saves a batch of session events of a device (wire 2.15). Events outside of the window are dropped; when no other is
 * left it throws `STALE_BATCH`, and no person is created. Returns false when the batch was dropped over the budget of the
 * project: then nothing is saved either.
 */
export async function recordSessions(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  events: readonly SessionEvent[],
  creation: Creation | null,
): Promise<boolean> {
  const now = ctx.clock.now()
  const fresh = events.filter((event) => isFresh(event, now))
  const stale = events.length - fresh.length
  ctx.metrics.sessionEvents.inc({ outcome: 'stale' }, stale)
  if (fresh.length === 0) throw new AppError('STALE_BATCH')
  if (await dropOverBudget(ctx, projectId, fresh.length)) {
    ctx.metrics.sessionEvents.inc({ outcome: 'dropped' }, fresh.length)
    return false
  }
  const outcome = await saveForDevice(ctx, projectId, deviceKey, fresh, creation)
  for (const name of ['saved', 'repeated', 'dropped'] as const)
    ctx.metrics.sessionEvents.inc({ outcome: name }, outcome[name])
  return true
}

async function saveForDevice(
  ctx: Context,
  projectId: string,
  deviceKey: string,
  events: readonly SessionEvent[],
  creation: Creation | null,
): Promise<Outcome> {
  const resolved = await resolveDevice(ctx, projectId, deviceKey, creation).catch(unlessUnresolvable)
  // A 409 would make the app send the batch again for ever (wire 3.2), and these events could never be read.
  if (!resolved) return { saved: 0, repeated: 0, dropped: events.length }
  return ctx.write((tx) => saveFor(tx, resolved.row, resolved.ids, events))
}

async function saveFor(
  tx: Tx,
  row: SubscriberRow,
  chain: readonly string[],
  events: readonly SessionEvent[],
): Promise<Outcome> {
  const live = await lockLive(tx, row)
  if (live.erasedAt !== null) return { saved: 0, repeated: 0, dropped: events.length }
  const former = chain.filter((id) => id !== live.id)
  const known = await knownOf(tx, former, events)
  const others = known.size === 0 ? events : events.filter((event) => !known.has(identityOf(event)))
  const outcome = await saveAll(tx, live, others)
  return { ...outcome, repeated: outcome.repeated + events.length - others.length }
}

/** Which of the events were saved for the device before its subscriber was merged. */
async function knownOf(tx: Tx, former: readonly string[], events: readonly SessionEvent[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const { number } of await listSubjects(tx, former))
    for (const [day, ofDay] of byDay(events))
      for (const row of await listPacks(tx, { day, subject: number }, minutesOf(ofDay)))
        for (const event of readPack(day, row)) known.add(identityOf(event))
  return known
}

async function saveAll(tx: Tx, live: SubscriberRow, events: readonly SessionEvent[]): Promise<Outcome> {
  const days = byDay(events)
  const subject = await subjectOf(tx, live, Math.min(...days.keys()))
  const project = await projectOf(tx, live.projectId)
  const saved: SessionEvent[] = []
  const outcome = { saved: 0, repeated: 0, dropped: 0 }
  for (const [day, ofDay] of days) {
    const added = await saveDay(tx, { project, subject: subject.number, day }, ofDay)
    saved.push(...added.saved)
    outcome.repeated += added.repeated
    outcome.dropped += added.refused
  }
  if (saved.length > 0) await addTotals(tx, subject, saved)
  for (const [day, ofDay] of byDay(saved)) await countUsage(tx, live.projectId, 'telemetry', day * DAY, ofDay.length)
  return { ...outcome, saved: saved.length }
}

interface Place {
  project: number
  subject: number
  day: number
}

async function saveDay(tx: Tx, { project, subject, day }: Place, events: readonly SessionEvent[]) {
  const rows = await listPacks(tx, { day, subject }, minutesOf(events))
  const packs = rows.map((row): Pack => ({ minute: readPackKey(row.key).minute, events: readPack(day, row) }))
  const count = rows.length === 0 ? 0 : await countPacks(tx, day, subject)
  const added = addToPacks(packs, events, count)
  for (const pack of added.changed) {
    const key = packKey(day, subject, pack.minute)
    await savePack(tx, { key, project, day, ...figuresOf(pack.events), ...writePack(pack.events) })
  }
  return added
}

function byDay(events: readonly SessionEvent[]): Map<number, SessionEvent[]> {
  const days = new Map<number, SessionEvent[]>()
  for (const event of events) {
    const day = dayOf(event.occurredAt)
    const ofDay = days.get(day)
    if (ofDay) ofDay.push(event)
    else days.set(day, [event])
  }
  return days
}

function minutesOf(events: readonly SessionEvent[]): [first: number, last: number] {
  const minutes = events.map(({ occurredAt }) => minuteOf(occurredAt))
  return [Math.min(...minutes), Math.max(...minutes)]
}

/** The number of a project is made with its first event. */
async function projectOf(tx: Tx, projectId: string): Promise<number> {
  const found = await findProjectNumber(tx, projectId)
  if (found !== null) return found
  await insertProject(tx, projectId)
  const made = await findProjectNumber(tx, projectId)
  if (made === null) throw new Error('the number of a project vanished while it was being made')
  return made
}

async function subjectOf(tx: Tx, { id, projectId }: SubscriberRow, day: number): Promise<SubjectRow> {
  const found = await findSubject(tx, id)
  if (found) return found
  const row = { subscriberId: id, projectId, opens: 0, playMs: 0, firstDay: day, lastDay: day }
  const made = (await insertSubject(tx, row)) ?? (await findSubject(tx, id))
  if (!made) throw new Error('the number of a subscriber vanished while it was being made')
  return made
}

/** The subscriber is locked, so no other write changes the row in between. */
async function addTotals(tx: Tx, subject: SubjectRow, saved: readonly SessionEvent[]): Promise<void> {
  const { opens, playMs } = figuresOf(saved)
  const days = saved.map(({ occurredAt }) => dayOf(occurredAt))
  await updateSubject(tx, subject.number, {
    opens: subject.opens + opens,
    playMs: Math.min(subject.playMs + playMs, Number.MAX_SAFE_INTEGER),
    firstDay: Math.min(subject.firstDay, ...days),
    lastDay: Math.max(subject.lastDay, ...days),
  })
}
