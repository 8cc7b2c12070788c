import type { Paged } from '../../../base/db/page'
import type { MappingChange } from '../admin'
import type { ImportCheckpoint, ImportCounters } from '../model'
import type { ImportProducts } from '../products/create'
import type { ImportView } from '../views'

/** How far an import is. */
export interface Position {
  counters: ImportCounters
  /** Where in the first file, as far as that is known. */
  checkpoint: ImportCheckpoint | null
}

export type OnPosition = (position: Position) => void

/** The imports of a project: in the database of this machine, or on a server. */
export interface ImportTarget {
  upload(path: string): Promise<ImportView>
  changeMapping(id: string, change: MappingChange): Promise<ImportView>
  /** These return when the work has ended. */
  dryRun(id: string, onPosition: OnPosition): Promise<ImportView>
  commit(id: string, onPosition: OnPosition): Promise<ImportView>
  resume(id: string, onPosition: OnPosition): Promise<ImportView>
  cancel(id: string): Promise<ImportView>
  list(limit: number): Promise<Paged<ImportView>>
  show(id: string): Promise<ImportView>
  /** The products that the import names and the catalogue does not have; created unless it is a dry run. */
  products(id: string, order: { dryRun: boolean }): Promise<ImportProducts>
  report(id: string): Promise<string>
  undo(id: string, onPosition: OnPosition): Promise<ImportView>
}
