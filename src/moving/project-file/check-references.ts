import type { Reference } from './model'
import { live } from './pair'
import type { CatalogPlan } from './plan-catalog'
import type { TargetingPlan } from './plan-targeting'
import { type Problem, problem } from './problem'

/** Names of the file that lead nowhere: each place is told, with every such name of its kind. */
export function unknownReferences(
  references: readonly Reference[],
  catalog: CatalogPlan,
  { audiences, funnels, experiments }: TargetingPlan,
): Problem[] {
  const known = {
    access: namesOf(live(catalog.access)),
    product: namesOf(live(catalog.products)),
    virtualCurrency: namesOf(live(catalog.virtualCurrencies).filter(({ isPruned }) => !isPruned)),
    offering: namesOf(live(catalog.offerings)),
    audience: namesOf(live(audiences)),
    funnel: namesOf(live(funnels)),
    experiment: namesOf(live(experiments)),
  }
  const unknown = references.filter(({ resource, name }) => !known[resource].has(name))
  const groups = Map.groupBy(unknown, groupOf)
  return unknown.map((reference) => {
    const { resource, name, path, isInRow } = reference
    const message = `There is no ${resource} called ${name}`
    const ids = [...new Set(groups.get(groupOf(reference))?.map((other) => other.name))].sort()
    if (isInRow) return problem(path, message, 'INVALID_ROW_REF', { kind: resource, ids })
    return resource === 'audience'
      ? problem(path, message)
      : problem(path, message, 'UNKNOWN_REFERENCES', { resource, ids })
  })
}

const namesOf = (pairs: readonly { name: string }[]): Set<string> => new Set(pairs.map(({ name }) => name))

const groupOf = ({ resource, isInRow }: Reference): string => `${resource} ${isInRow}`
