import type { Context } from '../../base/context'

declare module '../../base/state' {
  interface SliceHooks {
    /** 400 `PAYMENT_PRICE_NOT_FOUND` when the project's payment account has no such price. It calls the provider. */
    checkPaymentPrice: (ctx: Context, projectId: string, priceId: string) => Promise<void>
  }
}
