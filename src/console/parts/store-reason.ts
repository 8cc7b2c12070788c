import { reasonIn } from '../lib/reason-words'
import { useText } from '../text/catalogue'

/** Words for the reasons of store notifications and scheduled actions. */
export function useStoreReason(): (text: string) => string {
  const words = useText('storeReasons')
  const { statuses } = useText('subscribers')
  const { storeNames } = useText('common')
  return (text) => reasonIn(text, { ...words, statuses, storeNames })
}

/** Words for the reasons of exports, comparisons, imports and requests, which name no status of a purchase. */
export function useReason(): (text: string) => string {
  const words = useText('storeReasons')
  const { storeNames } = useText('common')
  return (text) => reasonIn(text, { ...words, statuses: {}, storeNames })
}
