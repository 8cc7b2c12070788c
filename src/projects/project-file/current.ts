import type { ProjectRow } from '../project/service'
import type { Sections } from './section'

/** The saved state of everything in a project that a project file can contain. */
export interface Current {
  sections: Sections
  project: ProjectRow
  /** What the `load` of each section returned, by the name of the section. */
  rows: ReadonlyMap<string, unknown>
}
