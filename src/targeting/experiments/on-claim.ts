import type { SliceHooks } from '../../base/state'
import { HASH_VERSION } from '../../core/bucket/bucket'
import { recordExperimentEvents } from './events'
import { convertMerged } from './merged'
import { findExperiment, insertAssignments, listAssignments } from './queries'
import { moveAssignments } from './service'

/**
 * When a visitor of a funnel becomes a subscriber by a claim, the variant that the visitor was shown moves as at a merge:
 * the subscriber's own stays, and no exposure is lost or counted twice. Conversions in the app count for it.
 */
export const moveVisitor: SliceHooks['onFunnelClaim'] = async (tx, project, { session, claimer, requestId }) => {
  const { id, visitorId, experimentId, variantId, placement, country, startedAt } = session
  const visitor = visitorId ?? id
  const held = await listAssignments(tx, visitor)
  const experiment = experimentId === null ? null : await findExperiment(tx, project.id, experimentId)
  if (experiment && variantId !== null && !held.some((one) => one.experimentId === experiment.id)) {
    const drawn = { experimentId: experiment.id, subscriberId: visitor, projectId: project.id, variantId }
    const shown = { exposedAt: startedAt, placementId: placement, platform: 'web' as const, country }
    const never = { convertedAt: null, crossedAt: null }
    await insertAssignments(tx, [{ ...drawn, hashVersion: HASH_VERSION, assignedAt: startedAt, ...shown, ...never }])
  }
  const { joined } = await moveAssignments(tx, visitor, claimer.id)
  const { drafts } = await convertMerged(tx, project.id, claimer.id, joined)
  await recordExperimentEvents(tx, project, claimer, requestId, drafts)
}
