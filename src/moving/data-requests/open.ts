import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, notFound } from '../../base/errors'
import { enqueueNow } from '../../base/jobs/queue'
import { canErase } from '../../insight/clickhouse/eraser'
import {
  findByDeviceKey,
  findByLabel,
  findSubscriber,
  isSubscriberId,
  resolveRow,
  type SubscriberRow,
  unlessUnresolvable,
} from '../../people/subscribers/service'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { dataRequestJob } from './jobs'
import { type DataRequestRow, findOpenRequest, insertRequest } from './queries'
import type { DataRequestType } from './tables'

export interface Opening {
  type: DataRequestType
  /** As in wire 1.8, with a secret key. Rows that were merged away or erased are found too. */
  reference: string
  requestedBy: string
  /** Who opens it in the dashboard or by the command line; null for a server of the customer. */
  actor: Actor | null
}

/**
 * Opens a request, or returns the open one of that person and type. Its work is handed to the queue in both cases. When
 * the queue does not take it, the request waits and is picked up later.
 */
export async function openRequest(ctx: Context, project: ProjectState, opening: Opening): Promise<DataRequestRow> {
  if (opening.type === 'ERASURE' && !(await canErase(ctx)))
    throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'dsar_erasure' })
  const row = await ctx.write((tx) => findOrInsert(tx, project, opening))
  await enqueueNow(ctx, dataRequestJob, { requestId: row.id }, { queue: 'dsar', dedupeKey: row.id })
  return row
}

async function findOrInsert(
  tx: Tx,
  { id: projectId }: ProjectState,
  { type, reference, requestedBy, actor }: Opening,
): Promise<DataRequestRow> {
  const person = await findPerson(tx, projectId, reference)
  if (!person) throw notFound('subscriber', reference)
  await tx.lock(`data-request:${person.id}`)
  const open = await findOpenRequest(tx, person.id, type)
  if (open) return open
  const now = tx.clock.now()
  const row: DataRequestRow = {
    ...{ id: tx.ids.next('dsr'), projectId, subscriberId: person.id, type, status: 'PENDING', requestedBy },
    ...{ artefactKey: null, certificate: null, error: null, claimedAt: null, completedAt: null, expiresAt: null },
    ...{ createdAt: now, updatedAt: now },
  }
  await insertRequest(tx, row)
  if (actor) await recordAudit(tx, projectId, actor, [auditOf(row)])
  return row
}

/** The audit log outlives the person's data, so it names people only by id. */
const auditOf = ({ id, type, subscriberId }: DataRequestRow) => ({
  action: type === 'EXPORT' ? 'dataRequest.export' : 'dataRequest.erasure',
  target: { type: 'dataRequest', id },
  before: null,
  after: { type, subscriberId },
})

/** The row at the end of the merge chain; of a broken chain the row itself, which holds data too. */
async function findPerson(handle: Handle, projectId: string, reference: string): Promise<SubscriberRow | null> {
  const byId = isSubscriberId(reference) ? await findSubscriber(handle, projectId, reference) : null
  const found =
    byId ?? (await findByLabel(handle, projectId, reference)) ?? (await findByDeviceKey(handle, projectId, reference))
  return found && ((await resolveRow(handle, found).catch(unlessUnresolvable)) ?? found)
}
