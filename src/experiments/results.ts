import type { Context } from '../context'
import type { Handle } from '../db/handle'
import { AppError, notFound } from '../errors'
import { holdoutBorder } from '../lib/bucket'
import type { ProjectState } from '../projects/state'
import { PURCHASE_METRIC, readMetrics } from './conversion'
import { type ExperimentTableRow, findExperiment } from './queries'
import { type GroupFacts, REVENUE_MATURES_MS, type VariantFacts } from './stats/facts'
import { computeInTurns, type ExperimentResults } from './stats/results'
import { type Run, type Tally, tallyExposed, tallyHeldOut } from './tally-queries'

/** How an experiment stands, counted now; 404 for one that the project does not have. */
export async function experimentResults(
  ctx: Context,
  project: ProjectState,
  reference: string,
): Promise<ExperimentResults> {
  if (!ctx.config.isAnalyticsOn) throw new AppError('ANALYTICS_UNAVAILABLE')
  const experiment = await findExperiment(ctx, project.id, reference)
  if (!experiment) throw notFound()
  const now = ctx.clock.now()
  const run = runOf(experiment, now)
  const { tallies, heldOut } = await ctx.storage.aside((handle) => count(handle, project, run))
  const counts = new Map(tallies.map((tally) => [tally.group, tally]))
  const variants = experiment.variants.map(({ id, name, weight }) => ({
    ...{ variantId: id, name, weight },
    ...factsOf(experiment, counts.get(id)),
  }))
  const { id: experimentId, key, status, startedAt, completedAt } = experiment
  const facts = { experimentId, key, status, startedAt, completedAt, variants }
  const holdout = heldOut === null ? null : factsOf(experiment, heldOut)
  return computeInTurns({ ...facts, holdout, crossovers: crossoversOf(variants, counts) }, now)
}

/** Null for one that never ran. */
function runOf({ id, projectId, startedAt, createdAt, status, completedAt, ...row }: ExperimentTableRow, now: number) {
  if (status === 'DRAFT') return null
  const matureAt = now - REVENUE_MATURES_MS
  const metrics = readMetrics(row.metrics)
  const run: Run = { experimentId: id, projectId, startedAt: startedAt ?? createdAt, completedAt, metrics, matureAt }
  return run
}

/** Conversions are those by tracked events and, where purchases convert, those who bought beside them. */
function factsOf({ metrics }: ExperimentTableRow, tally: Tally | undefined): GroupFacts {
  const { people = 0, tracked = 0, buyers = 0, netUsdMicros = 0, maturePurchases = 0, matureRefunds = 0 } = tally ?? {}
  return {
    exposures: people,
    conversions: tracked + (readMetrics(metrics).includes(PURCHASE_METRIC) ? buyers : 0),
    revenue: { amountMicros: netUsdMicros, currency: 'USD' },
    matured: { purchases: maturePurchases, refunds: matureRefunds },
  }
}

/** Both of one state of the database; nobody is held out where the second is null. */
async function count(
  handle: Handle,
  { settings }: ProjectState,
  run: Run | null,
): Promise<{ tallies: Tally[]; heldOut: Tally | undefined | null }> {
  if (run === null) return { tallies: [], heldOut: null }
  const tallies = await tallyExposed(handle, run)
  const border = holdoutBorder(settings.holdoutPercentage)
  return { tallies, heldOut: border === 0 ? null : (await tallyHeldOut(handle, run, border))[0] }
}

/** Those whose removed variant nobody has drawn again yet are counted nowhere, so neither here. */
const crossoversOf = (variants: readonly VariantFacts[], counts: ReadonlyMap<string, Tally>): number =>
  variants.reduce((sum, { variantId }) => sum + (counts.get(variantId)?.crossed ?? 0), 0)
