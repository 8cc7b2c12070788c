import { expect } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { flushPresence } from '../../src/people/subscribers/presence'
import { findErased } from '../../src/people/subscribers/service'
import { flushKeyUse } from '../../src/projects/project/service'
import type { TransactionPayload } from '../../src/stores/ios/decode'
import {
  type SimulatedProduct,
  simulatedExpiry,
  simulatedRefund,
  simulatedRenewal,
} from '../../src/test-store/stores/ios'
import type { Answer, Stage } from './cast'
import { dumpOf } from './dump'

export type SubscriberRow = Stage['ctx']['tables']['subscribers']['$inferSelect']

/** The row with this device key, even when it was merged into another one, or erased. */
export async function rowOf(s: Stage, device: string): Promise<SubscriberRow> {
  const { subscribers: t } = s.ctx.tables
  const isRow = and(eq(t.projectId, s.project.id), eq(t.deviceKey, device))
  const [found] = await s.ctx.db.select().from(t).where(isRow)
  const row = found ?? (await findErased(s.ctx, s.project.id, { kind: 'DEVICE', value: device }))
  if (!row) throw new Error(`no subscriber has the device key ${device}`)
  return row
}

/**
 * Expects that a call at this instant was counted as a visit of its device and a use of the key, after both are
 * written.
 */
export async function expectVisit(s: Stage, device: string): Promise<void> {
  await Promise.all([flushPresence(s.ctx), flushKeyUse(s.ctx)])
  const { apiKeys } = s.ctx.tables
  const keys = await s.ctx.db.select().from(apiKeys).where(eq(apiKeys.id, s.project.keyId))
  const now = s.ctx.clock.now()
  expect([(await rowOf(s, device)).lastSeenAt, keys[0]?.lastUsedAt]).toEqual([now, now])
}

const WRITTEN_BY_CALLS = [
  'subscribers',
  'transfers',
  'purchases',
  'observations',
  'transactions',
  'events',
  'ledger',
  'balances',
  'assignments',
  'trackedEvents',
] as const

/** Everything that a call may write, as text. Two equal texts mean that nothing was written between them. */
export const everything = (s: Stage): Promise<string[]> => dumpOf(s.ctx, WRITTEN_BY_CALLS)

/**
 * Expects that a call is refused with this status and code, and that nothing is written. A receipt that is in use keeps
 * its device (wire 2.7): the row of a device that was unknown is the only thing that it may write.
 */
export async function expectRefused(s: Stage, call: () => Promise<Answer>, status: number, code: string) {
  const before = await everything(s)
  const answer = await call()
  expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  const added = await addedSince(s, before)
  expect(added).toEqual(code === 'RECEIPT_IN_USE' && added.length === 1 ? ['subscribers'] : [])
  return answer
}

/** The tables to which rows were added since `before`, one name for each row. Expects that no row was changed. */
export async function addedSince(s: Stage, before: readonly string[]): Promise<string[]> {
  const after = await everything(s)
  expect(before.filter((line) => !after.includes(line))).toEqual([])
  return after.filter((line) => !before.includes(line)).map((line) => line.split(' ')[0] ?? '')
}

/** Types of a subscriber's events in order. Expects that their numbers have no gap. */
export async function eventTypes(s: Stage, subscriberId: string): Promise<string[]> {
  const events = await s.events(subscriberId)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  return events.map(({ type }) => type)
}

/** Money lines of a project's subscriber: kind and micros, oldest first. */
export async function money(s: Stage, subscriberId: string): Promise<[kind: string, amountMicros: number | null][]> {
  const { transactions: t } = s.ctx.tables
  const rows = s.ctx.db.select().from(t).where(eq(t.subscriberId, subscriberId))
  return (await rows.orderBy(asc(t.occurredAt), asc(t.revenueKey))).map(({ kind, amountMicros }) => [
    kind,
    amountMicros,
  ])
}

/** What a device may use now: access identifier -> end of the access. */
export async function access(s: Stage, device: string): Promise<Record<string, string | null>> {
  const { body } = await s.get('/v1/me/access', device)
  const entries = Object.entries(body.data.access as Record<string, { expiresDate: string | null }>)
  return Object.fromEntries(entries.map(([name, { expiresDate }]) => [name, expiresDate]))
}

export const balances = async (s: Stage, device: string): Promise<Record<string, number>> =>
  (await s.get('/v1/virtual-currencies/me', device)).body.data.balances

export const identify = (s: Stage, deviceKey: string, appUserId: string): Promise<Answer> =>
  s.post('/v1/identify', { deviceKey, appUserId })

/** Books currency for a subscriber as the customer's server does. */
export const give = (s: Stage, reference: string, amount: number, idempotencyKey: string): Promise<Answer> =>
  s.post(
    `/v1/virtual-currencies/${encodeURIComponent(reference)}/gems/transactions`,
    { amount, idempotencyKey },
    { key: s.project.secretKey },
  )

let count = 0

/** The next transactions of a purchase at the test store, at the stage's present instant. */
export const renew = (s: Stage, previous: TransactionPayload, product: SimulatedProduct): TransactionPayload =>
  simulatedRenewal(previous, { product, transactionId: String(2900000000000000 + ++count), now: s.ctx.clock.now() })

export const refund = (s: Stage, previous: TransactionPayload): TransactionPayload =>
  simulatedRefund(previous, s.ctx.clock.now())

export const expire = (s: Stage, previous: TransactionPayload): TransactionPayload =>
  simulatedExpiry(previous, s.ctx.clock.now())

/** Changes a project's settings in the middle of a test. */
export async function changeSettings(s: Stage, settings: object): Promise<void> {
  const { projects: t } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(t).set({ settings }).where(eq(t.id, s.project.id)))
  s.ctx.state.projects.forget(s.project.id)
}

/** Lets a product, that of a month, grant coins when it is bought, and not when it renews. */
export async function grantOnPurchase(s: Stage, identifier = 'pro_monthly'): Promise<void> {
  const { products: p, currencyGrants: g } = s.ctx.tables
  const isNamed = and(eq(p.identifier, identifier), eq(p.projectId, s.project.id))
  const [product] = await s.ctx.db.select().from(p).where(isNamed)
  const [sample] = await s.ctx.db.select().from(g)
  if (!product || !sample) throw new Error('the cast has no grants')
  const row = { ...sample, projectId: s.project.id, productId: product.id, amount: 70n, grantOn: 'PURCHASE' as const }
  await s.ctx.write((tx) => tx.db.insert(g).values(row))
  s.ctx.state.projects.forget(s.project.id)
}

/** Writes a state to a subscriber's row that no call could write: a broken chain, an erasure. */
export async function damage(s: Stage, id: string, change: Partial<SubscriberRow>): Promise<void> {
  const { subscribers: t } = s.ctx.tables
  await s.ctx.write((tx) => tx.db.update(t).set(change).where(eq(t.id, id)))
}

/** Returns the types of a device's events since the last call. Each call also expects that the numbers have no gap. */
export function listenTo(s: Stage, device: string): () => Promise<string[]> {
  let seen = 0
  return async () => {
    const types = await eventTypes(s, (await rowOf(s, device)).id)
    const fresh = types.slice(seen)
    seen = types.length
    return fresh
  }
}

/** Data of the newest event of a type. */
export async function lastEvent(s: Stage, device: string, type: string) {
  const events = await s.events((await rowOf(s, device)).id)
  const found = events.findLast((event) => event.type === type)
  if (!found) throw new Error(`${device} has no ${type}`)
  return found
}

/** How many events were ever written. */
export const eventCount = async (s: Stage): Promise<number> => s.ctx.db.$count(s.ctx.tables.events)
