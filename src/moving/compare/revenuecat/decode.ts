import { parseIso } from '../../../base/lib/time'
import { reasonText } from '../../../core/reason/reasons'
import type { OwnershipType, Store } from '../../../stores/observation'
import type { TheirEntitlement, TheirPurchase, TheirSide } from '../core/model'

/** The answer is not what the vendor documents. The person cannot be compared; nothing is said to differ. */
export class AnswerFault extends Error {}

type Members = Record<string, unknown>

/** Reads the answer of `GET /v1/subscribers/{id}`. Unknown members are left alone; throws `AnswerFault`. */
export function decodeSubscriber(text: string): TheirSide {
  const answer = asObject(parse(text), 'the answer')
  const subscriber = asObject(answer.subscriber, 'subscriber')
  const subscriptions = asObject(subscriber.subscriptions, 'subscriber.subscriptions')
  const once = asObject(subscriber.non_subscriptions ?? {}, 'subscriber.non_subscriptions')
  const entitlements = asObject(subscriber.entitlements, 'subscriber.entitlements')
  return {
    at: instantOfAnswer(answer),
    customerId: asText(subscriber.original_app_user_id, 'subscriber.original_app_user_id'),
    firstSeen: toDate(subscriber.first_seen, 'subscriber.first_seen'),
    entitlements: Object.entries(entitlements).map(([name, value]) => toEntitlement(name, value)),
    purchases: [
      ...Object.entries(subscriptions).map(([product, value]) => toSubscription(product, value)),
      ...Object.entries(once).flatMap(([product, value]) => toOnce(product, value)),
    ],
  }
}

/** Transaction ids are sometimes numbers, and may have more digits than a number keeps. */
const LONG_ID = /("store_transaction_id"\s*:\s*)(\d{1,40})(?=\s*[,}])/g

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(LONG_ID, '$1"$2"'))
  } catch {
    throw new AnswerFault(reasonText('VENDOR_NO_JSON'))
  }
}

/** Instants outside of these years are damaged, whatever their form. */
const [EARLIEST, LATEST] = [Date.UTC(2001, 0), Date.UTC(2200, 0)]

function instantOfAnswer({ request_date_ms: ms, request_date: date }: Members): number {
  if (ms === undefined || ms === null) {
    const at = toDate(date, 'request_date')
    if (at !== null) return at
  } else if (typeof ms === 'number' && Number.isFinite(ms) && ms >= EARLIEST && ms < LATEST) return Math.floor(ms)
  throw new AnswerFault('request_date_ms is not an instant')
}

function toEntitlement(identifier: string, value: unknown): TheirEntitlement {
  const at = `entitlements.${identifier}`
  const entry = asObject(value, at)
  return {
    identifier,
    end: toEnd(entry, at),
    product: toText(entry.product_identifier, `${at}.product_identifier`),
    plan: toText(entry.product_plan_identifier, `${at}.product_plan_identifier`),
  }
}

function toSubscription(product: string, value: unknown): TheirPurchase {
  const at = `subscriptions.${product}`
  const entry = asObject(value, at)
  const date = (name: string) => toDate(entry[name], `${at}.${name}`)
  const period = toText(entry.period_type, `${at}.period_type`)?.toLowerCase()
  return {
    ...commonOf(entry, at),
    isSubscription: true,
    product,
    plan: toText(entry.product_plan_identifier, `${at}.product_plan_identifier`),
    end: toEnd(entry, at),
    isTrial: period === 'trial',
    isIntroOffer: period === 'intro',
    ownership: toOwnership(entry.ownership_type, `${at}.ownership_type`),
    hasTrouble: date('billing_issues_detected_at') !== null,
    isRefunded: date('refunded_at') !== null,
    isUnsubscribed: date('unsubscribe_detected_at') !== null,
    hasResumeDate: date('auto_resume_date') !== null,
  }
}

function toOnce(product: string, value: unknown): TheirPurchase[] {
  const at = `non_subscriptions.${product}`
  if (!Array.isArray(value)) throw new AnswerFault(`${at} is not a list`)
  return value.map((one: unknown) => ({
    ...commonOf(asObject(one, at), at),
    ...{ isSubscription: false, product, plan: null, end: null, isTrial: false, isIntroOffer: false },
    ...{ ownership: null, hasTrouble: false, isRefunded: null, isUnsubscribed: false, hasResumeDate: false },
  }))
}

function commonOf(entry: Members, at: string) {
  const start = toDate(entry.purchase_date, `${at}.purchase_date`)
  if (start === null) throw new AnswerFault(`${at}.purchase_date is missing`)
  if (typeof entry.is_sandbox !== 'boolean') throw new AnswerFault(`${at}.is_sandbox is not a boolean`)
  const storeName = asText(entry.store, `${at}.store`)
  return {
    start,
    storeName,
    store: STORES.get(storeName.toLowerCase()) ?? null,
    transactionId: toId(entry.store_transaction_id, `${at}.store_transaction_id`),
    originalStart: toDate(entry.original_purchase_date, `${at}.original_purchase_date`),
    isSandbox: entry.is_sandbox,
  }
}

/** Rule 7. The others have no counterpart here. */
const STORES: ReadonlyMap<string, Store> = new Map([
  ['app_store', 'IOS_STORE'],
  ['mac_app_store', 'IOS_STORE'],
  ['play_store', 'ANDROID_STORE'],
  ['stripe', 'PAYMENT'],
  ['paddle', 'PAYMENT'],
  ['rc_billing', 'PAYMENT'],
  ['promotional', 'MANUAL'],
])

/** Grace is in the end, in its own member, or in both (rule 2). An end that is missing is not one that never comes. */
function toEnd(entry: Members, at: string): number | null {
  if (entry.expires_date === undefined) throw new AnswerFault(`${at}.expires_date is missing`)
  const end = toDate(entry.expires_date, `${at}.expires_date`)
  const grace = toDate(entry.grace_period_expires_date, `${at}.grace_period_expires_date`)
  return end === null ? null : Math.max(end, grace ?? end)
}

function toOwnership(value: unknown, at: string): OwnershipType | null {
  const text = toText(value, at)?.toUpperCase()
  return text === 'PURCHASED' || text === 'FAMILY_SHARED' ? text : null
}

function toId(value: unknown, at: string): string | null {
  if (typeof value === 'number') return String(value)
  return toText(value, at)
}

function toDate(value: unknown, at: string): number | null {
  const text = toText(value, at)
  if (text === null) return null
  const instant = parseIso(text)
  if (instant === null) throw new AnswerFault(`${at} is not a date`)
  return instant
}

/** Null for a member that is null, absent or empty. */
function toText(value: unknown, at: string): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > MAX_TEXT || !isClean(value))
    throw new AnswerFault(`${at} is not a text`)
  return value
}

const MAX_TEXT = 2000

/** PostgreSQL refuses some texts. */
const isClean = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function asText(value: unknown, at: string): string {
  const text = toText(value, at)
  if (text === null) throw new AnswerFault(`${at} is missing`)
  return text
}

function asObject(value: unknown, at: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AnswerFault(`${at} is not an object`)
  for (const name of Object.keys(value))
    if (name.length > MAX_TEXT || !isClean(name)) throw new AnswerFault(`${at} has a damaged name`)
  return value as Members
}
