import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import {
  type BillingCustomer,
  findBillingAccount,
  insertCustomer,
  listCustomers,
} from '../../projects/billing/account-queries'
import { listOwners } from '../members/service'
import type { BillingProvider } from './provider'

/** Who pays for a project: an owner who is a customer already, else the first owner; empty without an owner. */
export async function payingOwner(handle: Handle, projectId: string): Promise<string> {
  const owners = (await listOwners(handle, projectId)).map(({ userId }) => userId)
  const customers = await listCustomers(handle, projectId)
  return customers.findLast(({ ownerId }) => owners.includes(ownerId))?.ownerId ?? owners[0] ?? ''
}

/** The customer of the present owner; null while there is none. */
export async function ownCustomer(handle: Handle, projectId: string): Promise<BillingCustomer | null> {
  const ownerId = await payingOwner(handle, projectId)
  const customers = await listCustomers(handle, projectId)
  return customers.find((customer) => customer.ownerId === ownerId && customer.goneAt === null) ?? null
}

/** The customer of the present owner, who becomes one at the provider now if need be. */
export async function ensureCustomer(ctx: Context, provider: BillingProvider, projectId: string): Promise<string> {
  const found = await ownCustomer(ctx, projectId)
  if (found) return found.id
  const ownerId = await payingOwner(ctx, projectId)
  const { details } = await findBillingAccount(ctx, projectId)
  const id = await provider.createCustomer({ projectId, ownerId, details, replaces: null })
  await ctx.write((tx) => insertCustomer(tx, { id, projectId, ownerId, createdAt: tx.clock.now() }))
  // Another call may have saved a customer first. Only the events of that one are known.
  const saved = await ownCustomer(ctx, projectId)
  if (!saved) throw new Error(`the customer ${id} of the provider belongs to another project`)
  return saved.id
}
