import type { Context } from '../../base/context'
import type { Hit } from '../../projects/project/search-hook'
import type { ProjectState } from '../../projects/project/state'

/** The most objects that a search answers. */
export const MOST_HITS = 20

/**
 * The objects of every slice that a text names or begins to name: exact ones first, then the others. The kinds take
 * turns, so that many subscribers with the prefix do not hide the one product with it.
 */
export async function searchProject(ctx: Context, project: ProjectState, text: string): Promise<Hit[]> {
  const searches = (ctx.hooks.searchObjects ?? []).map((search) => search(ctx, project, text, MOST_HITS))
  const hits = (await Promise.all(searches)).flat()
  const exact = hits.filter(({ isExact }) => isExact)
  return [...exact, ...inTurns(hits.filter(({ isExact }) => !isExact))].slice(0, MOST_HITS)
}

function inTurns(hits: readonly Hit[]): Hit[] {
  const kinds = [...Map.groupBy(hits, ({ kind }) => kind).values()]
  const longest = Math.max(0, ...kinds.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, turn) => kinds.flatMap((kind) => kind.slice(turn, turn + 1)))
  return turns.flat()
}
