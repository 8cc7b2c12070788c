import { type Static, Type } from '@sinclair/typebox'
import { CommandFailure, found, type Io } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import type { Paged } from '../../base/db/page'
import { twoDecimals } from '../../core/money/money'
import type { ProjectApi } from '../../projects/project/project-api'
import type { ExperimentView } from './admin-wire'
import { ExperimentSchema } from './operator-wire'
import { ResultsAnswer } from './wire'

/** A newer server may answer more. */
const LENIENT = { additionalProperties: true }
export const Experiment = Type.Omit(ExperimentSchema, [], LENIENT)
const Results = Type.Omit(ResultsAnswer.properties.data, [], LENIENT)

/** The newest experiments. The schema has checked all of them but the variants, which are shown as they are. */
export const experimentsOf = async (project: ProjectApi, limit: number): Promise<Paged<ExperimentView>> =>
  (await project.list(['experiments'], { item: Experiment, limit })) as Paged<ExperimentView>

/** The id of the experiment with this key or, where none has, this id. */
export async function experimentIdOf(project: ProjectApi, what: string, ref: string): Promise<string> {
  const { items } = await experimentsOf(project, Number.POSITIVE_INFINITY)
  const found = items.find(({ key }) => key === ref) ?? items.find(({ id }) => id === ref)
  if (!found) throw new CommandFailure('NOT_FOUND', `The project has no ${what}.`)
  return found.id
}

const HEAD = ['variant', 'exposed', 'converted', 'rate', '95 % between', 'is the best', 'revenue']

/** `svc experiment results`: the figures, and what to do. */
export async function showResults(project: ProjectApi, ref: string, io: Io, isJson: boolean): Promise<number> {
  const what = `experiment "${ref}" that can be counted`
  const id = await experimentIdOf(project, what, ref)
  const results = await found(what, project.call('GET', ['experiments', id, 'results'], { data: Results }))
  if (isJson) io.out(JSON.stringify(results))
  else io.out(`${table([HEAD, ...results.variants.map(toLine)])}\n\n${results.recommendation.sentence}`)
  return 0
}

const toLine = (variant: Static<typeof Results>['variants'][number]): string[] => [
  variant.variantId,
  String(variant.exposures),
  String(variant.conversions),
  percent(variant.conversionRate),
  variant.interval95.map(percent).join(' and '),
  variant.probabilityBest === null ? '' : `with ${percent(variant.probabilityBest)}`,
  `${twoDecimals(variant.revenue.amountMicros)} ${variant.revenue.currency}`,
]

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
