import type { Json } from './openapi-schema'

/**
 * The smallest true example of a lifted schema: its required members (all of them where none is required), one item
 * per list, values that look like the real ones. `name` is the member's name, `owner` that of the object around it.
 */
export function exampleOf(schema: Json, name = '', owner = ''): unknown {
  const given = givenValue(schema)
  if (given !== undefined) return given
  const branch = firstBranch(schema)
  if (branch) return exampleOf(branch, name, owner)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return objectExample(schema, name)
  if (type === 'array') return arrayExample(schema, name)
  if (type === 'string') return stringExample(schema, name, owner)
  if (type === 'integer' || type === 'number') return numberExample(schema, name)
  return type === 'null' ? null : type === 'boolean' || unknownExample(name)
}

function givenValue(schema: Json): unknown {
  const [first] = [schema.examples, schema.enum].filter(Array.isArray).flat()
  return schema.const ?? schema.default ?? first
}

function firstBranch(schema: Json): Json | undefined {
  const branches = [schema.anyOf, schema.oneOf].filter(Array.isArray).flat() as Json[]
  return branches.find(({ type }) => type !== 'null') ?? branches[0]
}

function objectExample(
  { properties = {}, required = [], additionalProperties, propertyNames }: Json,
  name: string,
): Json {
  const members = Object.entries(properties as Record<string, Json>)
  const needed =
    (required as string[]).length > 0 ? members.filter(([key]) => (required as string[]).includes(key)) : members
  const example = Object.fromEntries(needed.map(([key, schema]) => [key, exampleOf(schema, key, name)]))
  if (members.length > 0 || typeof additionalProperties !== 'object' || additionalProperties === null) return example
  const key = stringExample((propertyNames ?? {}) as Json, `${name} key`, name)
  return { [key]: exampleOf(additionalProperties as Json, `${name} value`, name) }
}

function arrayExample({ items, minItems = 1, maxItems = 1 }: Json, name: string): unknown[] {
  const count = Math.min(Math.max(1, Number(minItems)), Number(maxItems))
  return items ? Array.from({ length: count }, () => exampleOf(items as Json, name.replace(/s$/, ''), name)) : []
}

const NUMBERS: Json = { amountMicros: 9_990_000, priceMicros: 9_990_000, balance: 100, amount: 100, quantity: 1 }

function numberExample(schema: Json, name: string): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  const wanted = Number(NUMBERS[name] ?? 1)
  return Math.min(Math.max(wanted, Number(minimum)), Number(maximum))
}

const INSTANT = '2026-11-20T08:00:00.000Z'

const FORMATS: Record<string, string> = {
  'date-time': INSTANT,
  date: '2026-11-20',
  uri: 'https://app.example/thanks',
  email: 'ada@example.com',
  uuid: '4fdf56a2-9cc6-4f7c-8a4c-2b1f3f1d6d10',
}

const STRINGS: Record<string, string> = {
  appUserId: 'user_1',
  subscriberId: 'sub_01m5vnfe40es8r65rzyjka792g',
  deviceKey: 'svc_2Zk8fQ1mVtR4cXyB7nLw',
  svcId: 'svc_2Zk8fQ1mVtR4cXyB7nLw',
  productIdentifier: 'pro_monthly',
  productId: 'pro_monthly',
  storeProductId: 'com.example.pro.monthly',
  basePlanId: 'monthly',
  identifier: 'default',
  currency: 'USD',
  code: 'coins',
  email: 'ada@example.com',
  type: 'subscription',
  displayName: 'Pro monthly',
  reason: 'ACTIVE_PURCHASE',
  'attributes key': 'plan',
  'attributes value': 'gold',
  'access key': 'pro',
  'entitlements key': 'pro',
  'virtualCurrencies key': 'coins',
  'balances key': 'coins',
}

const ID_PREFIXES: Record<string, string> = {
  purchase: 'pur',
  transaction: 'vtx',
  transfer: 'trf',
  event: 'evt',
  request: 'dsr',
}
const ID_BODY = '01m5vnfe40es8r65rzyjka792g'

/** Tried in turn when the name says nothing; the first that the schema accepts is taken. */
const FALLBACKS = [
  'pro',
  'text',
  'USD',
  '1',
  INSTANT,
  `sub_${ID_BODY}`,
  'https://app.example/thanks',
  'ab'.repeat(16),
  'ab'.repeat(32),
]

function stringExample(schema: Json, name: string, owner: string): string {
  const named = name === 'id' ? `${ID_PREFIXES[owner] ?? 'sub'}_${ID_BODY}` : STRINGS[name]
  const formed =
    schema.format === undefined ? (/(At|Date)$/.test(name) ? INSTANT : undefined) : FORMATS[String(schema.format)]
  const candidates = [formed, named, ...FALLBACKS].filter((text) => text !== undefined)
  return candidates.find((text) => accepts(schema, text)) ?? fitting(schema)
}

function accepts({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Json, text: string): boolean {
  if (text.length < Number(minLength) || text.length > Number(maxLength)) return false
  return pattern === undefined || new RegExp(String(pattern), 'u').test(text)
}

const fitting = ({ minLength = 0 }: Json): string => 'x'.repeat(Math.max(1, Number(minLength)))

const unknownExample = (name: string): unknown => STRINGS[name] ?? 'text'
