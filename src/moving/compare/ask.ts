import type { Context } from '../../base/context'
import { MINUTE } from '../../base/lib/clock'
import { findSubscriber, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import type { VendorClient } from './client'
import { compare } from './core/compare'
import { type Difference, type Outcome, type TheirSide, transactionKey } from './core/model'
import { type AtInstant, findByVendorId, findTransactions, readOurs } from './ours'
import { findLastEventAt, listMergedOf, type PersonRow, type RunRow } from './queries'
import { type Reason, reasonFor } from './reason'
import { vendorIds } from './revenuecat/ids'

/** A person to ask about, and the ids under which the vendor may know them. */
export interface Person {
  id: string
  ids: readonly string[]
}

export type PersonResult = { id: string; person: string } & (
  | { kind: 'GONE' }
  | { kind: 'FAULT'; reason: string; at: number }
  | { kind: 'LATER'; notBefore: number }
  | { kind: 'COMPARED'; outcome: Outcome; findings: (Difference & Reason)[]; isUnknownThere: boolean }
)

export interface AskParts {
  project: ProjectState
  run: RunRow
  client: VendorClient
  /** A person who was read before is not put off again. */
  isSecond: boolean
}

/** The ids of people at the vendor. */
export async function withVendorIds(ctx: Context, rows: readonly PersonRow[]) {
  const merged = await listMergedOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ id: row.id, ...vendorIds([row, ...(merged.get(row.id) ?? [])]) }))
}

/** A store event that came this shortly before their answer may be in only one of the two readings. */
const NEWS_MS = MINUTE

/** Reads one person from the vendor, then here, and compares the two (vendor-rest 8). */
export async function askAbout(ctx: Context, parts: AskParts, { id, ids }: Person): Promise<PersonResult> {
  const [person = ''] = ids
  const askedAt = ctx.clock.now()
  const reading = new Reading(ctx, parts, ids)
  const fault = await reading.next()
  if (fault !== null) return { id, person, kind: 'FAULT', reason: fault, at: askedAt }
  const row = await findSubscriber(ctx, parts.project.id, id)
  if (!row || row.mergedInto !== null || row.erasedAt !== null) return { id, person, kind: 'GONE' }
  if (!parts.isSecond && (await hasNews(ctx, row, askedAt, reading.side.at)))
    return { id, person, kind: 'LATER', notBefore: 0 }
  const found = await compareUntilSure(ctx, parts, reading, row)
  if (typeof found === 'string') return { id, person, kind: 'FAULT', reason: found, at: askedAt }
  const { outcome, isUnknownThere } = found
  if (outcome.tooCloseUntil !== null && !parts.isSecond) {
    // Their instants are by their clock.
    const wait = outcome.tooCloseUntil - reading.side.at
    return { id, person, kind: 'LATER', notBefore: ctx.clock.now() + wait }
  }
  const findings: (Difference & Reason)[] = []
  for (const one of outcome.differences)
    findings.push({ ...one, ...(await reasonFor(ctx, parts.project, row, one, reading.side.at)) })
  return { id, person, kind: 'COMPARED', outcome, findings, isUnknownThere }
}

const SAME_CLOCK_MS = 5 * MINUTE

/** By their clock where it is ours; a clock that is far off says nothing about what we recorded. */
async function hasNews(ctx: Context, row: SubscriberRow, askedAt: number, at: number): Promise<boolean> {
  const read = Math.abs(at - askedAt) <= SAME_CLOCK_MS ? Math.min(at, askedAt) : askedAt
  const last = row.seq === 0 ? null : await findLastEventAt(ctx, row)
  return last !== null && last > read - NEWS_MS
}

interface Compared {
  outcome: Outcome
  isUnknownThere: boolean
}

/**
 * Compares, and looks further only while something differs: for the person's other ids there, their other rows here, and
 * purchases that seem to be missing. Returns a text when an answer cannot be read.
 */
async function compareUntilSure(
  ctx: Context,
  { project, run, client }: AskParts,
  reading: Reading,
  row: SubscriberRow,
): Promise<Compared | string> {
  const rows: [SubscriberRow, ...SubscriberRow[]] = [row]
  for (;;) {
    const instant: AtInstant = { project, at: reading.side.at, skipSandbox: run.skipSandbox }
    const ours = await readOurs(ctx, instant, rows)
    const readAt = ctx.clock.now()
    const question = { theirs: reading.side, isNewThere: reading.isUnknown, ours, readAt, catalog: project.catalog }
    const first = compare({ ...question, skipSandbox: run.skipSandbox, found: new Map() })
    const ownIds = new Set(rows.map(({ id }) => id))
    const found = first.missing.length === 0 ? new Map() : await findTransactions(ctx, instant, first.missing, ownIds)
    const outcome = found.size === 0 ? first : compare({ ...question, skipSandbox: run.skipSandbox, found })
    const done: Compared = { outcome, isUnknownThere: reading.isUnknown }
    if (outcome.differences.length === 0) return done
    if (reading.hasMore) {
      const fault = await reading.next()
      if (fault !== null) return fault
      continue
    }
    const alias = await findAlias(ctx, project.id, reading.customerIds, ownIds)
    const owners = [...found.values()].flatMap((hit) => hit.row ?? [])
    const other = alias ?? (await findAliasAmong(ctx, client, owners, reading, ownIds))
    if (!other) return done
    rows.push(other)
  }
}

const MAX_ROWS = 5

/** A row that the vendor's first id of the person leads to, and that is not the person's here. */
async function findAlias(
  ctx: Context,
  projectId: string,
  customerIds: readonly string[],
  ownIds: ReadonlySet<string>,
): Promise<SubscriberRow | null> {
  if (ownIds.size >= MAX_ROWS) return null
  for (const id of customerIds) {
    const row = await findByVendorId(ctx, projectId, id)
    if (row && !ownIds.has(row.id)) return row
  }
  return null
}

/** An owner of a purchase who is the same customer there: the vendor gives both ids one answer. */
async function findAliasAmong(
  ctx: Context,
  client: VendorClient,
  owners: readonly SubscriberRow[],
  reading: Reading,
  ownIds: ReadonlySet<string>,
): Promise<SubscriberRow | null> {
  if (ownIds.size >= MAX_ROWS) return null
  for (const owner of owners) {
    const [{ ids = [] } = {}] = await withVendorIds(ctx, [owner])
    const [id] = ids
    if (id === undefined || ownIds.has(owner.id) || reading.wasAsked(id)) continue
    const answer = await client.read(id)
    if (answer.ok && reading.isSameCustomer(answer.side)) return owner
  }
  return null
}

/** What the vendor reports about the ids of one person, so far. */
class Reading {
  private asked = 0
  private sides: TheirSide[] = []
  /** Whether every id was unknown there. */
  isUnknown = true

  constructor(
    private readonly ctx: Context,
    private readonly parts: AskParts,
    private readonly ids: readonly string[],
  ) {}

  get hasMore(): boolean {
    return this.asked < this.ids.length
  }

  wasAsked(id: string): boolean {
    return this.ids.includes(id)
  }

  /** Asks about the next id; returns why its answer cannot be read, or null. */
  async next(): Promise<string | null> {
    const id = this.ids[this.asked++]
    if (id === undefined) return 'no id'
    const answer = await this.parts.client.read(id)
    if (!answer.ok) return answer.reason
    const isNew = answer.isCreated || this.wasMadeByThisRun(answer.side)
    if (!isNew || this.sides.length === 0) this.add(answer.side)
    this.isUnknown &&= isNew
    return null
  }

  /** A person whom an earlier reading of this run has created there is still unknown. */
  private wasMadeByThisRun({ entitlements, purchases, firstSeen, at }: TheirSide): boolean {
    if (entitlements.length > 0 || purchases.length > 0 || firstSeen === null) return false
    const age = Math.max(0, this.ctx.clock.now() - this.parts.run.startedAt)
    return firstSeen >= at - age - 2000
  }

  private add(side: TheirSide): void {
    if (!this.sides.some((known) => known.customerId === side.customerId && known.purchases.length > 0))
      this.sides.push(side)
  }

  get customerIds(): string[] {
    return [...new Set(this.sides.map(({ customerId }) => customerId))]
  }

  isSameCustomer(side: TheirSide): boolean {
    const keys = new Set(side.purchases.map(transactionKey))
    const isSame = (one: TheirSide) =>
      one.customerId === side.customerId && one.purchases.every((purchase) => keys.has(transactionKey(purchase)))
    return this.sides.some(isSame)
  }

  /** All answers together: a person who is one here may be several there. */
  get side(): TheirSide {
    const [first, ...more] = this.sides
    if (!first) throw new Error('nothing was read yet')
    if (more.length === 0) return first
    const all = new Map<string, TheirSide['entitlements'][number]>()
    for (const one of this.sides.flatMap(({ entitlements }) => entitlements)) {
      const known = all.get(one.identifier)
      if (!known || (known.end !== null && (one.end === null || one.end > known.end))) all.set(one.identifier, one)
    }
    const at = Math.max(...this.sides.map((side) => side.at))
    return {
      ...first,
      at,
      entitlements: [...all.values()],
      purchases: this.sides.flatMap(({ purchases }) => purchases),
    }
  }
}
