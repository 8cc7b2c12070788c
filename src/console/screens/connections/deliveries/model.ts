import type { Schemas } from '../../../api/schemas'

export type Delivery = Schemas['Delivery']

/** Something still happens to it by itself. */
export const isOpen = (status: Delivery['status']): boolean =>
  status === 'PENDING' || status === 'DELIVERING' || status === 'FAILED'

export const STATES = ['PENDING', 'DELIVERING', 'SUCCEEDED', 'FAILED', 'DEAD', 'DISMISSED', 'SKIPPED'] as const

export const stateOf = (text: string): Delivery['status'] | null => STATES.find((one) => one === text) ?? null
