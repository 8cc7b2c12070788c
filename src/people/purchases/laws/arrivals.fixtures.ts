import fc from 'fast-check'

/** An order of arrival. With equal ranks and no repetitions it is the order in which the facts happened. */
export interface Arrival {
  /** Facts are sorted by these numbers; a short list is repeated. */
  ranks: readonly number[]
  /** Indexes of facts that arrive a second time, modulo the number of facts. */
  again: readonly number[]
}

export const anyArrival: fc.Arbitrary<Arrival> = fc.record({
  ranks: fc.array(fc.nat({ max: 99 }), { minLength: 24, maxLength: 24 }),
  again: fc.array(fc.nat({ max: 99 }), { maxLength: 5 }),
})

export function arrive<Fact>(facts: readonly Fact[], { ranks, again }: Arrival): Fact[] {
  const doubled = again.flatMap((place) => facts.slice(place % facts.length).slice(0, 1))
  return [...facts, ...doubled]
    .map((fact, place) => ({ fact, rank: ranks[place % ranks.length] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ fact }) => fact)
}

export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
