import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, invalid, notFound } from '../../base/errors'
import { isHeldOut } from '../../base/lib/bucket'
import { HASH_VERSION } from '../../core/bucket/bucket'
import {
  type Creation,
  ensureSubscriber,
  findByDevice,
  firstDeviceKey,
  lockLive,
  type SubscriberRow,
} from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { conversionAt } from './conversion'
import { experimentEvent, recordExperimentEvents } from './events'
import { decideExposure, type Exposure } from './expose'
import { saveAssignments } from './holdings'
import { readMetrics } from './json-columns'
import { type AssignmentRow, type FoundExperiment, findAssignment, findExperiment, updateAssignment } from './queries'
import type { ExposurePlatform } from './tables'
import { listPauses, listTracked } from './track-queries'

export interface ExposureInput {
  /** Id or key of the experiment. */
  experiment: string
  deviceKey: string
  variantId: string
  /** Null = the time of receipt. */
  exposedAt: number | null
  placementId: string | null
  platform: ExposurePlatform | null
  country: string | null
  creation: Creation | null
  requestId: string
}

type Accepted = Extract<Exposure, { isAccepted: true }>

/**
 * Records that a subscriber has seen a variant (wire 2.14), once for each experiment and subscriber; refusals write
 * nothing. A subscriber who is held out, or was erased, is accepted and not counted.
 */
export async function expose(ctx: Context, project: ProjectState, input: ExposureInput): Promise<void> {
  if (await isCounted(ctx, project, input)) return
  const recorded = await ctx.write((tx) => record(ctx, tx, project, input))
  if (recorded.includes('experiment.exposed')) ctx.metrics.experimentExposures.inc()
  if (recorded.includes('experiment.converted')) ctx.metrics.experimentConversions.inc()
}

/**
 * Whether the exposure is recorded already. Clients report every presentation, so a repetition must not cost a write.
 */
async function isCounted(ctx: Context, project: ProjectState, input: ExposureInput): Promise<boolean> {
  const experiment = await findExperiment(ctx, project.id, input.experiment)
  const subscriber = await findByDevice(ctx, project.id, input.deviceKey)
  const held = experiment && subscriber && (await findHeld(ctx, experiment, subscriber))
  const { assignment, exposedAt } = checkExposure(ctx, experiment, held, input)
  if (!subscriber) return false
  ctx.state.presence.see(subscriber.id, ctx.clock.now())
  return isLeftOut(project, subscriber) || (assignment === null && exposedAt === null)
}

/** Held-out subscribers get the control, as everybody outside the experiment does. */
const isLeftOut = ({ settings }: ProjectState, row: SubscriberRow): boolean =>
  row.erasedAt !== null || isHeldOut(firstDeviceKey(row), settings.holdoutPercentage)

const findHeld = (handle: Handle, { id: experimentId }: FoundExperiment, { id: subscriberId }: SubscriberRow) =>
  findAssignment(handle, { experimentId, subscriberId })

/** The checks in their order; a refusal is thrown. */
function checkExposure(
  { clock }: Pick<Tx, 'clock'>,
  experiment: FoundExperiment | null,
  held: AssignmentRow | null,
  { experiment: named, variantId, exposedAt }: ExposureInput,
): Accepted {
  const exposure = decideExposure({ experiment, variantId, exposedAt, held, now: clock.now() })
  if (exposure.isAccepted) return exposure
  if (exposure.refusal === 'NOT_FOUND') throw notFound('experiment', named)
  if (exposure.refusal === 'EXPERIMENT_NOT_RUNNING') throw new AppError('EXPERIMENT_NOT_RUNNING')
  if (exposure.refusal === 'exposure_out_of_range') throw new AppError('exposure_out_of_range')
  throw invalid(exposure.message ?? 'variantId is not valid')
}

/** The types of the recorded events: none for a repetition. */
async function record(ctx: Context, tx: Tx, project: ProjectState, input: ExposureInput): Promise<string[]> {
  const experiment = await findExperiment(tx, project.id, input.experiment)
  if (!experiment) throw notFound('experiment', input.experiment)
  const { row } = await ensureSubscriber(tx, project.id, input.deviceKey, input.creation)
  const subscriber = await lockLive(tx, row)
  if (isLeftOut(project, subscriber)) return []
  await saveWaiting(ctx, tx, subscriber, experiment, input)
  const held = await findHeld(tx, experiment, subscriber)
  const exposure = checkExposure(tx, experiment, held, input)
  await save(tx, { experiment, subscriber, held, exposure }, input)
  if (exposure.exposedAt === null) return []
  return recordExposureEvents(tx, project, { experiment, subscriber, exposedAt: exposure.exposedAt }, input)
}

/** A variant that a read of this process has answered is binding before it is written. */
async function saveWaiting(
  ctx: Context,
  tx: Tx,
  subscriber: SubscriberRow,
  experiment: FoundExperiment,
  { deviceKey }: ExposureInput,
): Promise<void> {
  const waiting = ctx.state.assignments.of({ subscriber, deviceKey }).get(experiment.id)
  if (!waiting) return
  const { deviceKey: _deviceKey, ...drawn } = waiting
  await saveAssignments(tx, [{ ...drawn, subscriberId: subscriber.id }])
}

interface Saving {
  experiment: FoundExperiment
  subscriber: SubscriberRow
  held: AssignmentRow | null
  exposure: Accepted
}

async function save(tx: Tx, { experiment, subscriber, held, exposure }: Saving, input: ExposureInput): Promise<void> {
  const key = { experimentId: experiment.id, subscriberId: subscriber.id }
  const { variantId, placementId, platform, country } = input
  const { assignment, exposedAt } = exposure
  if (assignment !== null) {
    const drawn = { ...key, projectId: experiment.projectId, variantId, hashVersion: HASH_VERSION }
    await saveAssignments(tx, [{ ...drawn, assignedAt: tx.clock.now(), replaces: held?.variantId ?? null }])
  }
  if (exposedAt !== null) await updateAssignment(tx, key, { exposedAt, placementId, platform, country })
}

interface First {
  experiment: FoundExperiment
  subscriber: SubscriberRow
  exposedAt: number
}

/** Devices send their events in any order: an event that was tracked earlier can be later than the exposure. */
async function recordExposureEvents(
  tx: Tx,
  project: ProjectState,
  { experiment, subscriber, exposedAt }: First,
  { variantId, placementId, requestId }: ExposureInput,
): Promise<string[]> {
  const metrics = readMetrics(experiment.metrics)
  const tracked = await listTracked(tx, subscriber.id, metrics, exposedAt)
  const pauses = tracked.length === 0 ? [] : await listPauses(tx, experiment.id)
  const convertedAt = conversionAt({ key: experiment.key, metrics, pauses }, exposedAt, tracked)
  const happening = { experiment, variantId, placementId }
  const drafts = [experimentEvent('experiment.exposed', { ...happening, occurredAt: exposedAt })]
  if (convertedAt !== null) {
    await updateAssignment(tx, { experimentId: experiment.id, subscriberId: subscriber.id }, { convertedAt })
    drafts.push(experimentEvent('experiment.converted', { ...happening, occurredAt: convertedAt }))
  }
  await recordExperimentEvents(tx, project, subscriber, requestId, drafts)
  return drafts.map(({ type }) => type)
}
