import type { Tx } from '../../base/context'
import { HASH_VERSION } from '../../core/bucket/bucket'
import { causeOf } from '../../people/events/model'
import { recordProjectEvent } from '../../people/events/service'
import { experimentEvent } from './events'
import { saveAssignments } from './holdings'
import { findAssignment, updateAssignment } from './queries'

export interface VisitorExposure {
  projectId: string
  experiment: { id: string; key: string }
  variantId: string
  visitorId: string
  /** Identifier. */
  placementId: string
  country: string | null
  sessionId: string
}

/**
 * Records that a visitor of a web page has seen a variant, once for each experiment and visitor. The visitor is no
 * subscriber, so the event has none.
 */
export async function exposeVisitor(tx: Tx, exposure: VisitorExposure): Promise<void> {
  const { projectId, experiment, variantId, visitorId, placementId, country } = exposure
  const key = { experimentId: experiment.id, subscriberId: visitorId }
  const held = await findAssignment(tx, key)
  if (held !== null && held.exposedAt !== null) return
  const exposedAt = tx.clock.now()
  const drawn = { ...key, projectId, variantId, hashVersion: HASH_VERSION, assignedAt: exposedAt }
  await saveAssignments(tx, [{ ...drawn, replaces: held?.variantId ?? null }])
  await updateAssignment(tx, key, { exposedAt, placementId, platform: 'web', country })
  const happening = { experiment: { ...experiment, placementId }, variantId, placementId, occurredAt: exposedAt }
  const { type, data } = experimentEvent('experiment.exposed', happening)
  const cause = causeOf('FUNNEL', exposure.sessionId)
  await recordProjectEvent(tx, projectId, cause, { type, data: { ...data, visitorId } })
}
