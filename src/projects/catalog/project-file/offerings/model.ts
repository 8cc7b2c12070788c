import { sectionKey } from '../../../project-file/model'

export interface PackageState {
  identifier: string
  product: string
  order: number
  isPromoted: boolean
  metadata: Record<string, unknown>
}

export interface OfferingState {
  isDefault: boolean
  /** Ascending by `order`. */
  packages: PackageState[]
  metadata: Record<string, unknown>
}

export const OFFERINGS = sectionKey<OfferingState>('offerings', 'offering')
