import type { Context } from '../../base/context'
import { PaymentAccountClient } from '../../stores/payment/account-client'
import { readAccountKeys } from '../connections/payment-store'
import type { ProjectState } from '../project/state'

interface Keys {
  secretKey: string
  account: string | null
}

export const accountClient = (ctx: Context, { secretKey, account }: Keys): PaymentAccountClient =>
  new PaymentAccountClient({
    ...{ apiUrl: ctx.config.storeUrls.payment, secretKey, account },
    ...{ circuit: ctx.state.storeSetup.paymentCircuit, clock: ctx.clock },
  })

/** A client for the account that the project sells through; null without usable keys. */
export async function projectAccountClient(ctx: Context, project: ProjectState): Promise<PaymentAccountClient | null> {
  const keys = await readAccountKeys(ctx, project)
  return keys && accountClient(ctx, keys)
}
