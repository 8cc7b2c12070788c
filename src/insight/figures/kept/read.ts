import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { DAY, HOUR } from '../../../base/lib/clock'
import type { Cell } from '../cells'
import { readWhole } from '../series'
import type { GroupBy, SumScope } from '../sums'
import type { KeptAnswers, Version } from './answer'
import { findBases, rangesBetween, settledFor } from './bases'
import { countAll, toAnswers } from './count-all'
import type { PeopleQuestion } from './count-person'
import type { GroupKey } from './counts'
import { type Derivation, derive, findChanges } from './derive'
import { isKept, nameOf } from './name'
import { listAnswers } from './queries'

/** Counts a person in one cell, entry by entry. */
export type CountCell = (handle: Handle, scope: SumScope, cell: Cell) => Promise<number>

export interface PeopleRequest {
  question: PeopleQuestion
  cells: readonly Cell[]
  /** Counts where no kept answer helps. */
  countCell: CountCell
}

/** Numbers of people by cell: of a group, or of '' when nothing is grouped. */
export type CountsOf = (group: GroupKey) => Promise<readonly number[]>

/** Numbers of people in cells. What was counted before is brought up to date; the answer is that of a count of everything. */
export async function readPeople(handle: Handle, scope: SumScope, request: PeopleRequest): Promise<CountsOf> {
  const { question, cells, countCell } = request
  const derived = await fromKept(handle, scope, question, cells)
  if (derived) return async (group) => derived.of(group).slice(0, cells.length)
  return async (group) => {
    const own = scope.groupBy === null ? scope : narrowed(scope, scope.groupBy, group)
    const counts: number[] = []
    for (const cell of cells) counts.push(await countCell(handle, own, cell))
    return counts
  }
}

export const narrowed = (scope: SumScope, groupBy: GroupBy, group: GroupKey): SumScope => ({
  ...scope,
  groupBy: null,
  filters: { ...scope.filters, [groupBy]: [group] },
})

/** So many people and entries are looked at each time, and so much time lies between; with more, what was found is kept. */
const FEW_PEOPLE = 200
const FEW_ENTRIES = 5000
const FEW_MS = HOUR

async function fromKept(handle: Handle, scope: SumScope, question: PeopleQuestion, cells: readonly Cell[]) {
  const { kept } = scope
  if (!kept || !isKept(scope) || handle.isClickhouse) return null
  const derivation = await derivationOf(handle, scope, kept, question, cells)
  const derived = derivation && (await derive(handle, derivation))
  if (!derivation || !derived) return null
  if (isFar(derivation) || derived.people > FEW_PEOPLE) {
    const counted = { cells: derivation.cells, counts: derived.settled, version: derivation.settled }
    kept.keep(toAnswers(scope, question, counted))
  }
  return derived.now
}

function isFar({ bases, cells, settled }: Derivation): boolean {
  const position = Math.min(...bases.map((one) => one.position))
  const between = rangesBetween(bases, cells).reduce((sum, { start, end }) => sum + end - start, 0)
  return settled.position - position > FEW_ENTRIES || between > FEW_MS
}

async function derivationOf(
  handle: Handle,
  scope: SumScope,
  kept: KeptAnswers,
  question: PeopleQuestion,
  cells: readonly Cell[],
): Promise<Derivation | null> {
  const settled = await settledFor(handle, kept)
  const bases = await findBases(handle, scope, kept, question, cells, settled)
  if (!bases) return null
  const more = lastDay(scope, question)
  const ofMore = more.length > 0 ? ((await findBases(handle, scope, kept, question, more, settled)) ?? []) : []
  const all = { cells: [...cells, ...(ofMore.length > 0 ? more : [])], bases: [...bases, ...ofMore] }
  return { scope, question, ...all, settled, isSettled: kept.settled === null }
}

/**
 * From the number of people who are active in the last day follows, on the next days, that of a day or month which has
 * started by then. So it is kept too.
 */
const lastDay = ({ now }: SumScope, question: PeopleQuestion): Cell[] =>
  question === 'ACTIVE' ? [{ start: now - DAY, end: now }] : []

/**
 * Counts everybody in a large project, where no answer is kept that could be brought up to date. It runs before the
 * chart is read, because it takes long and others are to have their turn in between.
 */
export async function prepareAnswers(
  ctx: Context,
  scope: SumScope,
  question: PeopleQuestion,
  cells: readonly Cell[],
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { kept } = scope
  if (!kept || !isKept(scope) || !(await isMissing(ctx, scope, kept, question, cells))) return
  const key = JSON.stringify([
    scope.projectId,
    nameOf(question, scope),
    cells.map(({ start, end }) => [start, Math.floor(end / HOUR)]),
  ])
  await ctx.state.answers.once(ctx, key, async (own) =>
    kept.keep(
      await countAll(own, scope, kept, { question, cells: [...cells, ...lastDay(scope, question)], isStopping }),
    ),
  )
}

const isMissing = (
  ctx: Context,
  scope: SumScope,
  kept: KeptAnswers,
  question: PeopleQuestion,
  cells: readonly Cell[],
): Promise<boolean> =>
  ctx.storage.readInThread(async (handle) => {
    const derivation = await derivationOf(handle, scope, kept, question, cells)
    if (derivation && (!isFar(derivation) || (await findChanges(handle, derivation)))) return false
    return isSettled(await settledFor(handle, kept)) && (await isLarge(handle, scope, kept, cells))
  })

const isSettled = ({ position }: Version): boolean => position > 0

/** What is kept of a question, saved or not yet, about windows that start at an instant or later. */
export async function readAnswers(ctx: Context, { projectId, kept }: SumScope, name: string, from: number) {
  const saved = await ctx.storage.readInThread((handle) => listAnswers(handle, projectId, name, from))
  return [...saved, ...(kept?.listNew(projectId, name) ?? [])]
}

/** Whether a project has so many charges that they are not counted again each time. */
export async function isLarge(
  handle: Handle,
  scope: SumScope,
  { leastCharges }: KeptAnswers,
  cells: readonly Cell[],
): Promise<boolean> {
  const window = { start: Math.min(...cells.map(({ start }) => start)), end: Math.max(...cells.map(({ end }) => end)) }
  const own: SumScope = { ...scope, filters: {}, names: ['charges'] }
  const { before, total } = await readWhole(handle, { scope: own, cells: [window] })
  return before.charges + total.sums.charges >= leastCharges
}
