import type { Schemas } from '../../../api/schemas'
import { isObject } from '../rules/model'

export type PlacementView = Schemas['PlacementOfProject']
export type RowRequest = Schemas['PlacementRowRequest']
export type Target = RowRequest['target']

/** A row of a draft. The uid keeps it the same row while it is moved and changed. */
export interface Row extends Omit<RowRequest, 'target'> {
  uid: string
  /** Null until something is chosen. */
  target: Target | null
}

export interface PlacementState {
  identifier: string
  name: string
  isActive: boolean
  rows: Row[]
}

export const BLANK: PlacementState = { identifier: '', name: '', isActive: true, rows: [] }

export const toState = ({ identifier, name, isActive, rows }: PlacementView): PlacementState => ({
  identifier,
  name,
  isActive,
  rows: rows.map((row, index) => rowOf(row, `s${index}`)),
})

function rowOf(stored: unknown, uid: string): Row {
  const { audienceId = null, target } = isObject(stored) ? (stored as Partial<RowRequest>) : {}
  return { uid, audienceId, target: target ?? { type: 'none' } }
}

export const toBody = ({ rows, ...rest }: PlacementState): Schemas['PlacementRequest'] => ({
  ...rest,
  // A draft with a row that shows nothing yet is not saved.
  rows: rows.map(({ audienceId, target }) => ({ audienceId, target: target ?? { type: 'none' } })),
})

/** The number of the first row for which nothing was chosen yet; null = all are chosen. */
export function firstUnchosen({ rows }: Pick<PlacementState, 'rows'>): number | null {
  const index = rows.findIndex(({ target }) => target === null)
  return index < 0 ? null : index + 1
}

export function freshUid(rows: readonly Row[]): string {
  return `n${Math.max(-1, ...rows.map(({ uid }) => Number(uid.slice(1)))) + 1}`
}

/** A target as the value of a choice, and back. */
export const targetKey = (target: Target | null): string => {
  if (target === null) return ''
  if (target.type === 'funnel') return `funnel:${target.funnelId}`
  if (target.type === 'offering') return `offering:${target.offeringId}`
  return target.type === 'experiment' ? `experiment:${target.experimentId}` : 'none'
}

export function targetOf(key: string): Target | null {
  if (key === '') return null
  const [type, id = ''] = key.split(':')
  if (type === 'funnel') return { type, funnelId: id }
  if (type === 'offering') return { type, offeringId: id }
  return type === 'experiment' ? { type, experimentId: id } : { type: 'none' }
}
