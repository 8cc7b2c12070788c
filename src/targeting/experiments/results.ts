import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { AppError, notFound } from '../../base/errors'
import { Recent } from '../../base/lib/recent'
import { holdoutBorder } from '../../core/bucket/bucket'
import type { ProjectState } from '../../projects/project/state'
import { PURCHASE_METRIC } from './conversion'
import { type FoundExperiment, findExperiment } from './queries'
import { type ExperimentFacts, type GroupFacts, REVENUE_MATURES_MS, type VariantFacts } from './stats/facts'
import { computeResultsInSteps, type ExperimentResults } from './stats/results'
import { type Run, type Tally, tallyExposed, tallyHeldOut } from './tally-queries'

/** Above this number of subscribers an answer is reused for a while, so that a dashboard that polls costs little. */
const MANY_PEOPLE = 10_000
const KEPT_MS = 5000

export type ResultsReader = (project: ProjectState, reference: string) => Promise<ExperimentResults>

/** Reads the results of experiments; 404 for one that the project does not have. */
export function resultsReader(ctx: Context): ResultsReader {
  const recent = new Recent<ExperimentResults>(ctx.clock.now.bind(ctx.clock), ({ variants }) =>
    variants.reduce((sum, { exposures }) => sum + exposures, 0) < MANY_PEOPLE ? 0 : KEPT_MS,
  )
  return async (project, reference) => {
    if (!ctx.config.isAnalyticsOn) throw new AppError('ANALYTICS_UNAVAILABLE')
    const experiment = await findExperiment(ctx, project.id, reference)
    if (!experiment) throw notFound('experiment', reference)
    // A change by hand has an effect at once.
    const question = JSON.stringify([experiment, project.settings.holdoutPercentage])
    return recent.of(question, () => computeNow(ctx, project, experiment.id))
  }
}

async function computeNow(ctx: Context, project: ProjectState, id: string): Promise<ExperimentResults> {
  const read = async (handle: Handle) => {
    const now = ctx.clock.now()
    return { facts: await countFacts(handle, project, id, now), now }
  }
  const { facts, now } = await ctx.storage.readInThread(read, { group: project.id })
  return computeResultsInSteps(facts, now)
}

/** Counts everything in one state of the database. */
async function countFacts(handle: Handle, project: ProjectState, id: string, now: number): Promise<ExperimentFacts> {
  const experiment = await findExperiment(handle, project.id, id)
  if (!experiment) throw notFound('experiment', id)
  if (experiment.variants.length === 0) throw new AppError('NOT_FOUND', undefined, { message: BROKEN })
  const run = runOf(experiment, now)
  const tallies = run ? await tallyExposed(handle, run) : []
  const counts = new Map(tallies.map((tally) => [tally.group, tally]))
  const variants = experiment.variants.map(({ id, name, weight }) => ({
    ...{ variantId: id, name, weight },
    ...factsOf(experiment, counts.get(id)),
  }))
  const { id: experimentId, key, status, startedAt, completedAt } = experiment
  const holdout = run ? await heldOut(handle, project, experiment, run) : null
  const changed = { crossovers: crossoversOf(variants, counts), removed: removedOf(variants, tallies) }
  return { experimentId, key, status, startedAt, completedAt, variants, holdout, ...changed }
}

const BROKEN = 'The variants of this experiment are broken in the database; `svc doctor` says what is wrong'

/** Null for an experiment that never ran. */
function runOf({ id, projectId, startedAt, createdAt, status, completedAt, ...row }: FoundExperiment, now: number) {
  if (status === 'DRAFT') return null
  const matureAt = now - REVENUE_MATURES_MS
  const metrics = row.metrics
  const run: Run = { experimentId: id, projectId, startedAt: startedAt ?? createdAt, completedAt, metrics, matureAt }
  return run
}

/** Conversions are those by tracked events and, where purchases convert, the buyers who did not convert by an event. */
function factsOf({ metrics }: FoundExperiment, tally: Tally | undefined): GroupFacts {
  const { people = 0, tracked = 0, buyers = 0, netUsdMicros = 0, maturePurchases = 0, matureRefunds = 0 } = tally ?? {}
  return {
    exposures: people,
    conversions: tracked + (metrics.includes(PURCHASE_METRIC) ? buyers : 0),
    revenue: { amountMicros: netUsdMicros, currency: 'USD' },
    matured: { purchases: maturePurchases, refunds: matureRefunds },
  }
}

async function heldOut(
  handle: Handle,
  { settings }: ProjectState,
  experiment: FoundExperiment,
  run: Run,
): Promise<GroupFacts | null> {
  const border = holdoutBorder(settings.holdoutPercentage)
  if (border === 0) return null
  const [tally] = await tallyHeldOut(handle, run, border)
  return factsOf(experiment, tally)
}

const crossoversOf = (variants: readonly VariantFacts[], counts: ReadonlyMap<string, Tally>): number =>
  variants.reduce((sum, { variantId }) => sum + (counts.get(variantId)?.crossed ?? 0), 0)

const removedOf = (variants: readonly VariantFacts[], tallies: readonly Tally[]): number =>
  tallies
    .filter(({ group }) => variants.every(({ variantId }) => variantId !== group))
    .reduce((sum, { people }) => sum + people, 0)
