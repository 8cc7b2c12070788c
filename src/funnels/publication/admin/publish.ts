import type { Context, Tx } from '../../../base/context'
import { AppError } from '../../../base/errors'
import type { FunnelContent } from '../../../core/funnel/model'
import { publishFaults } from '../../../core/funnel/publish'
import type { Fault } from '../../../core/text/fault'
import { editProject, type ProjectActor, refuseFaults } from '../../../projects/project/edit'
import { knownFiles } from '../files'
import { findVersion } from '../queries'
import { isSameContent } from '../same-content'
import { canTakePayments, publishVersion } from '../service'
import { refuseArchived, requireFunnel } from './edit-funnel'
import { save } from './save'
import { draftWarnings, unsoldProducts, withoutPaymentId } from './validate'
import { type FunnelView, viewAfter } from './view'

export interface PublishedView extends FunnelView {
  warnings: Fault[]
}

/**
 * Publishes the draft as the next version; a draft that is published already is not published again. 400
 * `VALIDATION_ERROR` with every fault, `asset_missing` or `PAYMENT_NOT_CONNECTED`; 409 `CONFLICT` for an archived funnel.
 * The answer has what a person should know about it all the same.
 */
export const publishFunnel = (ctx: Context, by: ProjectActor, id: string): Promise<PublishedView> =>
  editProject(ctx, by, async (edit) => {
    const { tx, projectId } = edit
    const row = await requireFunnel(edit, id, by.expected)
    refuseArchived(row)
    await refuseUnpublishable(tx, projectId, row.draft)
    const current = row.currentVersionNo === null ? null : await findVersion(tx, id, row.currentVersionNo)
    const isCurrent = row.status === 'PUBLISHED' && current !== null && isSameContent(current.document, row.draft)
    const warnings = await draftWarnings(tx, projectId, row.draft)
    if (isCurrent) return { ...(await viewAfter(edit, row)), warnings }
    const { id: userId, email } = by.actor
    const currentVersionNo = await publishVersion(tx, row, { id: userId, email })
    const published = await save(edit, row, { status: 'PUBLISHED', currentVersionNo }, 'publish')
    return { ...published, warnings }
  })

async function refuseUnpublishable(tx: Tx, projectId: string, draft: FunnelContent): Promise<void> {
  const faults = publishFaults(draft, await canTakePayments(tx, projectId), await knownFiles(tx, projectId))
  refuseFaults(faults.filter(({ code }) => code === 'VALIDATION_ERROR'))
  const paths = faults.filter(({ code }) => code === 'asset_missing').map(({ path }) => path)
  if (paths.length > 0) throw new AppError('asset_missing', { paths })
  if (faults.length > 0) throw new AppError('PAYMENT_NOT_CONNECTED', undefined, { status: 400 })
  await refuseUnsold(tx, projectId, draft)
}

/** A live account sells only products that have a price at the provider. */
async function refuseUnsold(tx: Tx, projectId: string, draft: FunnelContent): Promise<void> {
  const ids = await unsoldProducts(tx, projectId, draft)
  const message = `These products ${withoutPaymentId(ids)}`
  if (ids.length > 0) throw new AppError('UNKNOWN_REFERENCES', { resource: 'product', ids }, { message })
}
