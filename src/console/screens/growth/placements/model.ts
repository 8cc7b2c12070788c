import type { Schemas } from '../../../api/schemas'
import { isObject } from '../rules/model'

export type PlacementView = Schemas['PlacementOfProject']
export type RowRequest = Schemas['PlacementRowRequest']
export type Target = RowRequest['target']

/** A row of a draft. The uid keeps it the same row while it is moved and changed. */
export interface Row extends RowRequest {
  uid: string
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
  rows: rows.map(({ audienceId, target }) => ({ audienceId, target })),
})

export function freshUid(rows: readonly Row[]): string {
  return `n${Math.max(-1, ...rows.map(({ uid }) => Number(uid.slice(1)))) + 1}`
}

/** A target as the value of a choice, and back. */
export const targetKey = (target: Target): string => {
  if (target.type === 'funnel') return `funnel:${target.funnelId}`
  return target.type === 'experiment' ? `experiment:${target.experimentId}` : 'none'
}

export function targetOf(key: string): Target {
  const [type, id = ''] = key.split(':')
  if (type === 'funnel') return { type, funnelId: id }
  return type === 'experiment' ? { type, experimentId: id } : { type: 'none' }
}
