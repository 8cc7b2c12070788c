import type { Matchers, Matches } from '../../core/rules/matches'
import { type Fault, messageOf } from '../../core/text/fault'
import { type CompiledPlacement, type CompiledRow, isTarget, type PlacementRow, type StoredPlacement } from './model'

/** Compiles a stored placement. A row that is broken, or whose audience is missing, matches no subscriber. */
export function compilePlacement<Subject>(
  { identifier, isActive, revision, rows }: StoredPlacement,
  matchers: Matchers<Subject>,
): { placement: CompiledPlacement<Subject>; faults: Fault[] } {
  const faults: Fault[] = []
  const listed = Array.isArray(rows) ? rows : []
  if (!Array.isArray(rows)) faults.push({ path: 'rows', message: 'rows must be a list' })
  const compiled = listed.map((row: PlacementRow, index): CompiledRow<Subject> => {
    try {
      return { target: targetOf(row), matches: audienceOf(row, matchers) }
    } catch (thrown) {
      faults.push({ path: `rows[${index}]`, message: messageOf(thrown) })
      return { target: { type: 'none' }, matches: nobody }
    }
  })
  return { placement: { identifier, isActive: isActive === true, revision, rows: compiled }, faults }
}

const nobody = (): boolean => false
const everyone = (): boolean => true

function targetOf(row: PlacementRow | null): PlacementRow['target'] {
  const target = row?.target
  if (isTarget(target)) return target
  throw new TypeError('target.type must be none, funnel, experiment or offering')
}

function audienceOf<Subject>({ audienceId }: PlacementRow, matchers: Matchers<Subject>): Matches<Subject> {
  return audienceId == null ? everyone : (matchers.audience(audienceId) ?? nobody)
}
