import type { Context, Tx } from '../../base/context'
import { DAY, MINUTE } from '../../base/lib/clock'
import type { EventDraft } from '../../people/events/service'
import { lockLive, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { conversionAt } from './conversion'
import { experimentEvent, recordExperimentEvents } from './events'
import { readMetrics } from './json-columns'
import { updateAssignment } from './queries'
import {
  type Candidate,
  deleteOldTracked,
  insertTracked,
  listCandidates,
  listPauses,
  type TrackedRow,
  trimTracked,
} from './track-queries'

export interface TrackedEvent {
  type: string
  /** The only experiment that the event is meant for; null = every one that runs. */
  key: string | null
  /** Null = the time of receipt. */
  occurredAt: number | null
  metadata: Record<string, unknown> | null
}

/** The most events that are kept of a row of a subscriber; the oldest are deleted first. */
const MAX_KEPT = 1000
export const KEPT_MS = 90 * DAY
/** As for exposures: a clock that is further ahead is wrong, and the time of receipt plus this limit is used. */
const MAX_AHEAD_MS = 5 * MINUTE

/**
 * Saves events of a subscriber, and marks the conversions by them in experiments that run, each once. An event for a
 * key that no experiment has converts nothing. Returns how many were saved: none for an erased subscriber.
 */
export async function track(
  ctx: Context,
  project: ProjectState,
  row: SubscriberRow,
  events: readonly TrackedEvent[],
  requestId: string,
): Promise<number> {
  const { recorded, converted } = await ctx.write((tx) => record(tx, project, row, events, requestId))
  ctx.metrics.experimentConversions.inc(converted)
  return recorded
}

async function record(
  tx: Tx,
  project: ProjectState,
  row: SubscriberRow,
  events: readonly TrackedEvent[],
  requestId: string,
): Promise<{ recorded: number; converted: number }> {
  const subscriber = await lockLive(tx, row)
  if (subscriber.erasedAt !== null) return { recorded: 0, converted: 0 }
  const rows = events.map((event) => toRow(tx, subscriber, event))
  await insertTracked(tx, rows)
  await trimTracked(tx, subscriber.id, MAX_KEPT)
  const drafts: EventDraft[] = []
  for (const candidate of await listCandidates(tx, project.id, subscriber.id))
    drafts.push(...(await convert(tx, candidate, rows)))
  await recordExperimentEvents(tx, project, subscriber, requestId, drafts)
  return { recorded: rows.length, converted: drafts.length }
}

function toRow(tx: Tx, { id, projectId }: SubscriberRow, event: TrackedEvent): TrackedRow {
  const { type, key: experimentKey, metadata } = event
  const recordedAt = tx.clock.now()
  const occurredAt = Math.min(event.occurredAt ?? recordedAt, recordedAt + MAX_AHEAD_MS)
  return { projectId, subscriberId: id, type, experimentKey, occurredAt, recordedAt, metadata }
}

async function convert(
  tx: Tx,
  { assignment, experiment }: Candidate,
  rows: readonly TrackedRow[],
): Promise<EventDraft[]> {
  const { exposedAt, variantId, placementId } = assignment
  const metrics = readMetrics(experiment.metrics)
  if (exposedAt === null || !rows.some(({ type }) => metrics.includes(type))) return []
  const pauses = await listPauses(tx, experiment.id)
  const at = conversionAt({ key: experiment.key, metrics, pauses }, exposedAt, rows)
  if (at === null) return []
  await updateAssignment(tx, assignment, { convertedAt: at })
  return [experimentEvent('experiment.converted', { experiment, variantId, placementId, occurredAt: at })]
}

const BATCH = 500

/** Deletes the tracked events older than 90 days; returns how many. Conversions by them stay. */
export async function pruneTracked(ctx: Context, isStopping = () => false): Promise<number> {
  let deleted = 0
  for (let found = BATCH; found === BATCH && !isStopping(); deleted += found) {
    const before = ctx.clock.now() - KEPT_MS
    found = await ctx.write((tx) => deleteOldTracked(tx, before, BATCH))
  }
  return deleted
}
