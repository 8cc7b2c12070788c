import { live } from './pair'
import { type Problem, problem } from './problem'
import type { Reference } from './reader'
import type { AnySection, Planned } from './section'

/** A problem for each place that names an unknown object. Its details list all unknown names of that kind. */
export function unknownReferences(
  references: readonly Reference[],
  sections: readonly AnySection[],
  planned: Planned,
): Problem[] {
  const known = new Map(sections.map((section) => [section.key.kind, nameable(section, planned)]))
  const unknown = references.filter(({ kind, name }) => !known.get(kind)?.has(name))
  const groups = Map.groupBy(unknown, groupOf)
  return unknown.map((reference) => {
    const { kind, name, path, refusal } = reference
    const names = [...new Set(groups.get(groupOf(reference))?.map((other) => other.name))].sort()
    return problem(path, `There is no ${kind} called ${name}`, refusal.code, refusal.details(kind, names))
  })
}

const nameable = ({ key, isNameable = () => true }: AnySection, planned: Planned): Set<string> =>
  new Set(
    live(planned.of(key))
      .filter((pair) => isNameable(pair))
      .map(({ name }) => name),
  )

const groupOf = ({ kind, refusal }: Reference): string => `${kind} ${refusal.code}`
