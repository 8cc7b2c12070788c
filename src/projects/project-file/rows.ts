import type { Ids } from '../../base/lib/ids'
import type { Identified } from './model'
import { type Plan, plannedIn } from './plan'
import type { AnySection, Current, IdsByName } from './section'

/** The rows that a plan writes, by section. Also returns the plan with the ids of the new objects. */
export function rowsOf(
  plan: Plan,
  { rows }: Pick<Current, 'rows'>,
  ids: Ids,
  now: number,
): { plan: Plan; changes: ReadonlyMap<string, unknown> } {
  const pairs = new Map(plan.sections.map((section) => [section.key.name, identify(section, plan, ids)]))
  const byName = idsIn(pairs)
  const changes = plan.sections.map((section): [string, unknown] => {
    const { name } = section.key
    return [name, section.rows({ pairs: pairs.get(name) ?? [], rows: rows.get(name), ids: byName, now })]
  })
  return { plan: { ...plan, pairs }, changes: new Map(changes) }
}

/** The objects of a section that exist or existed, each with an id. New objects get their id here. */
const identify = ({ key, idPrefix }: AnySection, { pairs }: Plan, ids: Ids): Identified<object>[] =>
  plannedIn(pairs)
    .of(key)
    .map((pair) => ({ ...pair, id: pair.id ?? (idPrefix === undefined ? pair.name : ids.next(idPrefix)) }))

function idsIn(pairs: ReadonlyMap<string, readonly Identified<object>[]>): IdsByName {
  const ids = [...pairs].map(([section, objects]): [string, ReadonlyMap<string, string>] => {
    const remaining = objects.filter(({ after }) => after !== null)
    return [section, new Map(remaining.map(({ name, id }) => [name, id]))]
  })
  const bySection = new Map(ids)
  return { of: ({ name }) => bySection.get(name) ?? new Map() }
}
