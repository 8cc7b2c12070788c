import type { Hooks } from '../../base/state'
import type { AnySection, Sections } from './section'

declare module '../../base/state' {
  interface SliceHooks {
    /** Sections of the project file; in the order of the slices, what is named comes before what names it. */
    projectFile: readonly AnySection[]
  }
}

/** The sections of all slices, in the order in which objects are planned and written. */
export function sectionsOf({ projectFile = [] }: Hooks): Sections {
  const last = projectFile.filter(({ comesLast }) => comesLast)
  return [...projectFile.filter(({ comesLast }) => !comesLast), ...last]
}
