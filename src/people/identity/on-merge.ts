import type { Tx } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { EventDraft } from '../events/service'
import type { SubscriberRow, TransferRow } from '../subscribers/service'
import type { TransferMoved } from '../subscribers/transfer-moved'

/** The two sides of a merge, both locked. What `from` holds moves to `to`. */
export interface Handover {
  project: ProjectState
  transferId: string
  from: SubscriberRow
  to: SubscriberRow
}

/** The members of a transfer's record that slices write. Each slice writes its own members. */
export type MovedParts = Partial<Omit<TransferMoved, 'isMerge' | 'label' | 'labelGiven' | 'labelBefore'>>

/** The result of one step: its members of the record, and the events for each side. */
export interface HandedOver {
  moved: MovedParts
  drafts?: { from: readonly EventDraft[]; to: readonly EventDraft[] }
}

/**
 * What a slice does when two subscribers are merged, and how it undoes that. Every step runs in the transaction of the
 * merge or of the undo, in the order of the slices.
 */
export interface OnMerge {
  /**
   * Moves the slice's data of `from` to `to`. It must not make a merge fail: when both sides have a value for the same
   * thing, `to` keeps its own.
   */
  merge(tx: Tx, handover: Handover): Promise<HandedOver>
  /** Runs after the rows were merged, for work that needs them merged. Its members replace those of `merge`. */
  afterMerge?(tx: Tx, handover: Handover, moved: MovedParts): Promise<HandedOver>
  /**
   * Undoes a transfer: what moved is with `to` now, and goes back to `from`. Also called for a transfer of single
   * purchases (`isMerge` is false). Returns what actually moved back.
   */
  undo(tx: Tx, handover: Handover, transfer: Pick<TransferRow, 'moved' | 'createdAt'>): Promise<HandedOver>
  /** For the answer of a transfer: names the data of `from` that was dropped because `to` had the same already. */
  listDropped?(tx: Tx, project: ProjectState, moved: MovedParts): Promise<string[]>
}

declare module '../../base/state' {
  interface SliceHooks {
    onMerge: OnMerge
  }
}

/** The results of the steps of all slices together. */
export interface AllHandedOver {
  moved: MovedParts
  drafts: { from: EventDraft[]; to: EventDraft[] }
}

/** Runs one step in each slice that has it. Each step gets the members of the record that earlier steps returned. */
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

/** The names of what all slices dropped, sorted. */
export async function listAllDropped(tx: Tx, project: ProjectState, moved: MovedParts): Promise<string[]> {
  const lists: string[][] = []
  for (const part of tx.hooks.onMerge ?? []) lists.push((await part.listDropped?.(tx, project, moved)) ?? [])
  return lists.flat().sort()
}
