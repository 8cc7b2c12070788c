import type { PlayReader } from '../../../intake/android/fetch'
import type { PlayClient } from '../../../stores/android/client'
import type { IosApiClient } from '../../../stores/ios/api-client'
import type { PaymentClient } from '../../../stores/payment/client'
import type { PaymentReader } from '../../../stores/payment/gather'
import type { Meter } from './meter'

// The clients of the stores, reduced to what a verification asks, each call counted and spaced.

export type IosReader = Pick<IosApiClient, 'getTransactionInfo' | 'getAllSubscriptionStatuses'>
export type OrderReader = PlayReader & Pick<PlayClient, 'getOrder'>

export function iosReader(client: IosApiClient, meter: Meter): IosReader {
  const turn = (environment: string) => meter.begin('IOS_STORE', environment.toLowerCase())
  return {
    async getTransactionInfo(environment, id) {
      await turn(environment)
      return client.getTransactionInfo(environment, id)
    },
    async getAllSubscriptionStatuses(environment, id) {
      await turn(environment)
      return client.getAllSubscriptionStatuses(environment, id)
    },
  }
}

export function androidReader(client: PlayClient, meter: Meter, projectId: string): OrderReader {
  const turn = () => meter.begin('ANDROID_STORE', projectId)
  return {
    async getSubscriptionV2(token) {
      await turn()
      return client.getSubscriptionV2(token)
    },
    async getProduct(token, productId) {
      await turn()
      const answer = await client.getProduct(token, productId)
      // The older API was asked as well.
      if (answer.kind === 'not_found' && productId !== null) meter.add(1)
      return answer
    },
    async getOrder(orderId) {
      await turn()
      return client.getOrder(orderId)
    },
  }
}

export function paymentReader(client: PaymentClient, meter: Meter): PaymentReader {
  const turned =
    <Argument, Result>(call: (argument: Argument) => Promise<Result>) =>
    async (argument: Argument): Promise<Result> => {
      await meter.begin('PAYMENT', 'provider')
      return call(argument)
    }
  return {
    getSubscription: turned((id: string) => client.getSubscription(id)),
    getSchedule: turned((id: string) => client.getSchedule(id)),
    getInvoice: turned((id: string) => client.getInvoice(id)),
    listInvoiceItems: turned((id: string) => client.listInvoiceItems(id)),
    listPaidInvoices: turned((id: string) => client.listPaidInvoices(id)),
    findInvoiceOfPayment: turned((id: string) => client.findInvoiceOfPayment(id)),
    getCheckoutSession: turned((id: string) => client.getCheckoutSession(id)),
    findSessionOfPayment: turned((id: string) => client.findSessionOfPayment(id)),
    getPaymentIntent: turned((id: string) => client.getPaymentIntent(id)),
    getCharge: turned((id: string) => client.getCharge(id)),
    listCreditNotes: turned((id: string) => client.listCreditNotes(id)),
    listRefunds: turned((id: string) => client.listRefunds(id)),
  }
}
