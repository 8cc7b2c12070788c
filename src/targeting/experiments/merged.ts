import type { Tx } from '../../base/context'
import type { EventDraft } from '../../people/events/service'
import type { JoinedAssignment } from '../../people/subscribers/transfer-moved'
import { conversionAt } from './conversion'
import { experimentEvent } from './events'
import { toExposed } from './exposed'
import { readMetrics } from './json-columns'
import { updateAssignment } from './queries'
import { type Candidate, listCandidates, listPauses, listTracked } from './track-queries'

interface Converted {
  joined: JoinedAssignment[]
  drafts: EventDraft[]
}

/**
 * After a merge, one row of the person has the exposure and another row has the event that converts it: it counts as if
 * one device had reported both. Returns the joined assignments of the survivor with these changes, so that an undo
 * reverts them.
 */
export async function convertMerged(
  tx: Tx,
  projectId: string,
  survivorId: string,
  joined: readonly JoinedAssignment[],
): Promise<Converted> {
  const byExperiment = new Map(joined.map((change) => [change.experimentId, change]))
  const drafts: EventDraft[] = []
  for (const candidate of await listCandidates(tx, projectId, survivorId)) {
    const { assignment, experiment } = candidate
    const convertedAt = await conversionOf(tx, candidate)
    if (convertedAt === null) continue
    const { variantId, placementId } = assignment
    await updateAssignment(tx, assignment, { convertedAt })
    const before = byExperiment.get(experiment.id)?.before ?? toExposed(assignment)
    const after = { ...toExposed(assignment), convertedAt }
    byExperiment.set(experiment.id, { experimentId: experiment.id, before, after })
    drafts.push(
      experimentEvent('experiment.converted', { experiment, variantId, placementId, occurredAt: convertedAt }),
    )
  }
  return { joined: [...byExperiment.values()], drafts }
}

async function conversionOf(tx: Tx, { assignment, experiment }: Candidate): Promise<number | null> {
  const { exposedAt, subscriberId } = assignment
  const metrics = readMetrics(experiment.metrics)
  if (exposedAt === null || metrics.length === 0) return null
  const events = await listTracked(tx, subscriberId, metrics, exposedAt)
  if (events.length === 0) return null
  const pauses = await listPauses(tx, experiment.id)
  return conversionAt({ key: experiment.key, metrics, pauses }, exposedAt, events)
}
