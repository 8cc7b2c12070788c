import type { SdkCaller } from './model'

/** A product as a phone names it. */
export interface SoldName {
  id: string
  /** The base plan at Google Play. */
  plan: string | null
}

/** The parts of a receipt call that are used. */
export interface ReceiptBody {
  /** Empty when the call has none. */
  token: string
  products: SoldName[]
  isRestore: boolean
  context: Record<string, unknown> | null
}

type Members = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? { ...value } : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_PRODUCTS) : [])
const MAX_PRODUCTS = 50
const MAX_NAME = 255

/** Reads a receipt leniently: what is missing or of another type is left out, because a purchase depends on it. */
export const readReceipt = (body: Members): ReceiptBody => ({
  token: textOf(body.fetch_token) ?? '',
  products: productsOf(body),
  isRestore: body.is_restore === true,
  context: contextOf(body),
})

function productsOf({ product_id, product_ids, platform_product_ids }: Members): SoldName[] {
  const detailed = listOf(platform_product_ids).flatMap((one) => {
    const { product_id: id, base_plan_id } = membersOf(one)
    return named(textOf(id), textOf(base_plan_id))
  })
  if (detailed.length > 0) return detailed
  const listed = listOf(product_ids).flatMap((id) => named(textOf(id), null))
  return listed.length > 0 ? listed : named(textOf(product_id), null)
}

const named = (id: string | null, plan: string | null): SoldName[] =>
  id === null || id.length > MAX_NAME ? [] : [{ id, plan }]

function contextOf(body: Members): Record<string, unknown> | null {
  const { revision, rule_id } = membersOf(body.applied_targeting_rule)
  const rule = textOf(rule_id)
  const known: [string, unknown][] = [
    ['offeringIdentifier', short(body.presented_offering_identifier)],
    ['placementId', short(body.presented_placement_identifier)],
    ['targetingRuleId', short(rule)],
    ['targetingRevision', typeof revision === 'number' ? revision : null],
  ]
  const given = known.filter(([, value]) => value !== null)
  return given.length === 0 ? null : Object.fromEntries(given)
}

const short = (value: unknown): string | null => textOf(value)?.slice(0, MAX_NAME) ?? null

/** What kind of proof a token is, and what is to be done with it. */
export type Proof =
  | { kind: 'NONE' }
  | { kind: 'TEST' }
  | { kind: 'IOS'; receipts: { receipt: string; productId: string | null }[] }
  | { kind: 'ANDROID' }
  /** It may be real, and nothing here can read it: the phone keeps the purchase. */
  | { kind: 'UNREADABLE'; why: string }
  | { kind: 'FORGED'; why: string }

const TEST_TOKEN = /^test_\d+_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const STOREKIT_1 =
  'This server reads StoreKit 2 transactions only; update the app or set its SDK to StoreKit 2. The purchase stays with the store'

export function proofOf({ platform, isTest }: Pick<SdkCaller, 'platform' | 'isTest'>, token: string): Proof {
  // A phone without any purchase sends a receipt without a token at a restore.
  if (token === '') return platform === 'ios' ? { kind: 'NONE' } : { kind: 'FORGED', why: 'The receipt has no token' }
  if (TEST_TOKEN.test(token) || isTest)
    return isTest && TEST_TOKEN.test(token)
      ? { kind: 'TEST' }
      : { kind: 'FORGED', why: 'A token of the test store belongs to a key with the prefix test_' }
  if (platform === 'ios') return iosProof(token)
  if (platform === 'android') return { kind: 'ANDROID' }
  return { kind: 'UNREADABLE', why: 'This server takes no receipts of that store' }
}

const JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/

function iosProof(token: string): Proof {
  if (JWS.test(token)) return { kind: 'IOS', receipts: [toReceipt(token)] }
  const text = Buffer.from(token, 'base64')
  const listed = jwsListOf(text)
  if (listed) return { kind: 'IOS', receipts: listed.map(toReceipt) }
  // The receipt file of an app is a PKCS#7 container, a DER sequence.
  if (text[0] === 0x30) return { kind: 'UNREADABLE', why: STOREKIT_1 }
  return { kind: 'FORGED', why: 'The receipt is neither a signed transaction nor the receipt file of an app' }
}

/** Xcode's local testing sends all signed transactions in one list. */
function jwsListOf(text: Buffer): string[] | null {
  try {
    const list: unknown = JSON.parse(text.toString('utf8'))
    const signed = Array.isArray(list) ? list.filter((one) => typeof one === 'string' && JWS.test(one)) : []
    return signed.length === 0 ? null : signed.slice(0, MAX_PRODUCTS)
  } catch {
    return null
  }
}

/**
 * The transaction with the product that it names. The signature is checked later, together with this product.
 */
function toReceipt(receipt: string): { receipt: string; productId: string | null } {
  try {
    const { productId } = membersOf(JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString('utf8')))
    return { receipt, productId: textOf(productId) }
  } catch {
    return { receipt, productId: null }
  }
}
