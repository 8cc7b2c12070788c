import type { Json } from '../../base/lib/json-schema'
import { OBJECTS } from './openapi-example-objects'

/**
 * The smallest valid example of a converted schema: its required members (all members when none is required), one item
 * in each list, and realistic values. `name` is the name of the member, `owner` the name of the object around it.
 */
export function exampleOf(schema: Json, name = '', owner = ''): unknown {
  const given = givenValue(schema)
  if (given !== undefined) return given
  const branch = firstBranch(schema)
  if (branch) return exampleOf(branch, name, owner)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectExample(schema, name)
    case 'array':
      return arrayExample(schema, name)
    case 'string':
      return stringExample(schema, name, owner)
    case 'integer':
    case 'number':
      return numberExample(schema, name)
    case 'boolean':
      return /^(isActive|isDefault|undone|received)$/.test(name)
    case 'null':
      return null
    default:
      return STRINGS[name] ?? 'text'
  }
}

function givenValue(schema: Json): unknown {
  const whole = typeof schema.title === 'string' ? OBJECTS[schema.title] : undefined
  const [first] = [schema.examples, schema.enum].filter(Array.isArray).flat()
  return schema.const ?? schema.default ?? whole ?? first
}

function firstBranch(schema: Json): Json | undefined {
  const branches = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat() as Json[]
  return branches.find(({ type }) => type !== 'null') ?? branches[0]
}

/** Members in the example though not required: the schema also allows an alias, and the server needs one of the two. */
const ALWAYS_SHOWN = ['deviceKey', 'idempotencyKey']

function objectExample(schema: Json, name: string): Json {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  if (members.length === 0) return recordExample(schema, name)
  const required = [...((schema.required ?? []) as string[])]
  const isShown = (member: string) =>
    required.length === 0 || required.includes(member) || ALWAYS_SHOWN.includes(member)
  return Object.fromEntries(
    members.filter(([member]) => isShown(member)).map(([member, value]) => [member, exampleOf(value, member, name)]),
  )
}

/** An example with one entry; without entries when the schema states nothing about the values. */
function recordExample({ additionalProperties: value, propertyNames = {} }: Json, name: string): Json {
  if (typeof value !== 'object' || value === null) return {}
  if (Object.keys(value).length === 0 && !(`${name} key` in STRINGS)) return {}
  const key = stringExample(propertyNames as Json, `${name} key`, name)
  return { [key]: exampleOf(value as Json, `${name} value`, name) }
}

function arrayExample({ items, minItems = 1, maxItems = 1 }: Json, name: string): unknown[] {
  const count = Math.min(Math.max(1, Number(minItems)), Math.max(Number(minItems), Number(maxItems)))
  return items ? Array.from({ length: count }, () => exampleOf(items as Json, name.replace(/s$/, ''), name)) : []
}

const NUMBERS: Record<string, number> = {
  'credits value': 42,
  amount: 42,
  amountMicros: 9_990_000,
  balance: 42,
  'balances value': 42,
  creditsShortfall: 0,
  creditsTransferred: 42,
  index: 0,
  order: 0,
  'virtualCurrencyBalances value': 42,
}

function numberExample({ minimum, maximum }: Json, name: string): number {
  const wanted = NUMBERS[name] ?? 1
  return Math.min(Math.max(wanted, Number(minimum ?? wanted)), Number(maximum ?? wanted))
}

const ID = '01m5vnfe40es8r65rzyjka792g'
const INSTANT = '2026-11-20T08:00:00.000Z'
const LATER = '2026-12-20T08:00:00.000Z'
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const PAGE = 'https://app.example.com/thanks'

const FORMATS: Record<string, string> = {
  date: INSTANT.slice(0, 10),
  email: 'ada@example.com',
  uri: PAGE,
  'uri-template': PAGE,
  uuid: UUID,
}

/** By name of the member, or of owner and member. `x key` and `x value` are for the entries of a record named x. */
const STRINGS: Record<string, string> = {
  access: 'pro',
  'access key': 'pro',
  accessId: `acc_${ID}`,
  action: 'CANCEL',
  assignedVariantId: 'b',
  bucketingId: 'svc_8fK2mQ7xLw',
  android: 'pro_monthly',
  androidBasePlanId: 'monthly',
  androidOfferId: 'first-month',
  appUserId: 'user_1',
  'attributes key': 'plan',
  'attributes value': 'gold',
  'balances key': 'gems',
  code: 'gems',
  country: 'DE',
  'credits key': 'gems',
  currency: 'USD',
  defaultLocale: 'en',
  detail: 'DID_RENEW',
  deviceKey: 'svc_8fK2mQ7xLw',
  displayName: 'Pro Monthly',
  'entitlements key': 'pro',
  env: 'PROD',
  environment: 'PRODUCTION',
  eventId: 'evt_01m5wynsm0e35rw9hmckwyqppc',
  experimentId: `exp_${ID}`,
  experimentKey: 'checkout_test',
  experimentType: 'FLAG',
  flagId: `flg_${ID}`,
  fromAppUserId: 'user_1',
  fromProductId: `prd_${ID}`,
  fromSubscriberId: `sub_${ID}`,
  funnelId: `fnl_${ID}`,
  idempotencyKey: 'order-1001',
  identifier: 'default',
  ios: 'com.example.pro.monthly',
  jobId: `imp_${ID}`,
  key: 'checkout_test',
  keyIdentifier: 'ABC123DEFG',
  kid: 'ABC123DEFG',
  linesRemove: `txn_${ID}`,
  linesRemoved: `txn_${ID}`,
  locale: 'en',
  merged: `pur_${ID}`,
  message: 'This is a test',
  nextCursor: 'ZXZ0OjE4MjQ',
  nonce: UUID,
  offerId: 'first_month',
  'package.identifier': 'pro_monthly',
  packageIdentifier: '$svc_monthly',
  password: 'a long secret of yours',
  payment: 'price_1',
  pageId: 'welcome',
  placementId: `plc_${ID}`,
  previousAppUserId: 'user_0',
  productId: 'pro_monthly',
  productIdentifier: 'pro_monthly',
  projectId: `prj_${ID}`,
  purchaseId: `pur_${ID}`,
  ref: 'req_01m5w6mr80evr88y42wdngtn4v',
  referenceId: `pur_${ID}`,
  referenceType: 'PURCHASE',
  refundedTransactionId: `txn_${ID}`,
  requestedBy: 'ada@example.com',
  receipt: 'eyJhbGciOiJFUzI1NiIsIng1YyI6WyJNSUlF...',
  restoredSubscriberId: `sub_${ID}`,
  sessionId: `fse_${ID}`,
  signature: 'MEUCIQ...',
  slug: 'welcome',
  status: 'ACTIVE',
  store: 'IOS_STORE',
  storeProductId: 'com.example.pro.monthly',
  subscriberId: `sub_${ID}`,
  svcId: 'svc_8fK2mQ7xLw',
  toAppUserId: 'user_2',
  toProductId: `prd_${ID}`,
  toSubscriberId: 'sub_01m5vpfe40es8r65rzyjka79zz',
  transactionId: `vtx_${ID}`,
  transferId: `trf_${ID}`,
  variantId: 'b',
  variantName: 'Treatment',
  'virtualCurrencyBalances key': 'gems',
}

/** Prefix of an `id`, by the name of the object that has it. */
const ID_PREFIXES: Record<string, string> = { event: 'evt', purchase: 'pur', request: 'dsr', transaction: 'txn' }

/** Values to try in this order when name and format give none. The first one that the schema accepts is used. */
const FALLBACKS = [
  'text',
  'pro',
  '1',
  'USD',
  '123456',
  INSTANT,
  `sub_${ID}`,
  UUID,
  PAGE,
  'ab'.repeat(16),
  'ab'.repeat(32),
]

function stringExample(schema: Json, name: string, owner: string): string {
  const candidates = [formedExample(schema, name), namedExample(name, owner), ...FALLBACKS]
  return candidates.find((text) => text !== undefined && accepts(schema, text)) ?? fitting(schema)
}

function formedExample({ format }: Json, name: string): string | undefined {
  if (format === 'date-time' || /(At|Date|Until)$/.test(name))
    return /^(expire|undoable|end)/.test(name) ? LATER : INSTANT
  return FORMATS[String(format)]
}

const namedExample = (name: string, owner: string): string | undefined =>
  name === 'id' ? `${ID_PREFIXES[owner] ?? 'sub'}_${ID}` : (STRINGS[`${owner}.${name}`] ?? STRINGS[name])

function accepts({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Json, text: string): boolean {
  if (text.length < Number(minLength) || text.length > Number(maxLength)) return false
  return pattern === undefined || new RegExp(String(pattern), 'u').test(text)
}

const fitting = ({ minLength = 0 }: Json): string => 'x'.repeat(Math.max(1, Number(minLength)))
