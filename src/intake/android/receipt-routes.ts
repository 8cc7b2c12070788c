import type { Context } from '../../base/context'
import { api } from '../../projects/doors/api'
import { answerReceipt, RECEIPT_GUARD, ReceiptAnswer, receiptBody } from '../receipts/call'
import { submitAndroidReceipt } from './receipt'

/** Receives purchase tokens. An outage of the store is 503, worth a retry; any other failed call to it is 502. */
export const androidReceiptRoutes = (ctx: Context) =>
  api(ctx, RECEIPT_GUARD).post(
    '/receipts/android',
    (call) =>
      answerReceipt(ctx, call, (input) => {
        const { obfuscatedAccountId = null } = call.body
        return submitAndroidReceipt(ctx, call.project, call.key, { ...input, obfuscatedAccountId })
      }),
    {
      body: receiptBody('Android: the purchase token'),
      response: ReceiptAnswer,
      detail: {
        tags: ['Commerce'],
        summary: 'Verify an Android purchase token',
        description:
          'Fetched from the store, unless it was within the last minute. A purchase that is not paid yet changes nothing.',
        operationId: 'submitAndroidReceipt',
        'x-errors': [
          'RECEIPT_INVALID',
          'purchase_not_paid',
          'RECEIPT_PRODUCT_UNKNOWN',
          'STORE_NOT_CONFIGURED',
          'RECEIPT_IN_USE',
          'SUBSCRIBER_UNRESOLVABLE',
          'STORE_UNAVAILABLE',
          'STORE_API_ERROR',
        ],
      },
    },
  )
