import type { LaneEnd } from './lane'
import { type AskedStore, MAX_CALLS } from './meter'

const NAMES: Readonly<Record<AskedStore, string>> = {
  IOS_STORE: 'the iOS store',
  ANDROID_STORE: 'the Android store',
  PAYMENT: 'the payment provider',
}

/** Says why a verification is not complete, and what helps. What a person must repair comes first. */
export function sentenceOf(ends: readonly LaneEnd[], remaining: number): string {
  const rows = remaining === 1 ? '1 row waits' : `${remaining} rows wait`
  const first = ORDER.map((reason) => ends.find((end) => end.reason === reason)).find((end) => end !== undefined)
  return `${first ? why(first) : 'Some answers of the stores could not be used'}; ${rows}. Resume to go on.`
}

const ORDER: readonly LaneEnd['reason'][] = ['REFUSED', 'UNREADABLE', 'AWAY', 'CALLS', 'TIME', 'STOPPED', 'CANCELLED']

function why({ reason, store, why: told }: LaneEnd): string {
  switch (reason) {
    case 'REFUSED':
      return `${capital(told ?? `${NAMES[store]} refused the credentials`)}: correct the settings of the store`
    case 'UNREADABLE':
      return `${capital(NAMES[store])} answers what cannot be read (${told})`
    case 'AWAY':
      return `${capital(NAMES[store])} does not answer, or asks to come later`
    case 'CALLS':
      return `The run has made its ${MAX_CALLS.toLocaleString('en-US')} calls`
    case 'TIME':
      return 'The run has lasted its 6 hours, or would have to wait longer'
    default:
      return 'The verification was stopped'
  }
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
