import type { Chart } from '../chart'
import { averageTransaction } from '../list/average-transaction'
import { oneTimeTransactions } from '../list/one-time-transactions'
import { refundRate } from '../list/refund-rate'
import { refundedTransactions } from '../list/refunded-transactions'
import { subscriptionTransactions } from '../list/subscription-transactions'
import { transactions } from '../list/transactions'
import { unconvertedLines } from '../list/unconverted-lines'

/** Of charges. */
export const TRANSACTIONS: readonly Chart[] = [
  transactions,
  subscriptionTransactions,
  oneTimeTransactions,
  averageTransaction,
  refundedTransactions,
  refundRate,
  unconvertedLines,
]
