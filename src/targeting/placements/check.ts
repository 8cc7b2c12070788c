import type { Fault } from '../../core/text/fault'
import type { ExperimentType } from '../experiments/model'
import type { PlacementRow } from './model'

export const MAX_ROWS = 50
/** The most placements that a project can have; more are 409 `CONFLICT`. */
export const MAX_PLACEMENTS = 200
const MAX_NAME_CHARACTERS = 255
const IDENTIFIER = /^[A-Za-z0-9$_.-]{1,64}$/

export interface PlacementDraft {
  identifier: unknown
  name: unknown
  rows: unknown
  isActive: unknown
}

/**
 * Everything that is wrong with a placement that is about to be written; what its rows name is checked by
 * `missingRowRefs`. It never throws.
 */
export function checkPlacement({ identifier, name, rows, isActive }: PlacementDraft): Fault[] {
  const faults: Fault[] = []
  // The objects that clients read would lose `__proto__`.
  if (typeof identifier !== 'string' || !IDENTIFIER.test(identifier) || identifier === '__proto__')
    faults.push(fault('identifier', 'must be 1 to 64 letters, digits, dollar signs, underscores, dots or dashes'))
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_CHARACTERS || name.includes('\0'))
    faults.push(fault('name', `must be a text of 1 to ${MAX_NAME_CHARACTERS} characters`))
  if (typeof isActive !== 'boolean') faults.push(fault('isActive', 'must be true or false'))
  return [...faults, ...checkRows(rows)]
}

/**
 * Everything that is wrong with the form of rows that are about to be written; what they name is checked by
 * `missingRowRefs`. It never throws.
 */
export function checkRows(rows: unknown): Fault[] {
  if (!Array.isArray(rows)) return [{ path: 'rows', message: 'rows must be a list' }]
  if (rows.length > MAX_ROWS)
    return [{ path: 'rows', message: `rows must not be more than ${MAX_ROWS}, and there are ${rows.length}` }]
  return rows.flatMap((row: unknown, index) => {
    const place = `rows[${index}]`
    if (!hasOnly(row, ['audienceId', 'target'])) return [fault(place, 'must be {"audienceId", "target"}')]
    return [...checkAudience(row.audienceId, place, index === rows.length - 1), ...checkTarget(row.target, place)]
  })
}

const fault = (path: string, message: string): Fault => ({ path, message: `${path} ${message}` })

/** A row for everyone makes every row below it unreachable. */
function checkAudience(audienceId: unknown, place: string, isLast: boolean): Fault[] {
  if (audienceId === null)
    return isLast ? [] : [fault(`${place}.audienceId`, 'is null, which is for everyone: make that row the last')]
  const isId = typeof audienceId === 'string' && audienceId !== ''
  return isId ? [] : [fault(`${place}.audienceId`, 'must be the id of an audience, or null in the last row')]
}

const NAMED: Record<string, string[]> = {
  none: ['type'],
  funnel: ['type', 'funnelId'],
  experiment: ['type', 'experimentId'],
  offering: ['type', 'offeringId'],
}

function checkTarget(target: unknown, place: string): Fault[] {
  const type = hasOnly(target) && typeof target.type === 'string' ? target.type : ''
  const members = Object.hasOwn(NAMED, type) ? NAMED[type] : undefined
  if (!members) return [fault(`${place}.target.type`, 'must be none, funnel, experiment or offering')]
  const isWhole = hasOnly(target, members) && members.every((name) => typeof target[name] === 'string' && target[name])
  return isWhole ? [] : [fault(`${place}.target`, `must be {${members.map((name) => `"${name}"`).join(', ')}}`)]
}

/** Whether a value is an object and, where members are given, has no others. */
function hasOnly(value: unknown, members?: readonly string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !members || Object.keys(value).every((name) => members.includes(name))
}

export interface RowSurroundings {
  hasAudience(id: string): boolean
  hasFunnel(id: string): boolean
  /** Null when the project has no such experiment. */
  typeOfExperiment(id: string): ExperimentType | null
}

/** `experimentType`: the experiment exists and is not of type FUNNEL. */
export type RowRefKind = 'audience' | 'funnel' | 'experiment' | 'experimentType'

/**
 * The `details` of 400 `INVALID_ROW_REF`, or null: the first kind of reference of which some name nothing, with the ids
 * of those.
 */
export function missingRowRefs(
  rows: readonly PlacementRow[],
  has: RowSurroundings,
): { kind: RowRefKind; ids: string[] } | null {
  const audiences = rows.flatMap(({ audienceId }) => audienceId ?? [])
  const funnels = rows.flatMap(({ target }) => (target.type === 'funnel' ? target.funnelId : []))
  const experiments = rows.flatMap(({ target }) => (target.type === 'experiment' ? target.experimentId : []))
  const isOtherType = (id: string) => !['FUNNEL', null].includes(has.typeOfExperiment(id))
  const missing = [
    { kind: 'audience' as const, ids: audiences.filter((id) => !has.hasAudience(id)) },
    { kind: 'funnel' as const, ids: funnels.filter((id) => !has.hasFunnel(id)) },
    { kind: 'experiment' as const, ids: experiments.filter((id) => has.typeOfExperiment(id) === null) },
    { kind: 'experimentType' as const, ids: experiments.filter(isOtherType) },
  ].find(({ ids }) => ids.length > 0)
  return missing ? { ...missing, ids: [...new Set(missing.ids)] } : null
}

/** A fault for each row whose offering is none of the project's. */
export const missingOfferings = (rows: readonly PlacementRow[], ids: ReadonlySet<string>): Fault[] =>
  rows.flatMap(({ target }, index) =>
    target.type === 'offering' && !ids.has(target.offeringId)
      ? [fault(`rows[${index}].target.offeringId`, `names no offering of this project: ${target.offeringId}`)]
      : [],
  )
