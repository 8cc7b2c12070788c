import { publishFaults } from '../../funnels/publication/publish'
import { MAX_PLACEMENTS } from '../../targeting/placements/check'
import { lost, type User } from './check-catalog'
import type { TargetingRows } from './current-targeting'
import type { FunnelState, PlacementState } from './model'
import { type Live, live, type Pair } from './pair'
import type { CatalogPlan } from './plan-catalog'
import { isPublishing } from './plan-shown'
import type { StorePair } from './plan-stores'
import type { TargetingPlan } from './plan-targeting'
import { type Problem, problem, stepsOf } from './problem'

/** What planned funnels and placements must not be, and what `--prune` must not take from them. */
export function checkShown(
  plan: TargetingPlan,
  { funnels: rows }: TargetingRows,
  { offerings }: CatalogPlan,
  stores: readonly StorePair[],
): Problem[] {
  const hasAccount = stores.some(({ section, after }) => section === 'payment' && after !== null)
  const archived = new Set(rows.filter(({ status }) => status === 'ARCHIVED').map(({ id }) => id))
  return [
    ...plan.funnels.filter(isPublishing).flatMap((pair) => refusePublishing(pair, hasAccount, archived)),
    ...lostByPruning(plan, offerings),
    ...otherTypes(plan),
    ...tooMany(plan),
  ]
}

function refusePublishing(
  { id, name, path, after }: Pair<FunnelState>,
  hasAccount: boolean,
  archived: ReadonlySet<string>,
): Problem[] {
  if (path === null || after === null) return []
  if (archived.has(id ?? ''))
    return [problem([...path, 'publish'], `${name} is archived; restore it before it is published`, 'CONFLICT')]
  return publishFaults({ ...after, settings: {} }, hasAccount).map((fault) => {
    const message = `This ${fault.message.slice(fault.path.length + 1)}`
    return problem([...path, ...stepsOf(fault.path)], message, fault.isPayment ? 'PAYMENT_NOT_CONNECTED' : undefined)
  })
}

const left = <State>(pairs: readonly Pair<State>[]): Live<State>[] => live(pairs).filter(({ path }) => path === null)
const gone = (pairs: readonly Pair<unknown>[]): Pair<unknown>[] => pairs.filter(({ after }) => after === null)

/** What the file leaves alone keeps what it names. */
function lostByPruning(plan: TargetingPlan, offerings: CatalogPlan['offerings']): Problem[] {
  const placements = left(plan.placements)
  const experiments = left(plan.experiments).filter(({ after }) => after.type === 'FUNNEL')
  const slugs = (value: unknown) => String((value as { funnel: string }).funnel)
  return [
    ...lost(
      'offering',
      gone(offerings),
      left(plan.funnels).map(({ name, after }): User => [`funnel ${name}`, [after.settings.offering ?? '']]),
    ),
    ...lost('funnel', gone(plan.funnels), [
      ...experiments.map(
        ({ name, after }): User => [`experiment ${name}`, after.variants.map(({ value }) => slugs(value))],
      ),
      ...placements.map(({ name, after }): User => [`placement ${name}`, targets(after, 'funnel')]),
    ]),
    ...lost(
      'experiment',
      gone(plan.experiments),
      placements.map(({ name, after }): User => [`placement ${name}`, targets(after, 'experiment')]),
    ),
  ]
}

const targets = ({ rows }: PlacementState, type: 'funnel' | 'experiment'): string[] =>
  rows.flatMap(({ target }) => {
    if (target.type !== type) return []
    return target.type === 'funnel' ? target.funnel : target.experiment
  })

/** An experiment that is there and shows no funnels. */
function otherTypes({ placements, experiments }: TargetingPlan): Problem[] {
  const types = new Map(live(experiments).map(({ name, after }) => [name, after.type]))
  return live(placements).flatMap(({ path, after }) =>
    after.rows.flatMap(({ target }, index) => {
      const key = target.type === 'experiment' ? target.experiment : ''
      const type = types.get(key)
      if (path === null || type === undefined || type === 'FUNNEL') return []
      const message = `The experiment ${key} is of type ${type}; a placement shows one of type FUNNEL`
      const details = { kind: 'experimentType', ids: [key] }
      return [problem([...path, 'rows', index, 'target', 'experiment'], message, 'INVALID_ROW_REF', details)]
    }),
  )
}

/** Only what the file adds to is counted: what is saved already is nobody's mistake here. */
function tooMany({ placements }: TargetingPlan): Problem[] {
  const there = live(placements)
  if (there.length <= MAX_PLACEMENTS || there.every(({ before }) => before !== null)) return []
  return [problem(['placements'], `${there.length} placements, but at most ${MAX_PLACEMENTS}`, 'CONFLICT')]
}
