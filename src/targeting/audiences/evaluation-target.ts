import type { SubscriberRow } from '../../people/subscribers/service'

/** For whom flags and experiments are evaluated. */
export interface EvaluationTarget {
  /** The live row. */
  subscriber: SubscriberRow
  /** The device key of the call. After a merge it can be the key of another row than the live one. */
  deviceKey: string
}
