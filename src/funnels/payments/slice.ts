import { SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { funnelPaymentExamination } from './doctor'
import { freeLostLeases } from './lease'
import { funnelOffer } from './offer'
import { paymentPart, postPayment } from './page'
import { erasePayments, exportPayments, forgetPayments, sessionsOfAddresses } from './personal-data'
import { ProviderCaches } from './provider-cache'
import { renamePurchases } from './queries'
import { paymentRoutes } from './routes'
import { funnelSales } from './sales'
import { addressOf, emailHash, paymentOf, settledPayments } from './service'
import { paymentTables } from './tables'
import { noteRefund, noteRefunds, watchFunnelSales } from './watch'

declare module '../../base/state' {
  interface SliceState {
    funnelProvider: ProviderCaches
  }
}

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    fpy: string
  }
}

export const funnelPayments = slice({
  name: 'funnel-payments',
  tables: paymentTables,
  state: { funnelProvider: ({ clock }) => new ProviderCaches(clock) },
  publicRoutes: paymentRoutes,
  hostRoutes: paymentRoutes,
  paidSessions: { paymentOf, settledPayments, emailHash, addressOf },
  funnelOffer,
  doctor: funnelPaymentExamination,
  funnelSessionFacts: async (handle, { id }) => {
    const payment = await paymentOf(handle, id)
    if (!payment) return { payment: null }
    const { amountMicros, currency, status, unsettled, packageIdentifier } = payment
    const amount = { amountMicros, currency }
    return { payment: { id: payment.id, status, unsettled, package_identifier: packageIdentifier, amount } }
  },
  funnelSales,
  funnelPageParts: paymentPart,
  funnelPagePosts: postPayment,
  watchPayments: watchFunnelSales,
  onRecorded: noteRefund,
  onRecordedMany: noteRefunds,
  onJoined: (tx, { mergedIds, survivorId }) => renamePurchases(tx, mergedIds, survivorId),
  onErase: erasePayments,
  onExport: exportPayments,
  funnelSessionsOf: sessionsOfAddresses,
  forgetFunnelSessions: forgetPayments,
  loops: [{ name: 'funnel payments', everyMs: 60 * SECOND, isRunAtStart: true, run: freeLostLeases }],
  cachedRows: { funnelPayments: 'NOBODY' },
  personalData: { funnelPayments: 'REDUCED' },
  exportedRows: { funnelPayments: 'funnels.jsonl' },
})
