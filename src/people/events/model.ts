import type { Store } from '../../stores/observation'

export type CauseKind =
  | 'RECEIPT'
  | 'RESTORE'
  | 'STORE_NOTIFICATION'
  | 'API'
  | 'DASHBOARD'
  | 'CLI'
  | 'SWEEP'
  | 'RECONCILE'
  | 'IMPORT'
  | 'FUNNEL'
  | 'IDENTIFY'
  | 'TRANSFER'
  | 'UNDO'
  | 'SCHEDULE'
  | 'ERASURE'

/** Why an event happened; `ref` is the request, store event or job that caused it. */
export interface EventCause {
  kind: CauseKind
  ref: string | null
  store: Store | null
  detail: string | null
}

export const causeOf = (
  kind: CauseKind,
  ref: string | null,
  store: Store | null = null,
  detail: string | null = null,
): EventCause => ({ kind, ref, store, detail })
