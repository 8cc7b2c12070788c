import type { Schemas } from '../../../api/schemas'

export type StoreName = 'ios' | 'android' | 'payment'
export type StoreStatus = Schemas['StoreStatus']
export type Credentials = Schemas['StoreCredentials']

/** What the form of each store needs. */
export interface FormProps<Saved> {
  saved: Saved
  onClose: () => void
  /** Why the person may not save; null when they may. */
  reason: string | null
}

export const STORES: readonly StoreName[] = ['ios', 'android', 'payment']

export const PATHS = {
  apps: '/dashboard/projects/{projectId}/apps',
  credentials: '/dashboard/projects/{projectId}/credentials',
  payment: '/dashboard/projects/{projectId}/payment',
} as const
