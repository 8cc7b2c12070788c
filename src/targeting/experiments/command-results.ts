import type { Io } from '../../base/cli/command'
import type { Context } from '../../base/context'
import { found, table } from '../../projects/project/lookup'
import { resultsReader } from './results'
import type { VariantResult } from './stats/results'
import { toResultsView } from './wire'

const HEAD = ['variant', 'exposed', 'converted', 'rate', '95 % between', 'is the best', 'revenue']

/** `svc experiment results`: the figures, and what to do. */
export async function showResults(
  ctx: Context,
  projectId: string,
  ref: string,
  io: Io,
  isJson: boolean,
): Promise<number> {
  const project = await ctx.state.projects.get(projectId)
  const results = await found(`experiment "${ref}" that can be counted`, resultsReader(ctx)(project, ref))
  if (isJson) io.out(JSON.stringify(toResultsView(results)))
  else io.out(`${table([HEAD, ...results.variants.map(toLine)])}\n\n${results.recommendation.sentence}`)
  return 0
}

const toLine = (variant: VariantResult): string[] => [
  variant.variantId,
  String(variant.exposures),
  String(variant.conversions),
  percent(variant.conversionRate),
  variant.interval95.map(percent).join(' and '),
  variant.probabilityBest === null ? '' : `with ${percent(variant.probabilityBest)}`,
  `${(variant.revenue.amountMicros / 1_000_000).toFixed(2)} ${variant.revenue.currency}`,
]

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
