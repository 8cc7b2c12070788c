import type { Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { fromJsonInteger, type JsonInteger, toJsonInteger } from '../../base/lib/int64'
import type { Clawback } from '../../core/project/settings'
import type { ProjectState } from '../../projects/project/state'
import type { EventDraft } from '../events/service'
import type { SubscriberRow } from '../subscribers/service'
import { appendEntry, bookEntry, type EntryDraft, lockOwner, lockSubscriber } from './booking'
import { currencyEvent } from './event'
import { amountToTakeBack, type LedgerState, partToTake, planTransfer } from './ledger'
import { type LedgerRow, listCredits, listGrants, readStates, type Scope, sumSpent } from './queries'

export { bookEntry, currencyEvent, type LedgerRow }

/** Balance by currency id; currencies without a ledger row are absent. */
export async function readBalances(handle: Handle, subscriberId: string): Promise<Map<string, bigint>> {
  const states = await readStates(handle, subscriberId)
  return new Map([...states].map(([currencyId, { balance }]) => [currencyId, balance]))
}

/** Balance by code, archived currencies included; codes without a ledger row are absent. */
export async function balancesByCode(
  handle: Handle,
  project: ProjectState,
  subscriberId: string,
): Promise<Record<string, JsonInteger>> {
  return project.catalog.currencies.size === 0 ? {} : toBalances(project, await readStates(handle, subscriberId))
}

/** The balances for a caller; none for an erased subscriber (wire 1.8). */
export const visibleBalances = async (
  handle: Handle,
  project: ProjectState,
  subscriber: SubscriberRow,
): Promise<Record<string, JsonInteger>> =>
  subscriber.erasedAt === null ? balancesByCode(handle, project, subscriber.id) : {}

/** Ledger states in the form of the wire and of events: code -> balance, in the order of the codes. */
export function toBalances(
  { catalog }: ProjectState,
  states: ReadonlyMap<string, LedgerState>,
): Record<string, JsonInteger> {
  const known = [...states].flatMap(([currencyId, { balance }]): [string, JsonInteger][] => {
    const currency = catalog.currencies.get(currencyId)
    return currency ? [[currency.code, toJsonInteger(balance)]] : []
  })
  return Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)))
}

export interface GrantOrder {
  project: ProjectState
  /** A live row. The caller holds its lock `subscriber:<id>`, so that no merge can happen at the same time. */
  subscriberId: string
  currencyId: string
  /** More than 0. */
  amount: bigint
  /** `purchase:<id>`, `renewal:<txn id>` or `txn:<id>` (wire 5.7). */
  reference: string
  referenceType: string | null
  referenceId: string | null
}

/**
 * Books the currency that a charge grants, once per reference over all subscribers. Null when it was granted before.
 * Also null, with a log line, when the balance would exceed 2^63−1: the purchase must not fail because of that. Then
 * nothing is granted, and the reference stays unused, so that a repetition can grant it when the balance is lower.
 */
export async function bookGrant(tx: Tx, { project, reference, ...order }: GrantOrder): Promise<LedgerRow | null> {
  const draft: EntryDraft = { projectId: project.id, type: 'PURCHASE', grantReference: reference, ...order }
  const booked = await bookEntry(tx, draft)
  if (booked.ok) return booked.entry
  const { subscriberId, currencyId } = order
  if (booked.reason === 'overflow')
    tx.log.warn('a currency grant does not fit', { subscriberId, currencyId, reference })
  return null
}

/** The entries with these grant references in a project, of all subscribers. */
export async function findGrants(
  handle: Handle,
  project: Pick<ProjectState, 'id' | 'catalog'>,
  references: readonly string[],
): Promise<LedgerRow[]> {
  return listGrants(handle, project.id, [...project.catalog.currencies.keys()], references)
}

/** One currency of one person, over all their merged rows: all entries except spending, and the sum of the spending. */
export async function creditHistory(handle: Handle, scope: Scope): Promise<{ entries: LedgerRow[]; spent: bigint }> {
  const [entries, spent] = await Promise.all([listCredits(handle, scope), sumSpent(handle, scope)])
  return { entries, spent }
}

export interface TakenBack {
  entry: LedgerRow
  /** The row that got the grant, or the row it was merged into. It need not be the owner of the purchase. */
  owner: SubscriberRow
}

interface ClawBack {
  reference: string
  mode?: Clawback
  currencyId?: string
  /** Not a refund: the charge never granted this. The entry says so, and the reversal of a refund does not return it. */
  isCorrection?: boolean
}

const CORRECTION = 'Correction: the charge grants something else'

/** Whether an entry took back what had been granted by mistake. */
export const isCorrection = ({ type, description }: Pick<LedgerRow, 'type' | 'description'>): boolean =>
  type === 'REFUND' && description === CORRECTION

/**
 * Takes back what a reference granted, in every currency and at most once: it books a REFUND entry with the reference
 * `refund:<reference>`. The amount is 0 when nothing was left to take, so that a repetition takes nothing either. `mode`
 * overrides the setting of the currency, which overrides the setting of the project. `currencyId`: only in this currency.
 */
export async function clawBack(
  tx: Tx,
  project: ProjectState,
  { reference, mode, currencyId, isCorrection = false }: ClawBack,
): Promise<TakenBack[]> {
  const taken: TakenBack[] = []
  for (const grant of await findGrants(tx, project, [reference])) {
    if (currencyId !== undefined && grant.currencyId !== currencyId) continue
    const description = isCorrection ? CORRECTION : null
    const back = await takeBack(tx, grant, mode ?? modeOf(project, grant), refundName(reference), description)
    if (back) taken.push(back)
  }
  return taken
}

/** A part of a grant that a refund takes back. */
export interface GrantPart {
  /** That of the grant. */
  reference: string
  currencyId: string
  /** Names the refund within the grant. */
  refund: string
  /** What the refund is for; 0 = nothing, or it was reversed. */
  amount: bigint
  /** What it was for until now. */
  before: bigint
}

/**
 * Makes what the refund of a part took of a grant that which it is for, in one entry: a REFUND entry
 * `refund:<reference>@<refund>` takes, a PURCHASE entry `reversal:<reference>@<refund>` gives back what was taken, to the
 * one from whom it was taken. The second entry of a name ends in `#2`, and so on. A repetition books nothing.
 */
export async function settlePart(tx: Tx, project: ProjectState, part: GrantPart): Promise<TakenBack | null> {
  const rows = await partRows(tx, project, part)
  const taken = rows.length === 0 ? null : rows.reduce((sum, { amount }) => sum - amount, 0n)
  const amount = partToTake(taken, part)
  if (amount > 0n) return takePart(tx, project, { ...part, amount }, rows)
  return amount < 0n ? returnPart(tx, project, { ...part, amount: 0n - amount }, rows) : null
}

/** What was booked for the refund of a part, in order. */
async function partRows(tx: Tx, project: ProjectState, { currencyId, ...part }: GrantPart): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = []
  for (let number = 1; ; number++) {
    const names = [partName('refund', part, number), partName('reversal', part, number)]
    const round = (await findGrants(tx, project, names)).filter((row) => row.currencyId === currencyId)
    if (round.length === 0) return rows
    rows.push(...round)
  }
}

type NamedPart = Pick<GrantPart, 'reference' | 'refund'>

const partName = (kind: 'refund' | 'reversal', { reference, refund }: NamedPart, number: number): string =>
  `${kind}:${reference}@${refund}${number === 1 ? '' : `#${number}`}`

async function takePart(
  tx: Tx,
  project: ProjectState,
  part: GrantPart,
  rows: readonly LedgerRow[],
): Promise<TakenBack | null> {
  const grants = await findGrants(tx, project, [part.reference])
  const grant = grants.find(({ currencyId }) => currencyId === part.currencyId)
  if (!grant) return null
  const number = rows.filter(isTaking).length + 1
  return takeBack(tx, { ...grant, amount: part.amount }, modeOf(project, grant), partName('refund', part, number))
}

async function returnPart(
  tx: Tx,
  project: ProjectState,
  part: GrantPart,
  rows: readonly LedgerRow[],
): Promise<TakenBack | null> {
  const taken = rows.findLast(isTaking)
  if (!taken) return null
  const { referenceType, referenceId, projectId, subscriberId } = taken
  const owner = await lockOwner(tx, projectId, subscriberId)
  const reference = partName('reversal', part, rows.length - rows.filter(isTaking).length + 1)
  const { currencyId, amount } = part
  const order = { project, subscriberId: owner.id, currencyId, amount, reference, referenceType, referenceId }
  const entry = await bookGrant(tx, order)
  return entry && { entry, owner }
}

const isTaking = ({ type }: LedgerRow): boolean => type === 'REFUND'

const refundName = (reference: string): string => `refund:${reference}`

const modeOf = ({ catalog, settings }: ProjectState, { currencyId }: LedgerRow): Clawback =>
  catalog.currencies.get(currencyId)?.clawback ?? settings.clawback

async function takeBack(
  tx: Tx,
  grant: LedgerRow,
  mode: Clawback,
  grantReference: string,
  description: string | null = null,
): Promise<TakenBack | null> {
  if (mode === 'none') return null
  const { projectId, currencyId, referenceType, referenceId } = grant
  const owner = await lockOwner(tx, projectId, grant.subscriberId)
  const last = (await readStates(tx, owner.id)).get(currencyId)
  const amount = 0n - amountToTakeBack(last?.balance ?? 0n, grant.amount, mode)
  const common = { projectId, subscriberId: owner.id, currencyId, referenceType, referenceId }
  const booked = await appendEntry(tx, last, { ...common, type: 'REFUND', amount, grantReference, description })
  return booked.ok ? { entry: booked.entry, owner } : null
}

interface TransferOptions {
  /** The `referenceId` of the entries. */
  transferId?: string | null
  /** Currency id -> amount. For an undo: moves these amounts only, and no more than the balances hold. */
  amounts?: Readonly<Record<string, JsonInteger>>
}

export interface MovedBalances {
  /** Currency id -> amount that moved; negative for a debt. */
  credits: Record<string, JsonInteger>
  /** One `currency.transaction` event per entry, for each of the two subscribers. */
  drafts: { from: EventDraft[]; to: EventDraft[] }
}

/**
 * Moves every balance other than 0, debts included, between two live rows: a TRANSFER_OUT on one, a TRANSFER_IN on the
 * other. Never makes a merge fail: the part that would take a balance beyond ±(2^63−1) stays, with a log line.
 */
export async function transferBalances(
  tx: Tx,
  project: ProjectState,
  from: { id: string },
  to: { id: string },
  { transferId = null, amounts }: TransferOptions = {},
): Promise<MovedBalances> {
  for (const id of [from.id, to.id].sort()) await lockSubscriber(tx, id)
  const [held, receiving] = [await readStates(tx, from.id), await readStates(tx, to.id)]
  const moved: MovedBalances = { credits: {}, drafts: { from: [], to: [] } }
  for (const { currencyId, wanted, amount } of planTransfer(held, receiving, amounts && toBigInts(amounts))) {
    if (amount !== wanted)
      tx.log.warn('a balance does not fit', {
        from: from.id,
        to: to.id,
        currencyId,
        wanted: `${wanted}`,
        amount: `${amount}`,
      })
    if (amount === 0n) continue
    const common = { projectId: project.id, currencyId, referenceType: 'transfer', referenceId: transferId }
    const out: EntryDraft = { ...common, subscriberId: from.id, type: 'TRANSFER_OUT', amount: -amount }
    const into: EntryDraft = { ...common, subscriberId: to.id, type: 'TRANSFER_IN', amount }
    moved.drafts.from.push(currencyEvent(project, await appendPlanned(tx, held.get(currencyId), out)))
    moved.drafts.to.push(currencyEvent(project, await appendPlanned(tx, receiving.get(currencyId), into)))
    moved.credits[currencyId] = toJsonInteger(amount)
  }
  return moved
}

const toBigInts = (amounts: Readonly<Record<string, JsonInteger>>): Record<string, bigint> =>
  Object.fromEntries(Object.entries(amounts).map(([currencyId, amount]) => [currencyId, fromJsonInteger(amount)]))

async function appendPlanned(tx: Tx, last: LedgerState | undefined, draft: EntryDraft): Promise<LedgerRow> {
  const booked = await appendEntry(tx, last, draft)
  if (!booked.ok) throw new Error(`a planned ${draft.type} was refused: ${booked.reason}`)
  return booked.entry
}
