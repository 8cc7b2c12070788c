import type { Handle } from '../../../base/db/handle'
import type { Cell } from '../cells'
import type { SumScope } from '../sums'
import type { KeptAnswer, Version } from './answer'
import { rangesBetween } from './bases'
import type { PeopleQuestion } from './count-person'
import { type GroupedEntry, type GroupKey, PeopleCounts } from './counts'
import { byOwner, ownersAt } from './owners'
import { listChanged, listMovesAfter, listOwned, listPersonEntries, type Move, type Owned } from './queries'

/** A question about people, and the answers that it is derived from: one for each cell. */
export interface Derivation {
  scope: SumScope
  question: PeopleQuestion
  cells: readonly Cell[]
  bases: readonly KeptAnswer[]
  settled: Version
  /** Whether everything is settled that the read shows. */
  isSettled: boolean
}

/** As of now, and as of what is settled. */
export interface Derived {
  now: PeopleCounts
  settled: PeopleCounts
  /** How many people were looked at. */
  people: number
}

/** More purchases than these are not brought up to date: everything is counted again. */
export const MOST_CHANGED = 20_000

/** What can have changed the answers since: purchases with other entries, and moves. Null when it is too much. */
export async function findChanges(
  handle: Handle,
  { scope, question, cells, bases }: Derivation,
): Promise<{ ids: string[]; moves: Move[] } | null> {
  const position = Math.min(...bases.map((one) => one.position))
  const moves = await listMovesAfter(handle, scope.projectId, Math.min(...bases.map(({ moved }) => moved)))
  const ranges = rangesBetween(bases, cells)
  const limit = MOST_CHANGED + 1
  const changed = await listChanged(handle, scope, question, { position, ranges, limit })
  const ids = [...new Set([...changed, ...moves.map(({ purchaseId }) => purchaseId)])]
  return ids.length > MOST_CHANGED ? null : { ids, moves }
}

/**
 * Brings answers up to date: a number of people is a sum over people, so only those count again of whom anything
 * changed, once as they were counted then and once as they are now. Null when too much changed.
 */
export async function derive(handle: Handle, derivation: Derivation): Promise<Derived | null> {
  const { scope, question, cells, bases, settled, isSettled } = derivation
  const changes = await findChanges(handle, derivation)
  if (!changes) return null
  const { moves } = changes
  const owned = await listConcerned(handle, changes)
  const entries = await listPersonEntries(handle, scope, question, [...new Set(owned.map(({ id }) => id))])
  const people = peopleOf(owned, moves)
  const now = startOf(bases)
  const kept = isSettled ? now : startOf(bases)
  const add = (to: readonly PeopleCounts[], version: Version | null, of: readonly Cell[], times: 1 | -1) => {
    for (const [person, own] of entriesAt(entries, owned, moves, version))
      if (people.has(person)) for (const counts of new Set(to)) counts.addPerson(question, own, of, times)
  }
  for (const [version, of] of cellsByVersion(bases)) add([now, kept], version, of, -1)
  add([now], null, cells, 1)
  if (!isSettled) add([kept], settled, cells, 1)
  return { now, settled: kept, people: people.size }
}

/** The cells of the answers of each version; in place of the others is one in which no person counts. */
function cellsByVersion(bases: readonly KeptAnswer[]): [Version, Cell[]][] {
  const versions = new Map(bases.map((base) => [`${base.position} ${base.moved}`, base]))
  return [...versions.values()].map((version) => [
    version,
    bases.map((base) => (base.position === version.position && base.moved === version.moved ? base : NEVER)),
  ])
}

/** A cell in which no person counts. */
const NEVER: Cell = { start: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY }

function startOf(bases: readonly KeptAnswer[]): PeopleCounts {
  const counts = new PeopleCounts(bases.length)
  for (const [index, { answer }] of bases.entries())
    for (const [group, count] of JSON.parse(answer) as [GroupKey, number][]) counts.add(group, index, count)
  return counts
}

/** All purchases of everybody who owns, or owned, one that has changed. */
async function listConcerned(handle: Handle, { ids, moves }: { ids: string[]; moves: Move[] }): Promise<Owned[]> {
  const changed = await listOwned(handle, 'id', ids)
  const people = [...peopleOf(changed, moves)]
  const owned = await listOwned(handle, 'subscriberId', people)
  return [...new Map([...changed, ...owned].map((one) => [one.id, one])).values()]
}

const peopleOf = (owned: readonly Owned[], moves: readonly Move[]): Set<string> =>
  new Set([...owned.map(({ subscriberId }) => subscriberId), ...moves.map(({ fromId }) => fromId)])

function entriesAt(
  entries: readonly GroupedEntry[],
  owned: readonly Owned[],
  moves: readonly Move[],
  version: Version | null,
): Map<string, GroupedEntry[]> {
  const owners = ownersAt(owned, moves, version?.moved ?? null)
  const known = version ? entries.filter(({ position }) => position <= version.position) : entries
  return byOwner(known, owners)
}
