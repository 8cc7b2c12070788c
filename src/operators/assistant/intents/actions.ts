import type { IntentRisk } from '../tables'

/** A change that can be proposed. */
export interface Action {
  /** `flag.setEnabled`. */
  name: string
  /** The slice whose routes make the change. */
  slice: string
  risk: IntentRisk
  /** The operation of the route; of the two of what is saved, that of a new object and that of one with an id. */
  operation: string | { create: string; update: string }
  /** The route asks a store, so it cannot run inside a transaction; its own `dryRun` shows what it would do. */
  isAtStore?: true
  /** The answer of the route is the plan of a project file, which is a part of the preview. */
  isFile?: true
}

/** Every change that can be proposed. What is missing here cannot be one. */
export const ACTIONS: readonly Action[] = [
  { name: 'flag.update', slice: 'flags', risk: 'low', operation: 'updateFeatureFlag' },
  { name: 'flag.setEnabled', slice: 'flags', risk: 'low', operation: 'toggleFeatureFlag' },
  { name: 'audience.save', slice: 'audiences', risk: 'low', operation: saved('Audience') },
  { name: 'experiment.start', slice: 'experiments', risk: 'low', operation: 'startExperiment' },
  { name: 'experiment.pause', slice: 'experiments', risk: 'low', operation: 'pauseExperiment' },
  { name: 'experiment.resume', slice: 'experiments', risk: 'low', operation: 'resumeExperiment' },
  { name: 'experiment.stop', slice: 'experiments', risk: 'high', operation: 'stopExperiment' },
  { name: 'placement.save', slice: 'placements', risk: 'low', operation: saved('Placement') },
  { name: 'offering.save', slice: 'catalog', risk: 'low', operation: saved('Offering') },
  { name: 'product.save', slice: 'catalog', risk: 'high', operation: saved('Product') },
  { name: 'funnel.saveDraft', slice: 'funnel-publication', risk: 'low', operation: 'updateFunnel' },
  { name: 'funnel.publish', slice: 'funnel-publication', risk: 'high', operation: 'publishFunnel' },
  { name: 'grant', slice: 'actions', risk: 'low', operation: 'grantAccess' },
  { name: 'grant.audience', slice: 'audience-grants', risk: 'high', operation: 'grantAudience' },
  { name: 'credits', slice: 'currencies', risk: 'low', operation: 'postCredits' },
  { name: 'refund', slice: 'actions', risk: 'high', operation: 'refundPurchase', isAtStore: true },
  { name: 'schedule', slice: 'actions', risk: 'low', operation: 'scheduleCancellation' },
  { name: 'transfer', slice: 'identity', risk: 'high', operation: 'transferSubscriberByOperator' },
  { name: 'transfer.undo', slice: 'identity', risk: 'high', operation: 'undoTransferByOperator' },
  { name: 'attributes', slice: 'identity', risk: 'low', operation: 'updateSubscriberAttributes' },
  { name: 'webhook.redeliver', slice: 'delivery-log', risk: 'low', operation: 'redeliverWebhook' },
  { name: 'webhook.replay', slice: 'delivery-log', risk: 'low', operation: 'replayWebhookDeliveries' },
  { name: 'query.save', slice: 'sql-editor', risk: 'low', operation: saved('SavedQuery') },
  { name: 'cohort.save', slice: 'cohorts', risk: 'low', operation: saved('Cohort') },
  { name: 'annotation', slice: 'chart-notes', risk: 'low', operation: 'createAnnotation' },
  { name: 'import.mapping', slice: 'imports', risk: 'low', operation: 'updateImportMapping' },
  { name: 'dsar.open', slice: 'data-requests', risk: 'high', operation: 'openOperatorDataRequest' },
  {
    ...{ name: 'projectFile.apply', slice: 'project-file-commands', risk: 'high', operation: 'patchProjectFile' },
    isFile: true,
  },
]

function saved(noun: string): { create: string; update: string } {
  return { create: `create${noun}`, update: `update${noun}` }
}

/** `flag.setEnabled` is proposed with `propose_flag_setEnabled`. */
export const proposalName = (action: string): string => `propose_${action.replaceAll('.', '_')}`
