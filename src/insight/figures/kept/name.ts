import { GROUPS, type SumScope } from '../sums'

/** The name of a question with its scope: equal for all that ask the same. */
export function nameOf(question: string, { environment, groupBy, filters }: SumScope): string {
  const named = GROUPS.flatMap((name) => {
    const wanted = filters[name]
    return wanted ? [[name, [...new Set(wanted)].toSorted()]] : []
  })
  return JSON.stringify([question, environment, groupBy, named])
}

/** Whether an answer can be kept: it is about everybody, and of everything that is known. */
export const isKept = ({ kept, owners, knownBefore, isRecount, kinds }: SumScope): boolean =>
  kept !== undefined && !owners && !kinds && knownBefore === null && !isRecount
