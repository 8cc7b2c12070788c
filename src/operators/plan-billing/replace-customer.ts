import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError } from '../../base/errors'
import {
  type BillingCustomer,
  findBillingAccount,
  insertCustomer,
  setCustomerGone,
} from '../../projects/billing/account-queries'
import { ownCustomer } from './owner'
import type { BillingProvider } from './provider'
import { recordAnswer } from './record'

/**
 * Does `work`. When the provider refuses it because the customer of the project was deleted there, another customer is
 * made, and `work` is done once more; `work` reads the customer itself.
 */
export async function withPresentCustomer<Result>(
  ctx: Context,
  provider: BillingProvider,
  projectId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const customer = await ownCustomer(ctx, projectId)
  try {
    return await work()
  } catch (error) {
    if (customer === null || !(await isGone(provider, customer.id, error))) throw error
    await replaceCustomer(ctx, provider, projectId, customer)
    return work()
  }
}

/** Whether the provider has refused a call because it has no such customer (any more). It is asked for the customer. */
export async function isGone(provider: BillingProvider, customerId: string, error: unknown): Promise<boolean> {
  return isRefusedRequest(error) && (await provider.stateOfCustomer(customerId)) !== 'PRESENT'
}

/** Not a declined card, and not a provider that is away. */
function isRefusedRequest(error: unknown): boolean {
  if (!(error instanceof AppError) || error.refusal !== 'PAYMENT_PROVIDER_REJECTED') return false
  return Reflect.get(error.details ?? {}, 'providerErrorType') === 'invalid_request_error'
}

/** Two calls at once replace it by one customer: the provider makes one for both, and the first to write it is kept. */
async function replaceCustomer(
  ctx: Context,
  provider: BillingProvider,
  projectId: string,
  { id: goneId, ownerId }: BillingCustomer,
): Promise<void> {
  await recordEnds(ctx, provider, projectId, goneId)
  if (!(await isKept(ctx, projectId, goneId))) return
  const { details } = await findBillingAccount(ctx, projectId)
  const id = await provider.createCustomer({ projectId, ownerId, details, replaces: goneId })
  await ctx.write(async (tx) => {
    await tx.lock(`billing:${projectId}`)
    if (!(await isKept(tx, projectId, goneId))) return
    await setCustomerGone(tx, goneId, tx.clock.now())
    await insertCustomer(tx, { id, projectId, ownerId, createdAt: tx.clock.now() })
  })
}

const isKept = async (handle: Handle, projectId: string, id: string): Promise<boolean> =>
  (await ownCustomer(handle, projectId))?.id === id

/**
 * The subscriptions of a customer that was deleted have ended with it, also where their events did not arrive. Nothing is
 * recorded of a customer that this account never had: with the key of another account everything would seem to be gone.
 */
export async function recordEnds(
  ctx: Context,
  provider: BillingProvider,
  projectId: string,
  customerId: string,
): Promise<void> {
  const { life } = await findBillingAccount(ctx, projectId)
  const own = life.subscriptions.filter((one) => one.customerId === customerId)
  const reports = own.flatMap(({ steps, ...one }) => {
    const last = steps.at(-1)
    if (!last || last.status === 'canceled') return []
    const { at: _, ...rest } = last
    return [{ ...one, ...rest, status: 'canceled' as const }]
  })
  if (reports.length === 0 || (await provider.stateOfCustomer(customerId)) !== 'DELETED') return
  await recordAnswer(ctx, projectId, reports)
}

/** What the provider has of a customer; `none` for one that was deleted, where it does not answer for those. */
export async function ofCustomer<Result>(
  provider: BillingProvider,
  { id, goneAt }: BillingCustomer,
  read: () => Promise<Result>,
  none: Result,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isRefusedRequest(error)) throw error
    if (goneAt === null && (await provider.stateOfCustomer(id)) !== 'DELETED') throw error
    return none
  }
}
