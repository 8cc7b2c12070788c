/** Values of one list in a statement. */
const SOME = 500

/** Reads by a list of values that may be longer than a statement should be. */
export async function bySome<Value, Row>(
  values: readonly Value[],
  read: (some: Value[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = []
  for (let first = 0; first < values.length; first += SOME)
    for (const row of await read(values.slice(first, first + SOME))) found.push(row)
  return found
}
