/** Values of one list in a statement. */
const SOME = 512
const LENGTHS = [1, 4, 16, 64, 128, 256, SOME]

/** Reads by a list of values that may be longer than a statement should be. */
export async function bySome<Value, Row>(
  values: readonly Value[],
  read: (some: Value[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = []
  for (let first = 0; first < values.length; first += SOME)
    for (const row of await read(padded(values.slice(first, first + SOME)))) found.push(row)
  return found
}

/** Lists of few lengths, by repeating a value, so that there are few statements to prepare. */
function padded<Value>(values: Value[]): Value[] {
  const [last] = values.slice(-1)
  const length = LENGTHS.find((one) => one >= values.length) ?? values.length
  while (last !== undefined && values.length < length) values.push(last)
  return values
}
