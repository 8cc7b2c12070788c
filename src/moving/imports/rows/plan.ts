import type { FileForm, ImportKind, ImportMapping } from '../model'
import { CANONICAL, type Canonical } from './canonical'
import { ABSENT } from './fields'
import { type AttributeForm, isOwnExport, type Preset, type StoreRule } from './presets'

/** The settings of a job for the rows of its files. */
export interface RowRules {
  kind: ImportKind
  preset: Preset | null
  mapping: ImportMapping
  form: FileForm
}

/** Where in a record the values of a row are, and by which special rules they are read. */
export interface RowPlan {
  columns: Readonly<Record<Canonical, number>>
  isSecondPass: boolean
  storeRule: StoreRule
  /** Value of the file, in lower case → store. */
  stores: ReadonlyMap<string, string>
  attributes: AttributeForm
  /** Each of these columns is an attribute with the name of the column. */
  attributeColumns: readonly number[]
  /** Columns that count when the mapped one is empty. */
  otherId: number
  otherEnd: number
  /** Columns about the product itself. */
  productName: number
  productType: number
  productPeriod: number
  /** Attributes that hold the e-mail address and the name. */
  reserved: number
  /** A row with a value in one of these columns is left out: a person who was merged or erased. */
  gone: readonly number[]
  /** Whether our own export has written the file, and whether its texts have apostrophes before formulas. */
  isOwnExport: boolean
  isGuarded: boolean
  /** Whether a cancelled purchase never renews, whatever the column contains. */
  isEndedByCancelling: boolean
}

/** The column that counts when that of the id is empty, by preset. */
const OTHER_IDS: Readonly<Record<string, string>> = {
  revenuecat_v5: 'rc_original_app_user_id',
  svc_subscribers: 'device_key',
}

const PRODUCT_NAMES = ['product_display_name', 'productDisplayName', 'product_name', 'productName']
const PRODUCT_TYPES = ['product_type', 'productType', 'type']
const PRODUCT_PERIODS = [
  ...['product_duration', 'productDuration', 'product_period', 'productPeriod', 'subscription_period'],
  ...['subscriptionPeriod', 'billing_period', 'billingPeriod', 'subscription_duration', 'duration', 'period'],
]

const firstOf = (headers: readonly string[], names: readonly string[]): number =>
  names.map((name) => headers.indexOf(name)).find((column) => column !== ABSENT) ?? ABSENT

/** The special rules of a preset hold for a column as long as it is mapped as the preset proposes. */
export function planRows({ kind, preset, mapping, form }: RowRules, headers: readonly string[]): RowPlan {
  const at = (header: string | undefined) => (header === undefined ? ABSENT : headers.indexOf(header))
  const isProposed = (name: Canonical) => preset?.columns[name]?.includes(mapping.columns[name] ?? '') ?? false
  const isVendor = preset?.name === 'revenuecat_v5'
  const isOwn = isOwnExport(headers)
  const isOfPeople = preset?.storeRule === 'PERSON'
  // The list of names is complete.
  const columns = Object.fromEntries(CANONICAL.map((name) => [name, at(mapping.columns[name])])) as Record<
    Canonical,
    number
  >
  return {
    columns,
    isSecondPass: kind === 'ANDROID_TOKEN_ENRICHMENT',
    storeRule: columns.store === ABSENT ? (preset?.storeRule ?? 'NONE') : 'NONE',
    stores: new Map(Object.entries(mapping.valueMap.store ?? {}).map(([from, to]) => [from.toLowerCase(), to])),
    attributes: isProposed('attributes') ? (preset?.attributes ?? 'PLAIN') : 'PLAIN',
    attributeColumns: preset?.name === 'revenuecat_receipts' ? attributeColumns(columns, headers) : [],
    otherId: isProposed('subscriberExternalId') ? at(OTHER_IDS[preset?.name ?? '']) : ABSENT,
    otherEnd: isVendor && isProposed('expiresDate') ? at('effective_end_time') : ABSENT,
    productName: firstOf(headers, PRODUCT_NAMES),
    productType: firstOf(headers, PRODUCT_TYPES),
    productPeriod: firstOf(headers, PRODUCT_PERIODS),
    reserved: isVendor ? at('reserved_subscriber_attributes') : ABSENT,
    gone: isOfPeople ? [at('merged_into'), at('erased_at')] : [],
    isOwnExport: isOwn,
    isGuarded: isOwn && form === 'CSV',
    isEndedByCancelling: isVendor && isProposed('autoRenews'),
  }
}

/** The columns that are not mapped, unless one column holds all attributes. */
function attributeColumns(columns: RowPlan['columns'], headers: readonly string[]): number[] {
  if (columns.attributes !== ABSENT) return []
  const mapped = new Set(Object.values(columns))
  return headers.flatMap((header, place) => (mapped.has(place) || header === '' ? [] : [place]))
}
