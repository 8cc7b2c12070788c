import type { Io } from '../../base/cli/command'
import { found } from '../../base/cli/found'
import { table } from '../../base/cli/table'
import type { ExperimentTarget, ResultsView } from './command-target'

const HEAD = ['variant', 'exposed', 'converted', 'rate', '95 % between', 'is the best', 'revenue']

/** `svc experiment results`: the figures, and what to do. */
export async function showResults(
  experiments: ExperimentTarget,
  ref: string,
  io: Io,
  isJson: boolean,
): Promise<number> {
  const results = await found(`experiment "${ref}" that can be counted`, experiments.results(ref))
  if (isJson) io.out(JSON.stringify(results))
  else io.out(`${table([HEAD, ...results.variants.map(toLine)])}\n\n${results.recommendation.sentence}`)
  return 0
}

const toLine = (variant: ResultsView['variants'][number]): string[] => [
  variant.variantId,
  String(variant.exposures),
  String(variant.conversions),
  percent(variant.conversionRate),
  variant.interval95.map(percent).join(' and '),
  variant.probabilityBest === null ? '' : `with ${percent(variant.probabilityBest)}`,
  `${(variant.revenue.amountMicros / 1_000_000).toFixed(2)} ${variant.revenue.currency}`,
]

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
