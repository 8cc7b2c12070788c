import { leftAlone } from './pair'
import type { AnySection, Planned, User } from './section'

/** The objects that are not in the file and refer to other objects, by the section to which they refer. */
export function usersBySection(sections: readonly AnySection[], planned: Planned): ReadonlyMap<string, User[]> {
  const uses = sections.flatMap((section) => {
    const { key } = section
    return leftAlone(planned.of(key)).flatMap(({ id, name, after }) =>
      (section.uses?.(after) ?? []).map(({ of, names }) => ({
        section: of.name,
        user: { kind: key.kind, id: id ?? '', name, names },
      })),
    )
  })
  const groups = Map.groupBy(uses, ({ section }) => section)
  return new Map([...groups].map(([section, found]) => [section, found.map(({ user }) => user)]))
}
