import type { AnySection, Sections } from './section'

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
