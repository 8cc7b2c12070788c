import type { Pair, SectionKey } from './model'
import { live } from './pair'
import { type Path, type Problem, problem } from './problem'
import type { User } from './section'

/** Pruned objects that somebody uses; the first user is told. */
export const lost = (
  { name: section, kind }: SectionKey<unknown>,
  pairs: readonly Pair<unknown>[],
  users: readonly User[],
): Problem[] =>
  pairs
    .filter(({ isPruned }) => isPruned)
    .flatMap(({ name }) => {
      const user = users.find(({ names }) => names.includes(name))
      if (!user) return []
      const message = `${kind} ${name} cannot be pruned: ${user.kind} ${user.name} uses it`
      return [problem([section], message, 'CONFLICT')]
    })

/** More objects than a project may have. Only what the file adds to is counted: what is saved already is nobody's mistake here. */
export function tooMany<State>(
  { name }: SectionKey<State>,
  pairs: readonly Pair<State>[],
  max: number,
  counts: (state: State) => boolean = () => true,
): Problem[] {
  const there = live(pairs).filter(({ after }) => counts(after))
  const grows = there.some(({ before }) => before === null || !counts(before))
  return grows ? over([name], name, there.length, max) : []
}

/** A count that is over its limit, told at the place. */
export const over = (path: Path, what: string, count: number, max: number): Problem[] =>
  count <= max ? [] : [problem(path, `${count} ${what}, but at most ${max}`, 'CONFLICT')]
