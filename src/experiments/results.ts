import type { Context } from '../context'
import { AppError, notFound } from '../errors'
import { holdoutBorder } from '../lib/bucket'
import type { ProjectState } from '../projects/state'
import { variantsIn } from './compile'
import { PURCHASE_METRIC, readMetrics } from './conversion'
import type { Variant } from './model'
import { type ExperimentTableRow, findExperiment } from './queries'
import { type GroupFacts, REVENUE_MATURES_MS, type VariantFacts } from './stats/facts'
import { computeResults, type ExperimentResults } from './stats/results'
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
  const declared = variantsIn(experiment)
  if (!areComparable(declared)) throw new AppError('NOT_FOUND', undefined, { message: BROKEN })
  const now = ctx.clock.now()
  const run = runOf(experiment, now)
  const tallies = run ? await tallyExposed(ctx, run) : []
  const counts = new Map(tallies.map((tally) => [tally.group, tally]))
  const variants = declared.map(({ id, name, weight }) => ({
    ...{ variantId: id, name, weight },
    ...factsOf(experiment, counts.get(id)),
  }))
  const { id: experimentId, key, status, startedAt, completedAt } = experiment
  const facts = { experimentId, key, status, startedAt, completedAt, variants }
  const holdout = await heldOut(ctx, project, experiment, run)
  return computeResults({ ...facts, holdout, crossovers: crossoversOf(variants, counts) }, now)
}

const BROKEN = 'The variants of this experiment are broken in the database; `svc doctor` says what is wrong'

const areComparable = (variants: readonly Variant[]): boolean =>
  variants.length > 1 && variants.every(({ weight }) => weight > 0)

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

async function heldOut(
  ctx: Context,
  { settings }: ProjectState,
  experiment: ExperimentTableRow,
  run: Run | null,
): Promise<GroupFacts | null> {
  const border = holdoutBorder(settings.holdoutPercentage)
  if (border === 0 || run === null) return null
  const [tally] = await tallyHeldOut(ctx, run, border)
  return factsOf(experiment, tally)
}

/** Those whose removed variant nobody has drawn again yet are counted nowhere, so neither here. */
const crossoversOf = (variants: readonly VariantFacts[], counts: ReadonlyMap<string, Tally>): number =>
  variants.reduce((sum, { variantId }) => sum + (counts.get(variantId)?.crossed ?? 0), 0)
