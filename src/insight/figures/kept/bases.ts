import type { Handle } from '../../../base/db/handle'
import { DAY } from '../../../base/lib/clock'
import type { Cell } from '../cells'
import { lastPosition } from '../rolls/queries'
import type { SumScope } from '../sums'
import type { KeptAnswer, KeptAnswers, Version } from './answer'
import type { PeopleQuestion } from './count-person'
import { nameOf } from './name'
import { lastMove, listAnswers } from './queries'

/** The most that the sides of a cell can differ from those of an answer which it is derived from. */
const MOST_DISTANT = 3 * DAY

/** Up to where everything is committed that a read shows. */
export const settledFor = async (handle: Handle, { settled }: Pick<KeptAnswers, 'settled'>): Promise<Version> =>
  settled ?? { position: await lastPosition(handle), moved: await lastMove(handle) }

/** For each cell the kept answer that is the nearest to it; null when a cell has none. */
export async function findBases(
  handle: Handle,
  scope: SumScope,
  kept: KeptAnswers,
  question: PeopleQuestion,
  cells: readonly Cell[],
  settled: Version,
): Promise<KeptAnswer[] | null> {
  const from = Math.min(...cells.map(({ start }) => start)) - MOST_DISTANT
  const name = nameOf(question, scope)
  const saved = await listAnswers(handle, scope.projectId, name, from)
  const known = [...saved, ...kept.listNew(scope.projectId, name)].filter(
    ({ position, moved }) => position <= settled.position && moved <= settled.moved,
  )
  const byStart = known.toSorted((a, b) => a.start - b.start)
  if (byStart.length === 0) return null
  const bases: KeptAnswer[] = []
  for (const cell of cells) {
    const base = nearest(byStart, cell) ?? nobodyIn(cell, question, { ...byStart[0], ...settled })
    if (!base) return null
    bases.push(base)
  }
  return bases
}

/** A short cell that has just started needs no earlier answer. */
function nobodyIn(
  { start, end }: Cell,
  question: PeopleQuestion,
  like: Partial<KeptAnswer> & Version,
): KeptAnswer | null {
  const { projectId = '', name = '', computedAt = 0, position, moved } = like
  if (question === 'ACTIVE' || end - start > MOST_DISTANT) return null
  return { projectId, name, start, end: start, position, moved, computedAt, answer: '[]' }
}

/** Of equally near ones the newest. */
function nearest(known: readonly KeptAnswer[], cell: Cell): KeptAnswer | null {
  let best: KeptAnswer | null = null
  for (const one of known) {
    if (distance(one, cell) > 2 * MOST_DISTANT || Math.abs(one.start - cell.start) > MOST_DISTANT) continue
    const [gain, age] = best ? [distance(best, cell) - distance(one, cell), one.position - best.position] : [1, 0]
    if (gain > 0 || (gain === 0 && age > 0)) best = one
  }
  return best
}

const distance = (one: Cell, { start, end }: Cell): number => Math.abs(one.start - start) + Math.abs(one.end - end)

/** The times that are in a cell and not in what it is derived from, or the other way round. */
export function rangesBetween(bases: readonly Cell[], cells: readonly Cell[]): Cell[] {
  const all = cells.flatMap((cell, index) => {
    const base = bases[index] ?? cell
    return [rangeOf(base.start, cell.start), rangeOf(base.end, cell.end)]
  })
  const found: Cell[] = []
  for (const { start, end } of all.filter((one) => one.start < one.end).toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  return found
}

const rangeOf = (a: number, b: number): Cell => ({ start: Math.min(a, b), end: Math.max(a, b) })
