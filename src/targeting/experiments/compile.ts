import { isAttributeName, NAMES_AN_ATTRIBUTE } from '../../core/flag/names'
import type { Matchers, Matches } from '../../core/rules/matches'
import { type Fault, messageOf } from '../../core/text/fault'
import type { CompiledExperiment, ExperimentCompilation, ExperimentRow, ExperimentType, Variant } from './model'

/**
 * Compiles stored experiments, in the order in which they are decided. A broken one matches no subscriber and is
 * reported.
 */
export function compileExperiments<Subject>(
  rows: readonly ExperimentRow[],
  matchers: Matchers<Subject>,
): ExperimentCompilation<Subject> {
  const faults: Fault[] = []
  const experiments = rows.toSorted(byCreation).map((row) => {
    try {
      return compileExperiment(row, matchers)
    } catch (thrown) {
      faults.push({ path: row.key, message: messageOf(thrown) })
      return { ...row, variants: [], weights: [], matches: nobody, bucketBy: null }
    }
  })
  return { experiments, faults }
}

const byCreation = (a: ExperimentRow, b: ExperimentRow): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

const nobody = (): boolean => false
const everyone = (): boolean => true

function compileExperiment<Subject>(row: ExperimentRow, matchers: Matchers<Subject>): CompiledExperiment<Subject> {
  if (!TYPES.has(row.type)) throw new TypeError('type must be FLAG, FUNNEL or OFFERING')
  if (!Array.isArray(row.variants) || row.variants.length === 0) throw new TypeError('variants must be a list')
  if (!row.variants.every(isUsable)) throw new TypeError('a variant must have an id, a name and a weight of 0 or more')
  const { bucketBy = null } = row
  if (bucketBy !== null && !isAttributeName(bucketBy)) throw new TypeError(`bucketBy ${NAMES_AN_ATTRIBUTE}`)
  return {
    ...row,
    matches: audienceOf(row, matchers),
    weights: row.variants.map(({ weight }) => weight),
    bucketBy: bucketBy === null ? null : matchers.attribute(bucketBy),
  }
}

const TYPES: ReadonlySet<string> = new Set<ExperimentType>(['FLAG', 'FUNNEL', 'OFFERING'])

const isUsable = (variant: Variant | null): boolean =>
  typeof variant?.id === 'string' && typeof variant.name === 'string' && variant.weight >= 0

function audienceOf<Subject>({ audienceId }: ExperimentRow, matchers: Matchers<Subject>): Matches<Subject> {
  if (audienceId == null) return everyone
  return matchers.audience(audienceId) ?? nobody
}
