import { reasonText } from '../../../core/reason/reasons'
import type { LaneEnd } from './lane'
import { type AskedStore, MAX_CALLS } from './meter'

const NAMES: Readonly<Record<AskedStore, string>> = {
  IOS_STORE: 'the iOS store',
  ANDROID_STORE: 'the Android store',
  PAYMENT: 'the payment provider',
}

/** Says why a verification is not complete, and what helps. What a person must repair comes first. */
export function sentenceOf(ends: readonly LaneEnd[], remaining: number): string {
  const first = ORDER.map((reason) => ends.find((end) => end.reason === reason)).find((end) => end !== undefined)
  const message = capital(first ? why(first) : reasonText('STORES_UNUSABLE'))
  return remaining === 1
    ? reasonText('ROW_WAITS', { message })
    : reasonText('ROWS_WAIT', { message, count: String(remaining) })
}

const ORDER: readonly LaneEnd['reason'][] = ['REFUSED', 'UNREADABLE', 'AWAY', 'CALLS', 'TIME', 'STOPPED', 'CANCELLED']

function why({ reason, store, why: told }: LaneEnd): string {
  const storeName = NAMES[store]
  switch (reason) {
    case 'REFUSED':
      return reasonText('STORE_SETTINGS', { message: told ?? reasonText('STORE_REFUSED', { storeName }) })
    case 'UNREADABLE':
      return reasonText('STORE_UNREADABLE', { storeName, message: told ?? '' })
    case 'AWAY':
      return reasonText('STORE_SILENT', { storeName })
    case 'CALLS':
      return reasonText('RUN_CALLS', { calls: MAX_CALLS.toLocaleString('en-US') })
    case 'TIME':
      return reasonText('RUN_TIME')
    default:
      return reasonText('RUN_STOPPED')
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
