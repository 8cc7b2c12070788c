import type { Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { EventDraft } from '../events/service'
import type { SubscriberRow, TransferRow } from '../subscribers/service'
import type { TransferMoved } from '../subscribers/transfer-moved'

/** The two sides of a merge, both locked: `to` gets what `from` holds. */
export interface Handover {
  project: ProjectState
  transferId: string
  from: SubscriberRow
  to: SubscriberRow
}

/** Of the record of a transfer, what the slices that take part write; each of them its own members. */
export type MovedParts = Partial<Omit<TransferMoved, 'isMerge' | 'label' | 'labelGiven' | 'labelBefore'>>

/** What one step did: its part of the record, and what each side is told of it. */
export interface HandedOver {
  moved: MovedParts
  drafts?: { from: readonly EventDraft[]; to: readonly EventDraft[] }
}

/**
 * What a slice does when two subscribers become one, and how it is taken back. All of it runs in the transaction of the
 * merge or of its undo, in the order of the slices.
 */
export interface OnMerge {
  /** Moves what the slice keeps of `from`. It never fails a merge: where both hold the same, that of `to` stays. */
  merge(tx: Tx, handover: Handover): Promise<HandedOver>
  /** Once `from` leads to `to`: what follows from both being one person. Its part replaces that of `merge`. */
  afterMerge?(tx: Tx, handover: Handover, moved: MovedParts): Promise<HandedOver>
  /**
   * Takes it back: `to` holds now what moved, and `from` gets it again. Also called for a transfer of single purchases
   * (`isMerge` is false). Gives what really went back.
   */
  undo(tx: Tx, handover: Handover, transfer: Pick<TransferRow, 'moved' | 'createdAt'>): Promise<HandedOver>
  /** Names, for the answer of a transfer, that of `from` which gave way to what `to` held already. */
  listDropped?(tx: Tx, project: ProjectState, moved: MovedParts): Promise<string[]>
}

declare module '../../base/state' {
  interface SliceHooks {
    onMerge: OnMerge
  }
}

/** What the steps of all slices did together. */
export interface AllHandedOver {
  moved: MovedParts
  drafts: { from: EventDraft[]; to: EventDraft[] }
}

/** Runs one step in each slice that has it; each is given what the steps before recorded. */
export async function inEverySlice(
  tx: Tx,
  step: (part: OnMerge, moved: MovedParts) => Promise<HandedOver> | undefined,
  before: AllHandedOver = { moved: {}, drafts: { from: [], to: [] } },
): Promise<AllHandedOver> {
  let { moved, drafts } = before
  for (const part of tx.hooks.onMerge ?? []) {
    const done = await step(part, moved)
    moved = { ...moved, ...done?.moved }
    const { from = [], to = [] } = done?.drafts ?? {}
    drafts = { from: [...drafts.from, ...from], to: [...drafts.to, ...to] }
  }
  return { moved, drafts }
}

/** What all slices dropped, in the order of its names. */
export async function listAllDropped(tx: Tx, project: ProjectState, moved: MovedParts): Promise<string[]> {
  const lists: string[][] = []
  for (const part of tx.hooks.onMerge ?? []) lists.push((await part.listDropped?.(tx, project, moved)) ?? [])
  return lists.flat().sort()
}
