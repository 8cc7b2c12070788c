import { toIso } from '../../base/lib/time'
import { recordAudit, SERVER_ACTOR } from '../../projects/audit/audit'
import type { DeliveryKind, EventSubscription } from '../deliveries/kinds'
import { INTEGRATION_WAITS } from '../deliveries/schedule'
import { integrationEntry } from './audit-entry'
import {
  findIntegration,
  type IntegrationRow,
  listEnabled,
  listSealedPayloads,
  savePayload,
  updateIntegration,
} from './queries'
import { findProvider } from './registry'
import { judgeEvent } from './scope'
import { attempt, bodyOf } from './send'
import { withoutNetwork } from './track-payload'

/** Ids that one statement names. */
const PAGE = 500

/** How the deliveries of connections are sent (wire 5.10). */
export const integrationDeliveries: DeliveryKind = {
  kind: 'INTEGRATION',
  waitsMs: INTEGRATION_WAITS,
  subscriptionsOf: async (handle, projectId) => (await listEnabled(handle, projectId)).flatMap(toSubscription),
  isKnown: async (handle, projectId, targetId) => (await findIntegration(handle, projectId, targetId)) !== null,
  attempt,
  bodyOf,

  async disable(tx, { targetId, projectId }, reason) {
    const row = await findIntegration(tx, projectId, targetId)
    if (!row?.isEnabled) return
    const now = tx.clock.now()
    const after = { ...row, isEnabled: false, lastError: `disabled: ${reason}`, updatedAt: now }
    await updateIntegration(tx, targetId, after)
    await recordAudit(tx, projectId, SERVER_ACTOR, [integrationEntry('disable', row, after)])
  },

  async onOutcome(tx, { targetId, isSuccess, at, error }) {
    const change = isSuccess ? { lastSuccessAt: at, lastError: null } : { lastError: error ?? `failed at ${toIso(at)}` }
    await updateIntegration(tx, targetId, change)
  },

  /** The unhashed signals of a person are wiped as soon as nothing is sent any more. */
  async onEnd(tx, deliveryIds) {
    for (let from = 0; from < deliveryIds.length; from += PAGE)
      for (const { id, payload } of await listSealedPayloads(tx, deliveryIds.slice(from, from + PAGE)))
        await savePayload(tx, id, withoutNetwork(payload))
  },
}

function toSubscription(row: IntegrationRow): EventSubscription[] {
  const provider = findProvider(row.provider)
  if (!provider) return []
  return [{ targetId: row.id, since: row.enabledAt, judge: (event) => judgeEvent(provider, row, event) }]
}
