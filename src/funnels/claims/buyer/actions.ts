import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { setRenewal } from '../../../commerce/actions/buyer-renewal'
import { openPortalOfCustomer } from '../../../commerce/checkout/service'
import { givesAccess } from '../../../core/purchase/status'
import { statusAt } from '../../../people/purchases/status'
import type { ProjectState } from '../../../projects/project/state'
import { appButtons } from '../open'
import { issueToken } from '../service'
import type { Language } from '../words'
import { type Bought, listBought } from './holdings'
import type { Buyer } from './visit'

declare module '../../../base/state' {
  interface SliceHooks {
    /** Opens the request of a person for a copy of their data. */
    openDataExport: (
      ctx: Context,
      project: ProjectState,
      request: { subscriberId: string; requestedBy: string },
    ) => Promise<void>
  }
}

export type Outcome = 'cancelled' | 'stopped' | 'kept' | 'data' | 'failed'

export interface BuyerCall {
  project: ProjectState
  buyer: Buyer
  sessionId: string
  requestId: string
}

/** A purchase of this buyer; null for the session of anybody else. */
export async function findBought(ctx: Context, { project, buyer, sessionId }: BuyerCall): Promise<Bought | null> {
  const all = await listBought(ctx, project, buyer)
  return all.find(({ paid }) => paid.session.id === sessionId) ?? null
}

/** Cancels at the end of the period, or undoes that. */
export async function changeRenewal(
  ctx: Context,
  call: BuyerCall,
  { purchase }: Bought,
  renews: boolean,
): Promise<Outcome> {
  const { project, requestId } = call
  if (!purchase) return 'failed'
  try {
    await setRenewal(ctx, project, { purchaseId: purchase.id, renews, requestId })
    if (renews) return 'kept'
    // What was refunded has ended with its renewal, so nothing can be undone.
    return givesAccess(statusAt(purchase.fold, ctx.clock.now()).status) ? 'cancelled' : 'stopped'
  } catch (error) {
    if (error instanceof AppError) return 'failed'
    throw error
  }
}

/** The address at the payment provider where the card is changed; null when the provider gives none. */
export async function cardAddress(
  ctx: Context,
  { project }: BuyerCall,
  { paid: { payment } }: Bought,
  returnUrl: string,
): Promise<string | null> {
  const { customerId } = payment.objects
  if (customerId === null) return null
  try {
    return (await openPortalOfCustomer(ctx, project, customerId, returnUrl)).url
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** The copy goes to the people of the project, who know how their customers want it. */
export async function askForData(ctx: Context, { project }: BuyerCall, { purchase, paid }: Bought): Promise<Outcome> {
  const subscriberId = purchase?.subscriberId ?? paid.session.subscriberId
  const [open] = ctx.hooks.openDataExport ?? []
  if (!open || subscriberId === null) return 'failed'
  await open(ctx, project, { subscriberId, requestedBy: `buyer of ${paid.session.id}` })
  return 'data'
}

/** A new way into the app. The buyer has proved the address, so it also moves a purchase that was claimed. */
export async function newAppLink(
  ctx: Context,
  { project }: BuyerCall,
  { paid }: Bought,
  shown: { language: Language; request: Request },
): Promise<string> {
  const sessionId = paid.session.id
  const token = await ctx.write((tx) => issueToken(tx, { projectId: project.id, sessionId }, 'MAIL'))
  return appButtons(ctx, { projectId: project.id, token, ...shown })
}
