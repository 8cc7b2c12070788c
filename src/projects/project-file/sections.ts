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

/** The sections in the order of the file: the order of the list, except for sections with `placedBelow`. */
export function inFileOrder(sections: Sections): AnySection[] {
  const ordered = sections.filter(({ placedBelow }) => placedBelow === undefined)
  for (const section of sections)
    if (section.placedBelow !== undefined) ordered.splice(placeBelow(ordered, section.placedBelow), 0, section)
  return ordered
}

/** The index below the other section; the end if that section is not in the list. */
function placeBelow(ordered: readonly AnySection[], name: string): number {
  const at = ordered.findIndex(({ key }) => key.name === name)
  return at === -1 ? ordered.length : at + 1
}
