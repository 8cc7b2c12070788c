import type { Pair, SectionKey } from './model'
import { live } from './pair'
import { type Path, type Problem, problem } from './problem'
import type { User } from './section'

/** A problem for each pruned object that another object uses. The message names the first such object. */
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

/**
 * The problem of a section with more objects than a project may have. It is reported only when the file adds an object:
 * a file that adds nothing did not cause it.
 */
export function tooMany<State>(
  { name }: SectionKey<State>,
  pairs: readonly Pair<State>[],
  max: number,
  counts: (state: State) => boolean = () => true,
): Problem[] {
  const counted = live(pairs).filter(({ after }) => counts(after))
  const grows = counted.some(({ before }) => before === null || !counts(before))
  return grows ? over([name], name, counted.length, max) : []
}

/** A problem at `path` if a count is above its limit. */
export const over = (path: Path, what: string, count: number, max: number): Problem[] =>
  count <= max ? [] : [problem(path, `${count} ${what}, but at most ${max}`, 'CONFLICT')]
