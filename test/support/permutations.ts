import { isRelease } from './release'

/** Every order of the items. */
export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

/** Each `step`th order of the items, with the first and the reverse; before a release all of them. */
export const someOrders = <Item>(items: readonly Item[], step: number): Item[][] =>
  permutations(items).filter((_, index, all) => isRelease || index % step === 0 || index === all.length - 1)
