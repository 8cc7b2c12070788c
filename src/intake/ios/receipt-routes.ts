import type { Context } from '../../base/context'
import { api } from '../../projects/doors/api'
import { answerReceipt, RECEIPT_GUARD, ReceiptAnswer, receiptBody } from '../receipts/call'
import { submitIosReceipt } from './receipt'

/** Receives iOS receipts. A repeated receipt is 200 without a new effect. A replay returns the current access. */
export const receiptRoutes = (ctx: Context) =>
  api(ctx, RECEIPT_GUARD).post(
    '/receipts/ios',
    (call) => answerReceipt(ctx, call, (input) => submitIosReceipt(ctx, call.project, call.key, input)),
    {
      body: receiptBody('iOS: one StoreKit 2 signed transaction (JWS)'),
      response: ReceiptAnswer,
      detail: {
        tags: ['Commerce'],
        summary: 'Verify an iOS signed transaction',
        description:
          'Checked against the pinned store root without a call to the store. Posting the same receipt again is harmless.',
        operationId: 'submitIosReceipt',
        'x-errors': [
          'RECEIPT_INVALID',
          'RECEIPT_PRODUCT_UNKNOWN',
          'STORE_NOT_CONFIGURED',
          'RECEIPT_IN_USE',
          'SUBSCRIBER_UNRESOLVABLE',
          'FEATURE_NOT_CONFIGURED',
        ],
      },
    },
  )
