/** The version of the document format; clients refuse a version that they do not know. */
export const CONFIG_FORMAT_VERSION = 1

/** A text by locale (BCP 47). */
export type LocalText = Readonly<Record<string, string>>

export const PAGE_TYPES = ['question', 'info', 'email', 'loader', 'payment', 'success'] as const
export type PageType = (typeof PAGE_TYPES)[number]

export const FIELD_KINDS = [
  'single',
  'multi',
  'text',
  'number',
  'date',
  'email',
  'consent',
  'slider',
  'height',
  'weight',
  'rating',
  'phone',
] as const
export type FieldKind = (typeof FIELD_KINDS)[number]

export const FIELD_PATTERNS = ['email', 'phone', 'zip'] as const
export type FieldPattern = (typeof FIELD_PATTERNS)[number]

/** A file of the project by its id, with the text for those who do not see it. */
export interface AssetUse {
  asset: string
  alt?: LocalText
}

export interface FunnelOption {
  id: string
  label: LocalText
  image?: AssetUse
  /** What choosing the option adds to the score. */
  value?: number
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
  /** The attribute of the subscriber that the answer becomes when the funnel is claimed. */
  attribute?: string
  /** Shown above the field. Without it, the title of the page labels a single field. */
  label?: LocalText
  placeholder?: LocalText
  pattern?: FieldPattern
  /** Present and true: the answer is encrypted, and left out of everything but the data export of its subject. */
  sensitive?: true
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

export const BLOCK_TYPES = [
  'heading',
  'text',
  'list',
  'image',
  'video',
  'lottie',
  'spacer',
  'divider',
  'stack',
  'card',
  'button',
  'field',
  'progress',
  'timer',
  'testimonial',
  'faq',
  'chart',
  'plans',
  'checkout',
  'legal',
  'store_buttons',
  'qr',
  'html',
] as const
export type BlockType = (typeof BLOCK_TYPES)[number]

export type FunnelAction =
  | { type: 'next' | 'back' | 'skip' }
  | { type: 'to'; pageId: string }
  | { type: 'open'; url: string }

/** What a block of each type shows; `children` lie one level deeper. */
export interface BlockProps {
  heading: { text: LocalText; level?: 1 | 2 | 3 }
  text: { text: LocalText }
  list: { items: readonly LocalText[]; ordered?: boolean }
  image: AssetUse
  video: AssetUse & { poster?: AssetUse; loop?: boolean }
  lottie: AssetUse & { loop?: boolean }
  /** In pixels. */
  spacer: { size?: number }
  divider: object
  stack: { direction: 'row' | 'column'; gap?: number; children: readonly FunnelBlock[] }
  card: { children: readonly FunnelBlock[] }
  button: { label: LocalText; action: FunnelAction; isSecondary?: boolean }
  field: { fieldId: string }
  progress: object
  timer: { seconds: number; then: FunnelAction | null }
  testimonial: { quote: LocalText; author: LocalText; rating?: number; image?: AssetUse }
  faq: { items: readonly { question: LocalText; answer: LocalText }[] }
  chart: { kind: ChartKind; points: readonly { label: LocalText; value: number }[] }
  plans: {
    /** The packages by identifier, or all of the offering. */
    packages: readonly string[] | 'offering'
    layout: 'list' | 'cards'
    highlight?: string
    showPerDay?: boolean
  }
  checkout: { layout: 'express_first' | 'express_only' | 'card' }
  legal: { text?: LocalText }
  store_buttons: object
  qr: object
  /** Drawn in a frame that can reach nothing. */
  html: { source: string; height?: number }
}

export const CHART_KINDS = ['line', 'bar', 'donut'] as const
export type ChartKind = (typeof CHART_KINDS)[number]

export interface VisibleWhen {
  match: 'all' | 'any'
  when: readonly FunnelCondition[]
}

export type FunnelBlock = {
  [Type in BlockType]: {
    id: string
    type: Type
    props: BlockProps[Type]
    visibleWhen?: VisibleWhen
    style?: BlockStyle
  }
}[BlockType]

export interface BlockStyle {
  align?: 'start' | 'center' | 'end'
  size?: 'small' | 'medium' | 'large'
  tone?: 'normal' | 'muted' | 'accent' | 'danger' | 'success'
  /** In pixels. */
  space?: number
}

export interface FunnelPage {
  id: string
  type: PageType
  title: LocalText
  fields: readonly FunnelField[]
  /** Absent: the page is drawn from its title and fields. */
  blocks?: readonly FunnelBlock[]
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

export const FUNNEL_STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const
export type FunnelStatus = (typeof FUNNEL_STATUSES)[number]

export const THEME_COLORS = [
  'background',
  'surface',
  'text',
  'muted',
  'accent',
  'onAccent',
  'danger',
  'success',
] as const
export type ThemeColor = (typeof THEME_COLORS)[number]
/** `#rrggbb` by use; colours that are absent are those of the default theme. */
export type ThemeColors = Partial<Record<ThemeColor, string>>

export interface FunnelTheme {
  colors?: ThemeColors
  /** The colours for visitors who prefer a dark page; absent = the page is always light. */
  dark?: ThemeColors
  /** Of corners, in pixels. */
  radius?: number
  /** Font families by id, or `system`. */
  fonts?: { heading?: string; body?: string }
  density?: 'compact' | 'normal' | 'spacious'
  logo?: AssetUse
  /** The form of before there were `colors`: the same as `colors.accent`. */
  accent?: string
}

/** What both forms of the settings have. */
export interface FunnelOptions {
  /** Whether a bar shows how far the visitor has come; true unless given. */
  progress?: boolean
  /** Whether pages have a way back; true unless given. */
  back?: boolean
  /** Whether the language follows the browser's; true unless given. */
  locales?: boolean
  /** The members of the address that texts may use. */
  queryParameters?: readonly string[]
  success?: { mode: 'claim' | 'redirect'; url?: string }
  requireTermsConsent?: boolean
  emailBeforePayment?: boolean
  /** Whether a visitor is remembered only after consent. */
  requireConsent?: boolean
  supportEmail?: string
  /** Whether an iPhone may claim without a link, by its address and language. */
  deferredMatch?: boolean
}

/** The settings as callers send and get them. */
export interface GivenSettings extends FunnelOptions {
  /** The identifier of the offering. */
  offering?: string
}

/** The settings as they are saved. */
export interface FunnelSettings extends FunnelOptions {
  /** The id of the offering, so that it can be renamed; absent = none. */
  offeringId?: string
}

/** The content of a funnel: a draft while it is edited, a version once it is published. */
export interface FunnelContent {
  pages: readonly FunnelPage[]
  theme: FunnelTheme
  settings: FunnelSettings
  defaultLocale: string
  locales: readonly string[]
}

/** A version as it was published; it never changes. */
export interface FunnelDocument extends FunnelContent {
  configFormatVersion: number
}
