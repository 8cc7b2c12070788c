import type { Tx } from '../../base/context'
import { type NoticeKind, notify } from '../../operators/notices/notify'
import { recordAudit, SERVER_ACTOR } from '../../projects/audit/audit'
import type { DisabledReason } from '../deliveries/model'
import { integrationEntry } from './audit-entry'
import { findIntegration, type IntegrationRow, updateIntegration } from './queries'
import { findProvider } from './registry'

export const INTEGRATION_DISABLED: NoticeKind = {
  kind: 'integration_disabled',
  description: 'A connection to a provider was switched off, because nothing could be delivered to it for five days.',
}

/** Switches a connection off in the name of the server. The owners get a notice when it has failed for too long. */
export async function disableIntegration(
  tx: Tx,
  { targetId, projectId }: { targetId: string; projectId: string },
  reason: DisabledReason,
): Promise<void> {
  const before = await findIntegration(tx, projectId, targetId)
  if (!before?.isEnabled) return
  const after = { ...before, isEnabled: false, lastError: `disabled: ${reason}`, updatedAt: tx.clock.now() }
  await updateIntegration(tx, targetId, after)
  await recordAudit(tx, projectId, SERVER_ACTOR, [integrationEntry('disable', before, after)])
  if (reason === 'FAILING') await notify(tx, noticeOf(before))
}

function noticeOf({ projectId, provider, id }: IntegrationRow) {
  const title = findProvider(provider)?.title ?? provider
  return {
    ...{ kind: INTEGRATION_DISABLED.kind, projectId, roles: ['OWNER' as const], mail: {} },
    title: `The connection to ${title} was switched off`,
    body: `No event could be delivered to ${title} (${id}) for five days, so svc has switched the connection off. Events that waited for it ended without success. Check its credentials, switch it on again, and fill it with the events of the last days.`,
  }
}
