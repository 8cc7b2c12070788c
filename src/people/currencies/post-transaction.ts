import type { Context, Tx } from '../../base/context'
import { writeOrTry } from '../../base/db/dry-run'
import { AppError, invalid, notFound } from '../../base/errors'
import { type Actor, recordAudit } from '../../projects/audit/audit'
import type { ProjectState } from '../../projects/project/state'
import { causeOf } from '../events/model'
import { recordEvents } from '../events/service'
import { assertLive, type SubscriberRow } from '../subscribers/service'
import { appendEntry, type Booked, lockOwner } from './booking'
import { currencyEvent } from './event'
import type { LedgerState } from './ledger'
import { type LedgerRow, listByKey, readStates } from './queries'
import { toBalances } from './service'

/** A grant (positive) or spend (negative) that the customer's server requests. */
export interface TransactionInput {
  code: string
  amount: bigint
  /** Trimmed. A key books only once per person and currency. */
  idempotencyKey: string
  description: string | null
  referenceType: string | null
  /** For the cause of the event. */
  requestId: string
  /** The person who books it by hand; null when the customer's server does. */
  actor: Actor | null
  /** Runs every check and answers what would be, but writes nothing. */
  dryRun: boolean
}

export interface PostedTransaction {
  code: string
  balance: bigint
  transactionId: string
  replayed: boolean
  /** The balance before the transaction. */
  balanceBefore: bigint
}

type Outcome = (Booked & { replayed?: true }) | { ok: false; reason: 'otherAmount' }

type Reason = Extract<Outcome, { ok: false }>['reason']

/**
 * Books a transaction once per idempotency key. A repetition returns the original; with another amount it is 409
 * `CONFLICT`. A spend beyond the balance is 409 "Insufficient balance". A balance beyond ±(2^63−1) is 400. An unknown or
 * archived currency is 404. A refusal writes nothing.
 */
export async function postTransaction(
  ctx: Context,
  project: ProjectState,
  subscriber: SubscriberRow,
  input: TransactionInput,
): Promise<PostedTransaction> {
  const outcome = await writeOrTry(ctx, input.dryRun, (tx) => bookOnce(tx, project, subscriber.id, input))
  if (!outcome.ok) throw refuse(ctx, outcome.reason)
  const { balance, amount, id } = outcome.entry
  const replayed = outcome.replayed ?? false
  return { code: input.code, balance, transactionId: id, replayed, balanceBefore: balance - amount }
}

async function bookOnce(
  tx: Tx,
  project: ProjectState,
  subscriberId: string,
  input: TransactionInput,
): Promise<Outcome> {
  const currency = project.catalog.currencyByCode.get(input.code)
  if (!currency) throw notFound('currency', input.code)
  const owner = assertLive(await lockOwner(tx, project.id, subscriberId))
  const scope = { projectId: project.id, subscriberId: owner.id, currencyId: currency.id }
  const [earlier, states] = await Promise.all([
    listByKey(tx, scope, input.idempotencyKey),
    readStates(tx, owner.id), // Does not depend on the other read, so PostgreSQL gets both at once.
  ])
  // Before the archive check: the retry of a booked transaction must get the original, also in an archived currency.
  if (earlier.length > 0) return repetition(earlier, input.amount)
  if (currency.archivedAt !== null) throw notFound('currency', input.code)
  const booked = await appendEntry(tx, states.get(currency.id), { ...scope, ...columnsOf(input) })
  if (!booked.ok) return booked
  await recordEntryEvent(tx, project, owner, { states, entry: booked.entry, input })
  if (input.actor) await recordAudit(tx, project.id, input.actor, [auditOf(booked.entry, input)])
  return booked
}

/** Several rows that are merged now may have used the same key. The original is the entry with the same amount. */
function repetition(earlier: readonly LedgerRow[], amount: bigint): Outcome {
  const entry = earlier.find((one) => one.amount === amount)
  return entry ? { ok: true, entry, replayed: true } : { ok: false, reason: 'otherAmount' }
}

const columnsOf = ({ amount, idempotencyKey, description, referenceType }: TransactionInput) => ({
  type: amount < 0n ? ('SPEND' as const) : ('BONUS' as const),
  amount,
  idempotencyKey,
  description,
  referenceType,
  referenceId: idempotencyKey,
})

interface PostedEntry {
  /** The subscriber's ledgers before the entry, by currency id. */
  states: ReadonlyMap<string, LedgerState>
  entry: LedgerRow
  input: TransactionInput
}

async function recordEntryEvent(
  tx: Tx,
  project: ProjectState,
  owner: SubscriberRow,
  posted: PostedEntry,
): Promise<void> {
  const { states, entry, input } = posted
  const { id, projectId, appUserId, toldAccess: access } = owner
  const before = { access, balances: toBalances(project, states) }
  const after = { access, balances: toBalances(project, new Map(states).set(entry.currencyId, entry)) }
  const cause = causeOf(input.actor ? 'DASHBOARD' : 'API', input.requestId)
  const change = { subject: { id, projectId, appUserId }, cause, before, after }
  await recordEvents(tx, change, [currencyEvent(project, entry)])
}

// The numbers are texts, because those of an audit row are read without their 64 bits.
const auditOf = ({ id, subscriberId, amount, balance }: LedgerRow, { code, description }: TransactionInput) => ({
  action: 'subscriber.credits',
  target: { type: 'subscriber', id: subscriberId },
  before: { code, balance: String(balance - amount) },
  after: { code, balance: String(balance), amount: String(amount), transactionId: id, description },
})

function refuse(ctx: Context, reason: Reason): AppError {
  if (reason === 'overflow') return invalid('amount: the balance must stay within ±(2^63−1)')
  ctx.metrics.ledgerConflicts.inc()
  const message =
    reason === 'insufficient' ? 'Insufficient balance' : 'idempotencyKey was already used with another amount'
  return new AppError('CONFLICT', undefined, { message })
}
