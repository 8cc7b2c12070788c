import type { Context, Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import type { PurchaseRow } from '../../../people/purchases/queries'
import type { SubscriberRow } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import type { ImportJobRow } from '../queries'
import type { Meter, Wait } from './meter'

export type AnchorRow = Handle['tables']['importAnchors']['$inferSelect']

/** How the caller ends a run, and what tests set. */
export interface Turn {
  signal: AbortSignal
  /** Absent = real time. */
  wait?: Wait
  /** Absent = 10,000. */
  maxCalls?: number
}

/** One run of the verification of a job. */
export interface Run {
  ctx: Context
  job: ImportJobRow
  project: ProjectState
  meter: Meter
}

/** The answer of a store about one anchor. No transaction is open during the call. */
export type Answer =
  | { kind: 'FOUND'; record: RecordAnswer }
  /** The store does not know it. */
  | { kind: 'UNRECOGNISED'; why: string }
  /** The store cannot be asked about it. */
  | { kind: 'UNVERIFIABLE'; why: string }
  /** The store refuses the project's credentials. */
  | { kind: 'REFUSED'; why: string }
  /** The store answered, but not with anything that can be read. */
  | { kind: 'UNREADABLE'; why: string }
  /** No answer, or one that asks to come later. `isLimit`: the store works, and there were too many calls. */
  | { kind: 'AWAY'; why: string; isLimit: boolean; retryAfterMs: number | null }

/** Records what the store said, in the caller's transaction. `person` is the subscriber of the anchor, as of now. */
export type RecordAnswer = (tx: Tx, person: SubscriberRow) => Promise<RecordedAnchor>

export interface RecordedAnchor {
  /** Null when nothing was recorded; `note` then says why. */
  purchase: PurchaseRow | null
  /** The purchases that this answer created or changed. */
  touched: { purchaseId: string; isNew: boolean }[]
  /** What an operator must know: whose purchase it is, for example. */
  note: string | null
}

export const nothing = (note: string): RecordedAnchor => ({ purchase: null, touched: [], note })
