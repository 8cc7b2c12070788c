/** Sorts things by the position of their names in `order`. Things that are not in it come last, sorted by name. */
export function inOrder<Thing>(
  things: readonly Thing[],
  order: readonly string[],
  nameOf: (thing: Thing) => string,
): Thing[] {
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return things.toSorted((a, b) => {
    const [first, second] = [nameOf(a), nameOf(b)]
    return placeOf(first) - placeOf(second) || (first < second ? -1 : Number(first > second))
  })
}
