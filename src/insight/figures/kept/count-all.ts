import type { Context } from '../../../base/context'
import type { Cell } from '../cells'
import type { SumScope } from '../sums'
import type { KeptAnswer, KeptAnswers, Version } from './answer'
import { settledFor } from './bases'
import type { PeopleQuestion } from './count-person'
import { PeopleCounts } from './counts'
import { nameOf } from './name'
import { byOwner } from './owners'
import { eachPart } from './parts'
import { listPersonEntries } from './queries'

interface Counting {
  question: PeopleQuestion
  cells: readonly Cell[]
  isStopping: () => boolean
}

/**
 * Counts everybody in every cell, part by part, as of what is settled at the start. A count that is stopped is no
 * answer: then there are none.
 */
export async function countAll(
  ctx: Context,
  scope: SumScope,
  kept: KeptAnswers,
  { question, cells, isStopping }: Counting,
): Promise<KeptAnswer[]> {
  const version = await ctx.storage.readInThread((handle) => settledFor(handle, kept))
  const counts = new PeopleCounts(cells.length)
  const read = (handle: Parameters<typeof listPersonEntries>[0], ids: readonly string[]) =>
    listPersonEntries(handle, scope, question, ids)
  const isWhole = await eachPart(ctx, { scope, version, read, isStopping }, (entries, owners) => {
    for (const own of byOwner(entries, owners).values()) counts.addPerson(question, own, cells, 1)
  })
  if (!isWhole) return []
  return toAnswers(scope, question, { cells, counts, version })
}

interface Counted {
  cells: readonly Cell[]
  counts: PeopleCounts
  version: Version
}

/** What was counted at a version, as it is kept. */
export function toAnswers(
  scope: SumScope,
  question: PeopleQuestion,
  { cells, counts, version: { position, moved } }: Counted,
): KeptAnswer[] {
  const about = { projectId: scope.projectId, name: nameOf(question, scope), position, moved, computedAt: scope.now }
  return cells.map(({ start, end }, index) => ({
    ...about,
    ...{ start, end, answer: JSON.stringify(counts.inCell(index)) },
  }))
}
