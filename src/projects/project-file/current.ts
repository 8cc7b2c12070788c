import type { ProjectRow } from '../project/service'
import type { Sections } from './section'

/** Everything of a project that a file speaks about, as it is saved. */
export interface Current {
  sections: Sections
  project: ProjectRow
  /** By section, as it loads them. */
  rows: ReadonlyMap<string, unknown>
}
