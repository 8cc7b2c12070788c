import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { ProjectState } from '../../projects/project/state'
import type { SubscriberRow } from './queries'

/**
 * Deletes the data that a slice stores about a person. Runs in the transaction that erases the person. Records that
 * money depends on stay, but without personal data.
 */
export type OnErase = (tx: Tx, project: ProjectState, subscriber: SubscriberRow) => Promise<void>

/** The data that a slice stores about a person, as members of that person's data export. */
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
