import type { Hooks } from '../../base/state'
import type { AnySection, Sections } from './section'

declare module '../../base/state' {
  interface SliceHooks {
    /** Sections of the project file. In the order of the slices, a section comes before those that refer to it. */
    projectFile: readonly AnySection[]
  }
}

/** The sections of all slices, in the order in which objects are planned and written. */
export function sectionsOf({ projectFile = [] }: Hooks): Sections {
  const last = projectFile.filter(({ comesLast }) => comesLast)
  return [...projectFile.filter(({ comesLast }) => !comesLast), ...last]
}
