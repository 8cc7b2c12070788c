import type { Tx } from '../../base/context'
import { balancesByCode } from '../../people/currencies/service'
import { causeOf } from '../../people/events/model'
import { type EventDraft, recordEvents } from '../../people/events/service'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { ExperimentTableRow } from './queries'

interface Happening {
  experiment: Pick<ExperimentTableRow, 'id' | 'key' | 'placementId'>
  variantId: string
  /** The placement that the exposure named. */
  placementId: string | null
  occurredAt: number
}

export const experimentEvent = (
  type: 'experiment.exposed' | 'experiment.converted',
  { experiment, variantId, placementId, occurredAt }: Happening,
): EventDraft => ({
  type,
  occurredAt,
  environment: 'PRODUCTION',
  data: {
    experimentId: experiment.id,
    key: experiment.key,
    variantId,
    placementId: placementId ?? experiment.placementId,
  },
})

/** Records events that change neither access nor balances. */
export async function recordExperimentEvents(
  tx: Tx,
  project: ProjectState,
  subscriber: SubscriberRow,
  requestId: string,
  drafts: readonly EventDraft[],
): Promise<void> {
  if (drafts.length === 0) return
  const { id, projectId, appUserId, toldAccess: access } = subscriber
  const image = { access, balances: await balancesByCode(tx, project, id) }
  const subject = { id, projectId, appUserId }
  await recordEvents(tx, { subject, cause: causeOf('API', requestId), before: image, after: image }, drafts)
}
