import type { Recording } from '../recording/recording'
import type { Outcome } from './inbox'

export const ignored = (error: string): Outcome => ({ status: 'IGNORED', error })

export const PROCESSED: Outcome = { status: 'PROCESSED', error: null }

/** The outcome of a notification by what was recorded. `idName`: the catalogue's name for the store's product ids. */
export function outcomeOf(recording: Recording, idName: string): Outcome {
  if (recording.kind === 'recorded') return PROCESSED
  return recording.kind === 'idle' ? ignored(recording.reason) : unsold(recording.storeProductId, idName)
}

/** Has the status FAILED, so that the notification can be processed again once the catalogue has the product. */
export const unsold = (storeProductId: string, idName: string): Outcome => ({
  status: 'FAILED',
  error: `the purchase is recorded, but no product has the ${idName} ${storeProductId}: add the product, then replay this`,
})
