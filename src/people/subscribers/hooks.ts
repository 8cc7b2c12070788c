import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ProjectState } from '../../projects/project/state'
import type { SubscriberRow } from './queries'

/** Removes what a slice keeps of a person, in the transaction that erases them; what money rests on stays, without them. */
export type OnErase = (tx: Tx, project: ProjectState, subscriber: SubscriberRow) => Promise<void>

/** What a slice keeps of a person, as members of the data that they ask for. */
export type OnExport = (
  handle: Handle,
  project: ProjectState,
  subscriber: SubscriberRow,
) => Promise<Record<string, unknown>>

declare module '../../base/state' {
  interface SliceHooks {
    onErase: OnErase
    onExport: OnExport
  }
}
