import type { Store } from '../../stores/observation'

export const CAUSE_KINDS = [
  'RECEIPT',
  'RESTORE',
  'STORE_NOTIFICATION',
  'API',
  'DASHBOARD',
  'CLI',
  'SWEEP',
  'RECONCILE',
  'IMPORT',
  'FUNNEL',
  'IDENTIFY',
  'TRANSFER',
  'UNDO',
  'SCHEDULE',
  'ERASURE',
] as const

export type CauseKind = (typeof CAUSE_KINDS)[number]

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
