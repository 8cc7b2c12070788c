/** The version of the document format; clients refuse a version that they do not know. */
export const CONFIG_FORMAT_VERSION = 1

/** A text by locale (BCP 47). */
export type LocalText = Readonly<Record<string, string>>

export const PAGE_TYPES = ['question', 'info', 'email', 'loader', 'payment', 'success'] as const
export type PageType = (typeof PAGE_TYPES)[number]

export const FIELD_KINDS = ['single', 'multi', 'text', 'number', 'date', 'email', 'consent'] as const
export type FieldKind = (typeof FIELD_KINDS)[number]

export interface FunnelOption {
  id: string
  label: LocalText
}

export interface FunnelField {
  id: string
  kind: FieldKind
  required: boolean
  /** For `single` and `multi`; empty for other kinds. */
  options: readonly FunnelOption[]
  /** A number, or of a `date` field a calendar date. */
  min: number | string | null
  max: number | string | null
}

export interface FunnelCondition {
  field: string
  op: Operator
  /** Absent where the operator has no operand. */
  value?: unknown
}

export interface FunnelRule {
  match: 'all' | 'any'
  when: readonly FunnelCondition[]
  to: string
}

export interface FunnelPage {
  id: string
  type: PageType
  title: LocalText
  fields: readonly FunnelField[]
  /** The first rule that matches decides, then `default`; null = the end of the funnel. */
  next: { rules: readonly FunnelRule[]; default: string | null }
}

export const OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'before',
  'after',
  'older_than_days',
  'within_days',
  'is_answered',
  'is_empty',
] as const
export type Operator = (typeof OPERATORS)[number]

export type FunnelStatus = 'DRAFT' | 'PUBLISHED' | 'ARCHIVED'

export interface FunnelSettings {
  /** The id of the offering, so that it can be renamed; absent = none. */
  offeringId?: string
}

/** The content of a funnel: a draft while it is edited, a version once it is published. */
export interface FunnelContent {
  pages: readonly FunnelPage[]
  theme: Readonly<Record<string, unknown>>
  settings: FunnelSettings
  defaultLocale: string
  locales: readonly string[]
}

/** A version as it was published; it never changes. */
export interface FunnelDocument extends FunnelContent {
  configFormatVersion: number
}
