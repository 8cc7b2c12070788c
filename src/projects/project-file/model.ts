import type { GrantOn } from '../../catalog/tables'
import type { ProductType } from '../../stores/observation'
import type { StoreSection } from '../credentials'
import type { Clawback, ProjectSettings } from '../settings'
import type { Path } from './problem'

/** Objects of the file; references are identifiers, never ids. */
export interface AccessState {
  displayName: string
  description: string | null
  metadata: Record<string, unknown>
}

export interface CurrencyState {
  name: string
  /** Null = the project's setting. */
  clawback: Clawback | null
  isArchived: boolean
}

export interface GrantState {
  currency: string
  amount: number
  grantOn: GrantOn
}

export interface ProductState {
  type: ProductType
  displayName: string
  period: string | null
  storeIds: { ios: string | null; android: string | null; payment: string | null }
  androidBasePlanId: string | null
  androidOfferId: string | null
  accessIds: string[]
  isActive: boolean
  metadata: Record<string, unknown>
  /** By currency and trigger. */
  grants: GrantState[]
}

export interface PackageState {
  identifier: string
  product: string
  order: number
  isPromoted: boolean
  metadata: Record<string, unknown>
}

export interface OfferingState {
  isDefault: boolean
  /** Ascending by order. */
  packages: PackageState[]
  metadata: Record<string, unknown>
}

export interface ProjectFields {
  slug: string
  name: string
  timezone: string
  allowedOrigins: string[]
  termsUrl: string | null
  privacyUrl: string | null
  settings: ProjectSettings
}

/** An object as the file wants it, under its identifier. */
export interface Wanted<State> {
  name: string
  /** Its identifier until now, when the file renames it. */
  was: string | null
  path: Path
  state: State
}

/** A place of the file that names another object. */
export interface Reference {
  resource: 'access' | 'product' | 'virtualCurrency'
  name: string
  path: Path
}

/** Slug and name have no default: without them the present ones stay. */
export type WantedProject = Omit<ProjectFields, 'slug' | 'name'> & {
  slug: string | null
  was: string | null
  name: string | null
}

/** A secret as the file gives it: its text, or why it is not there (then the saved one stays). */
export type WantedSecret = { value: string } | { missing: string }

export interface WantedStore {
  config: Record<string, unknown>
  secrets: Record<string, WantedSecret>
}

/** What a file says; an absent section is left alone. */
export interface ProjectFile {
  project: WantedProject | null
  access: Wanted<AccessState>[] | null
  virtualCurrencies: Wanted<CurrencyState>[] | null
  products: Wanted<ProductState>[] | null
  offerings: Wanted<OfferingState>[] | null
  stores: Partial<Record<StoreSection, WantedStore>> | null
  references: Reference[]
}
