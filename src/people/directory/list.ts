import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { integerAt, type Position } from '../../base/http/list'
import { type RowSource, type ScannedPage, scanRows } from '../../base/http/scan'
import { LIVE_STATUSES, type PurchaseStatus } from '../../core/purchase/status'
import type { ProjectState } from '../../projects/project/state'
import type { PurchaseEnvironment } from '../../stores/observation'
import { leadingAccess } from '../entitlements/leading'
import { entitlementsOf, toAccess } from '../entitlements/service'
import {
  listBuyingEnvironments,
  listPurchaseHeads,
  listPurchasesOfAll,
  type PurchaseRow,
  spentBySubscribers,
} from '../purchases/holdings'
import { ownersOfIds } from '../purchases/search'
import { statusAt } from '../purchases/status'
import {
  type FoundSubscriber,
  isNamedAtStart,
  peopleFound,
  searchInside,
  searchSource,
} from '../subscribers/search-source'
import { listNewest, listRowsById, type SubscriberRow } from '../subscribers/service'
import { boughtIn, environmentOfPerson } from './environment'

/** Which subscribers a list has; null = all. */
export interface PeopleFilter {
  q: string | null
  access: string | null
  status: PurchaseStatus | null
  platform: string | null
  audienceId: string | null
  environment: PurchaseEnvironment | null
}

/** A subscriber of the list, at the place where the list came upon them. */
interface Candidate {
  row: SubscriberRow
  position: Position
  /** The purchase by which the list came upon them; null when it did not go by purchases. */
  purchaseId: string | null
}

export interface ListedPerson {
  row: SubscriberRow
  access: string[]
  leadingAccess: string | null
  country: string | null
  environment: PurchaseEnvironment
  /** Millionths of a dollar. */
  spentMicros: number
}

/** How many rows one request reads at most to find those that pass the filters. */
const MOST_READ = 1000
/** A filter by access or status reads the purchases of each subscriber, and one by audience may read charges too. */
const MOST_EXAMINED = 250

interface Page {
  after: Position | null
  limit: number
}

/**
 * A page of the subscribers of a project that pass every filter. The list goes by the search text if there is one; else,
 * with a filter by access or status, by the newest purchase with such a status; else by the newest subscriber. Each of
 * these is one range of an index. What the other filters leave out is read too, up to a bound, and then the page ends.
 */
export async function listPeople(
  ctx: Context,
  project: ProjectState,
  filter: PeopleFilter,
  page: Page,
): Promise<ScannedPage<ListedPerson>> {
  if (filter.access !== null && !hasAccess(project, filter.access)) return { rows: [], next: null }
  const keep = await keeper(ctx, project, filter)
  const isCheap = filter.audienceId === null && filter.access === null && filter.status === null
  const most = isCheap ? MOST_READ : Math.max(MOST_EXAMINED, page.limit + 1)
  const found = await scanRows(sourceOf(ctx, project.id, filter), { ...page, most, keep })
  const rows = found.rows.map(({ row }) => row)
  return { rows: await describePeople(ctx, project, rows, filter.environment ?? 'PRODUCTION'), next: found.next }
}

const hasAccess = ({ catalog }: ProjectState, access: string): boolean =>
  [...catalog.access.values()].some(({ identifier }) => identifier === access)

function sourceOf(ctx: Context, projectId: string, filter: PeopleFilter): RowSource<Candidate> {
  const positionOf = ({ position }: Candidate) => position
  if (filter.q !== null) return { positionOf, read: readFound(ctx, projectId, filter.q) }
  const statuses = statusesOf(filter)
  if (statuses) return { positionOf, read: readBuyers(ctx, projectId, statuses) }
  return {
    positionOf,
    async read(after, limit) {
      const rows = await listNewest(ctx, projectId, after === null ? null : String(after[0]), limit)
      return rows.map((row) => ({ row, position: [row.id], purchaseId: null }))
    },
  }
}

/** The saved statuses of purchases by which the list goes; null when it does not go by purchases. */
const statusesOf = ({ q, access, status }: PeopleFilter): readonly PurchaseStatus[] | null => {
  if (q !== null) return null
  if (status !== null) return [status]
  return access === null ? null : LIVE_STATUSES
}

/** Found by what they bought, after those whose own names start with the text. */
const BY_PURCHASE = 4
/** With the text inside a name. */
const INSIDE = 5

/** A text is searched as a prefix of names, then in purchases, then inside names. */
const readFound = (ctx: Context, projectId: string, text: string): RowSource<Candidate>['read'] => {
  const readNamed = readNames(ctx, projectId, text)
  return async (after, limit) => {
    const way = after === null ? 0 : integerAt(after, 0)
    const id = after === null ? '' : String(after[2])
    const found = way < BY_PURCHASE ? await readNamed(after, limit) : []
    if (found.length < limit && way <= BY_PURCHASE)
      found.push(...(await readOwners(ctx, projectId, text, way === BY_PURCHASE ? id : '', limit - found.length)))
    if (found.length < limit)
      found.push(...(await readInside(ctx, projectId, text, way === INSIDE ? id : null, limit - found.length)))
    return found
  }
}

/** Who bought what has this id at a store or here. Whom the text also names is in the list before. */
async function readOwners(ctx: Context, projectId: string, text: string, afterId: string, limit: number) {
  const ids = (await ownersOfIds(ctx, projectId, text)).filter((id) => id > afterId)
  const rows = await listRowsById(ctx, projectId, ids)
  return rows
    .filter((row) => !isNamedAtStart(row, text))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map((row): Candidate => ({ row, position: [BY_PURCHASE, '', row.id], purchaseId: null }))
}

const readNames = (ctx: Context, projectId: string, text: string): RowSource<Candidate>['read'] => {
  const source = searchSource(ctx, projectId, text)
  return async (after, limit) => {
    const found = await source.read(after, limit)
    return toCandidates(ctx, text, found, source.positionOf)
  }
}

async function readInside(ctx: Context, projectId: string, text: string, before: string | null, limit: number) {
  const { found, nextBefore } = await searchInside(ctx, projectId, text, before, limit)
  const owners = new Set(await ownersOfIds(ctx, projectId, text))
  const candidates = await toCandidates(ctx, text, found, ({ id }) => [INSIDE, '', id])
  const listed = candidates.map((one) => (owners.has(one.row.id) ? unlisted(one) : one))
  if (nextBefore === null || listed.length === limit) return listed
  // The last row that was looked through fills the page, so that the next one starts after it.
  const [row] = await listRowsById(ctx, projectId, [nextBefore])
  const end = row ? [unlisted({ row, position: [INSIDE, '', row.id], purchaseId: null })] : []
  return [...listed, ...Array.from({ length: limit - listed.length }).flatMap(() => end)]
}

/** A row that is not listed stays as a merged one, so that the next page starts after it. */
const unlisted = (one: Candidate): Candidate => ({ ...one, row: { ...one.row, mergedInto: one.row.id } })

async function toCandidates(
  ctx: Context,
  text: string,
  found: readonly FoundSubscriber[],
  positionOf: (one: FoundSubscriber) => Position,
): Promise<Candidate[]> {
  const keyOf = ({ way, id }: FoundSubscriber) => `${way} ${id}`
  const people = new Map((await peopleFound(ctx, found, text)).map((one) => [keyOf(one), one.row]))
  return found.map((one) => {
    const candidate = { row: one.row, position: positionOf(one), purchaseId: null }
    const row = people.get(keyOf(one))
    return row ? { ...candidate, row } : unlisted(candidate)
  })
}

const readBuyers =
  (ctx: Context, projectId: string, statuses: readonly PurchaseStatus[]): RowSource<Candidate>['read'] =>
  async (after, limit) => {
    const before = after === null ? null : String(after[0])
    const purchases = await listPurchaseHeads(ctx, { projectId, statuses }, { before }, limit)
    const owners = new Set(purchases.map(({ subscriberId }) => subscriberId))
    const rows = new Map((await listRowsById(ctx, projectId, [...owners])).map((row) => [row.id, row]))
    return purchases.flatMap(({ id, subscriberId }) => {
      const row = rows.get(subscriberId)
      return row ? [{ row, position: [id], purchaseId: id }] : []
    })
  }

/** Removes what does not belong to the list: merged and erased rows, repetitions, and what a filter leaves out. */
async function keeper(ctx: Context, project: ProjectState, filter: PeopleFilter) {
  const members = await membersOf(ctx, project, filter.audienceId)
  const statuses = statusesOf(filter)
  const needsPurchases = filter.access !== null || filter.status !== null
  return async (candidates: readonly Candidate[]): Promise<Candidate[]> => {
    const live = candidates.filter(({ row }) => row.mergedInto === null && row.erasedAt === null)
    const onPlatform = live.filter(({ row }) => isOnPlatform(row, filter.platform))
    const fit = await inEnvironment(ctx, onPlatform, filter.environment)
    const ids = needsPurchases ? [...new Set(fit.map(({ row }) => row.id))] : []
    const purchases = ids.length === 0 ? new Map<string, PurchaseRow[]>() : await listPurchasesOfAll(ctx, ids)
    const passing = fit.filter((candidate) => {
      const own = purchases.get(candidate.row.id) ?? []
      return isFirstMention(candidate, own, statuses) && passes(ctx, project, filter, candidate.row, own)
    })
    return members ? amongMembers(passing, members) : passing
  }
}

async function inEnvironment(
  ctx: Context,
  candidates: readonly Candidate[],
  environment: PurchaseEnvironment | null,
): Promise<readonly Candidate[]> {
  if (environment === null) return candidates
  const ids = [...new Set(candidates.map(({ row }) => row.id))]
  const bought = await listBuyingEnvironments(ctx, ids)
  return candidates.filter(({ row }) => environmentOfPerson(bought.get(row.id) ?? []) === environment)
}

type Members = (rows: readonly SubscriberRow[]) => Promise<SubscriberRow[]>

async function membersOf(ctx: Context, project: ProjectState, audienceId: string | null): Promise<Members | null> {
  if (audienceId === null) return null
  for (const find of ctx.hooks.audienceMembers ?? []) {
    const members = await find(ctx, project, audienceId)
    if (members) return members
  }
  throw notFound('audience', audienceId)
}

async function amongMembers(candidates: readonly Candidate[], members: Members): Promise<Candidate[]> {
  const found = new Set((await members(candidates.map(({ row }) => row))).map(({ id }) => id))
  return candidates.filter(({ row }) => found.has(row.id))
}

const isOnPlatform = ({ attributes }: SubscriberRow, platform: string | null): boolean =>
  platform === null || attributes.platform?.value === platform

/** A list that goes by purchases has each subscriber once: at the newest of their purchases by which it goes. */
function isFirstMention(
  { purchaseId }: Candidate,
  own: readonly PurchaseRow[],
  statuses: readonly PurchaseStatus[] | null,
): boolean {
  if (purchaseId === null || statuses === null) return true
  return !own.some(({ id, status }) => id > purchaseId && statuses.includes(status))
}

function passes(
  ctx: Context,
  project: ProjectState,
  { access, status }: PeopleFilter,
  row: SubscriberRow,
  own: readonly PurchaseRow[],
): boolean {
  const now = ctx.clock.now()
  if (status !== null && !own.some(({ fold }) => statusAt(fold, now).status === status)) return false
  return access === null || Object.hasOwn(toAccess(project, row, own, now), access)
}

/** The rows as lists of people show them, in the same order, with what they spent in one environment. */
export async function describePeople(
  ctx: Context,
  project: ProjectState,
  rows: readonly SubscriberRow[],
  environment: PurchaseEnvironment = 'PRODUCTION',
): Promise<ListedPerson[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [purchases, spent] = await Promise.all([
    listPurchasesOfAll(ctx, ids),
    spentBySubscribers(ctx, ids, environment),
  ])
  const now = ctx.clock.now()
  return rows.map((row) => {
    const own = purchases.get(row.id) ?? []
    const entitlements = entitlementsOf(project, row, own, now)
    return {
      row,
      access: entitlements.flatMap(({ access, isActive }) => (isActive ? [access] : [])),
      leadingAccess: leadingAccess(entitlements, own),
      country: newestOf(own)?.fold.country ?? null,
      environment: environmentOfPerson(boughtIn(own)),
      spentMicros: spent.get(row.id) ?? 0,
    }
  })
}

const newestOf = (purchases: readonly PurchaseRow[]): PurchaseRow | undefined =>
  purchases.toSorted((a, b) => b.fold.purchaseDate - a.fold.purchaseDate || (a.id < b.id ? 1 : -1))[0]
