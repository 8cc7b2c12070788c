import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import type { FunnelContent } from '../../../core/funnel/model'
import { publishFaults } from '../../../core/funnel/publish'
import { publishWarnings } from '../../../core/funnel/warnings'
import { type Fault, faultAt } from '../../../core/text/fault'
import { findProject } from '../../../projects/project/service'
import { knownFiles } from '../files'
import { canTakePayments, getFunnel } from '../service'

/** What publishing would refuse, and what a person should know before it (funnels 10). */
export async function validateFunnel(
  handle: Handle & Pick<Context, 'state'>,
  projectId: string,
  id: string,
): Promise<{ faults: Fault[]; warnings: Fault[] }> {
  const { draft } = await getFunnel(handle, projectId, id)
  const faults = publishFaults(draft, await canTakePayments(handle, projectId), await knownFiles(handle, projectId))
  const unsold = await unsoldProducts(handle, projectId, draft)
  const offering = faultAt('settings.offering', `has products that ${withoutPaymentId(unsold)}`)
  return {
    faults: [...faults.map(({ path, message }) => ({ path, message })), ...(unsold.length > 0 ? [offering] : [])],
    warnings: await draftWarnings(handle, projectId, draft),
  }
}

/** What a person should know before publishing a draft. */
export async function draftWarnings(handle: Handle, projectId: string, draft: FunnelContent): Promise<Fault[]> {
  const project = await findProject(handle, projectId)
  return publishWarnings(draft, project?.termsUrl != null, await knownFiles(handle, projectId))
}

/** The products that a live account could not sell, because they have no price at the provider. */
export async function unsoldProducts(
  { state }: Pick<Context, 'state'>,
  projectId: string,
  { pages, settings }: FunnelContent,
): Promise<string[]> {
  const { payment, catalog } = await state.projects.get(projectId)
  if (payment?.mode !== 'live' || !pages.some(({ type }) => type === 'payment')) return []
  const offering = catalog.offerings.find(({ id }) => id === settings.offeringId)
  return (offering?.packages ?? []).flatMap(({ productId }) => {
    const product = catalog.products.get(productId)
    return product?.isActive && product.paymentId === null ? [product.identifier] : []
  })
}

export const withoutPaymentId = (products: readonly string[]): string =>
  `have no payment id, so the account cannot sell them: ${products.join(', ')}`
