import type { FunnelPage } from '../../funnels/publication/model'
import type { GrantOn } from '../../projects/catalog/tables'
import type { StoreSection } from '../../projects/connections/credentials'
import type { Clawback, ProjectSettings } from '../../projects/project/settings'
import type { ProductType } from '../../stores/observation'
import type { ExperimentStatus, ExperimentType, Variant } from '../../targeting/experiments/model'
import type { FlagEnvironment, FlagType } from '../../targeting/flags/model'
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

export interface AudienceState {
  description: string | null
  rules: Record<string, unknown>
}

/** A rule with its audience by name. */
export interface FlagRuleState {
  audience: string | null
  conditions: Record<string, unknown> | null
  value: unknown
  rolloutPercentage: number | null
}

/** A flag in one environment: an object of its own, as it is a row of its own. */
export interface FlagState {
  type: FlagType
  description: string | null
  isEnabled: boolean
  defaultValue: unknown
  rules: FlagRuleState[]
}

/** A flag as the file writes it, under one key. */
export interface FlagEntry {
  type: FlagType
  environments: Partial<Record<FlagEnvironment, FlagState>>
}

export interface ExperimentState {
  name: string
  type: ExperimentType
  /** Null = everybody. */
  audience: string | null
  metrics: string[]
  /** The value of a FUNNEL experiment's variant is `{ funnel }`, by its slug. */
  variants: Variant[]
  mutualExclusionGroup: string | null
  scheduledStartAt: string | null
  scheduledStopAt: string | null
  status: ExperimentStatus
}

export interface FunnelState {
  name: string
  defaultLocale: string
  locales: string[]
  /** Whether the draft stands for all to see, an older version does, or none. */
  published: 'no' | 'older' | 'current'
  theme: Record<string, unknown>
  settings: { offering: string | null }
  pages: FunnelPage[]
}

export type TargetState =
  | { type: 'none' }
  | { type: 'funnel'; funnel: string }
  | { type: 'experiment'; experiment: string }

export interface PlacementRowState {
  /** Null = everybody. */
  audience: string | null
  target: TargetState
}

export interface PlacementState {
  name: string
  isActive: boolean
  rows: PlacementRowState[]
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
  resource: 'access' | 'product' | 'virtualCurrency' | 'offering' | 'audience' | 'funnel' | 'experiment'
  /** In a row of a placement, where another code refuses it. */
  isInRow: boolean
  name: string
  path: Path
}

/** Slug and name have no default: without them the present ones stay. */
export type WantedProject = Omit<ProjectFields, 'slug' | 'name'> & {
  slug: string | null
  was: string | null
  name: string | null
}

/** Without a status the present one stays; a new experiment is a DRAFT. */
export type WantedExperiment = Omit<ExperimentState, 'status'> & { status: ExperimentStatus | null }

/** `publish` makes the draft stand; without it what stands stays. */
export type WantedFunnel = Omit<FunnelState, 'published'> & { publish: boolean }

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
  audiences: Wanted<AudienceState>[] | null
  flags: Wanted<FlagEntry>[] | null
  experiments: Wanted<WantedExperiment>[] | null
  funnels: Wanted<WantedFunnel>[] | null
  placements: Wanted<PlacementState>[] | null
  stores: Partial<Record<StoreSection, WantedStore>> | null
  references: Reference[]
}
