import { type Placeholder, sql } from 'drizzle-orm'
import type { Handle } from './handle'
import { prepared } from './prepared'

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

/** A query for rows by a list of values, which is built once for each length of the list. */
interface QueryBySome<Row> {
  /** Unique in the whole product. */
  name: string
  build(handle: Handle, some: Placeholder[]): { execute(params: Record<string, unknown>): Promise<Row[]> }
}

/** Like `bySome`, where the building of the query would take longer than the query. */
export const byPrepared = <Row>(
  handle: Handle,
  values: readonly (string | number)[],
  { name, build }: QueryBySome<Row>,
  others: Record<string, unknown> = {},
): Promise<Row[]> =>
  bySome(values, (some) => {
    const names = some.map((_, index) => `some${index}`)
    const make = (one: Handle) =>
      build(
        one,
        names.map((own) => sql.placeholder(own)),
      )
    const params = Object.fromEntries(some.map((value, index) => [`some${index}`, value]))
    return prepared(handle, `${name} ${some.length}`, make).execute({ ...others, ...params })
  })
