import { type AudienceUser, DEFAULT_FIXED, referencesTo } from '../../targeting/audiences/check'
import { claimsKey } from '../../targeting/experiments/key'
import { environmentSizeFault, MAX_PER_ENVIRONMENT } from '../../targeting/flags/check'
import { sharedKey } from '../../targeting/flags/key'
import { isChanged } from './changes'
import { lost, type User } from './check-catalog'
import { splitFlagName, type TargetingRows } from './current-targeting'
import { live, type Pair } from './pair'
import type { CatalogPlan } from './plan-catalog'
import type { TargetingPlan } from './plan-targeting'
import { type Problem, problem } from './problem'

/** What planned audiences and flags must not be, and what `--prune` must not take from experiments. */
export const checkTargeting = (plan: TargetingPlan, { audiences }: TargetingRows, catalog: CatalogPlan): Problem[] => [
  ...changedDefault(plan, new Set(audiences.filter(({ isDefault }) => isDefault).map(({ id }) => id))),
  ...usedAudiences(plan),
  ...lostOfferings(plan, catalog),
  ...sharedKeys(plan),
  ...mixedTypes(plan),
  ...tooManyFlags(plan),
  ...tooLargeFlags(plan),
]

const changedDefault = ({ audiences }: TargetingPlan, defaultIds: ReadonlySet<string>): Problem[] =>
  audiences
    .filter((pair) => pair.id !== null && defaultIds.has(pair.id) && isChanged(pair))
    .map(({ path }) => problem(path ?? ['audiences'], DEFAULT_FIXED, 'CONFLICT'))

/** Audiences that would be pruned from under what the file leaves alone; what it names is told as unknown. */
function usedAudiences({ audiences, flags, experiments, placements }: TargetingPlan): Problem[] {
  const users: AudienceUser[] = [
    ...left(flags).map(({ id, name, after }) => ({
      ...{ type: 'flag' as const, id: id ?? '', name },
      audiences: after.rules.map(({ audience }) => audience),
    })),
    ...left(experiments).map(({ id, name, after }) => ({
      ...{ type: 'experiment' as const, id: id ?? '', name },
      audiences: [after.audience],
    })),
    ...left(placements).map(({ id, name, after }) => ({
      ...{ type: 'placement' as const, id: id ?? '', name },
      audiences: after.rows.map(({ audience }) => audience),
    })),
  ]
  return audiences.flatMap(({ name, after }) => {
    const references = after === null ? referencesTo(name, users) : []
    const [first] = references
    if (!first) return []
    const message = `audience ${name} cannot be pruned: ${first.type} ${first.name} uses it`
    return [problem(['audiences'], message, 'audience_in_use', { references })]
  })
}

const left = <State>(pairs: readonly Pair<State>[]) => live(pairs).filter(({ path }) => path === null)

const lostOfferings = ({ experiments }: TargetingPlan, { offerings }: CatalogPlan): Problem[] =>
  lost(
    'offering',
    offerings.filter(({ after }) => after === null),
    left(experiments)
      .filter(({ after }) => after.type === 'OFFERING' && after.status !== 'COMPLETED')
      .map(({ name, after }): User => [`experiment ${name}`, after.variants.map(({ value }) => String(value))]),
  )

/** A key is asked for by itself (wire 2.23); what is saved already under both names is nobody's mistake here. */
function sharedKeys({ flags, experiments }: TargetingPlan): Problem[] {
  const byKey = Map.groupBy(live(flags), ({ name }) => splitFlagName(name).key)
  return live(experiments).flatMap((experiment) => {
    const key = experiment.name
    const named = byKey.get(key)
    if (!named || !claimsKey(experiment.after.status)) return []
    const added = [experiment, ...named].find(({ name, formerName }) => name !== formerName)
    if (!added) return []
    const path = added === experiment ? ['experiments', key] : ['flags', key]
    return [problem(path, sharedKey(key, added === experiment ? 'flag' : 'experiment'), 'CONFLICT')]
  })
}

/** A key has one type in all environments. */
function mixedTypes({ flags }: TargetingPlan): Problem[] {
  const byKey = Map.groupBy(live(flags), ({ name }) => splitFlagName(name).key)
  return [...byKey].flatMap(([key, pairs]) => {
    const named = pairs.find(({ path }) => path !== null)
    const other = pairs.find(({ path, after }) => path === null && after.type !== named?.after.type)
    if (!named || !other) return []
    const { env } = splitFlagName(other.name)
    const message = `${env} has the type ${other.after.type}, and a flag has one type: give ${env} here too`
    return [problem(['flags', key, 'type'], message)]
  })
}

/** Only what the file adds to is counted: what is saved already is nobody's mistake here. */
function tooManyFlags({ flags }: TargetingPlan): Problem[] {
  const byEnv = Map.groupBy(live(flags), ({ name }) => splitFlagName(name).env)
  return [...byEnv].flatMap(([env, pairs]) => {
    if (pairs.length <= MAX_PER_ENVIRONMENT || pairs.every(({ before }) => before !== null)) return []
    return [problem(['flags'], `${pairs.length} flags in ${env}, but at most ${MAX_PER_ENVIRONMENT}`, 'CONFLICT')]
  })
}

function tooLargeFlags({ flags }: TargetingPlan): Problem[] {
  const byEnv = Map.groupBy(flags, ({ name }) => splitFlagName(name).env)
  return [...byEnv].flatMap(([env, pairs]) => {
    const trouble = environmentSizeFault(
      env,
      pairs.flatMap(({ before }) => before ?? []),
      pairs.flatMap(({ after }) => after ?? []),
    )
    return trouble === null ? [] : [problem(['flags'], trouble, 'CONFLICT')]
  })
}
