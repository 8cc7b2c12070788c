import type { Tx } from '../../base/context'
import type { Notice } from '../../operators/notices/notify'
import { type NoticeKind, notify } from '../../operators/notices/notify'
import { recordAudit, SERVER_ACTOR } from '../../projects/audit/audit'
import { touchConfig } from '../../projects/project/config-version'
import type { DisabledReason } from '../deliveries/model'
import { endpointEntry } from './audit-entry'
import { type EndpointRow, findEndpoint, updateEndpoint } from './queries'

export const ENDPOINT_DISABLED: NoticeKind = {
  kind: 'webhook_disabled',
  description: 'A webhook endpoint was switched off, because nothing could be delivered to it for five days.',
}

/**
 * Switches an endpoint off in the name of the server. The owners get a notice when it has failed for too long. As after a
 * person's change, the project has a new version: its project file says whether an endpoint is switched on.
 */
export async function disableEndpoint(
  tx: Tx,
  { targetId, projectId }: { targetId: string; projectId: string },
  reason: DisabledReason,
): Promise<void> {
  const before = await findEndpoint(tx, projectId, targetId)
  if (!before?.isEnabled) return
  const change = { isEnabled: false, disabledReason: reason, updatedAt: tx.clock.now() }
  await updateEndpoint(tx, targetId, change)
  await recordAudit(tx, projectId, SERVER_ACTOR, [endpointEntry('disable', before, { ...before, ...change })])
  await touchConfig(tx, projectId)
  if (reason === 'FAILING') await notify(tx, failureNotice(before))
}

const failureNotice = ({ projectId, name, id }: EndpointRow): Notice => ({
  kind: ENDPOINT_DISABLED.kind,
  projectId,
  roles: ['OWNER'],
  title: `The webhook endpoint ${name} was switched off`,
  body: `No event could be delivered to the webhook endpoint ${name} (${id}) for five days, so svc has switched it off. Events that waited for it ended without success. Mend the receiver, switch the endpoint on again, and replay the events that it has missed.`,
  mail: {},
})
