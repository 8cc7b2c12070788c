import type { Context } from '../../base/context'
import { changeBillingAccount, findBillingAccount } from '../../projects/billing/account-queries'
import type { BillingDetails } from '../../projects/billing/details'
import { editDashboard, type ProjectActor } from '../../projects/project/edit'
import { requireProvider } from './choose-provider'
import { ownCustomer } from './owner'
import { withPresentCustomer } from './replace-customer'

/** Whom the invoices are for; null until it was saved. */
export async function readDetails(ctx: Context, projectId: string): Promise<BillingDetails | null> {
  requireProvider(ctx, projectId)
  return (await findBillingAccount(ctx, projectId)).details
}

/** Saves whom the invoices are for. The provider's customer, if there is one, gets it too. */
export async function saveDetails(ctx: Context, by: ProjectActor, details: BillingDetails): Promise<BillingDetails> {
  const provider = requireProvider(ctx, by.projectId)
  await withPresentCustomer(ctx, provider, by.projectId, async () => {
    const customer = await ownCustomer(ctx, by.projectId)
    if (customer) await provider.changeCustomer(customer.id, details)
  })
  return editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const { details: before } = await findBillingAccount(tx, projectId)
    await changeBillingAccount(tx, projectId, { details })
    const countries = (one: BillingDetails | null) => one && { country: one.address.country }
    entries.push({
      ...{ action: 'billing.details', target: { type: 'project', id: projectId } },
      ...{ before: countries(before), after: countries(details) },
    })
    return details
  })
}
