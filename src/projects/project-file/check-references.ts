import type { Reference } from './model'
import { live } from './pair'
import type { CatalogPlan } from './plan-catalog'
import type { TargetingPlan } from './plan-targeting'
import { type Problem, problem } from './problem'

/** Names of the file that lead nowhere: each place is told, with every such name of its kind. */
export function unknownReferences(
  references: readonly Reference[],
  catalog: CatalogPlan,
  { audiences }: TargetingPlan,
): Problem[] {
  const known = {
    access: namesOf(live(catalog.access)),
    product: namesOf(live(catalog.products)),
    virtualCurrency: namesOf(live(catalog.virtualCurrencies).filter(({ isPruned }) => !isPruned)),
    offering: namesOf(live(catalog.offerings)),
    audience: namesOf(live(audiences)),
    funnel: NO_FUNNELS,
  }
  const unknown = references.filter(({ resource, name }) => !known[resource].has(name))
  const ids = Map.groupBy(unknown, ({ resource }) => resource)
  return unknown.map(({ resource, name, path }) => {
    const message = `There is no ${resource} called ${name}`
    if (resource === 'audience') return problem(path, message)
    const details = { resource, ids: [...new Set(ids.get(resource)?.map((reference) => reference.name))].sort() }
    return problem(path, message, 'UNKNOWN_REFERENCES', details)
  })
}

const namesOf = (pairs: readonly { name: string }[]): Set<string> => new Set(pairs.map(({ name }) => name))

/** A project has none yet. */
const NO_FUNNELS: ReadonlySet<string> = new Set()
