import { type Arena, type Deployment, sizesOf, spread } from './arena'
import { alternate, type Measured, median, runRound } from './measure'
import { atLeast, growthRow, loadRow, type Row } from './report'
import { bearer, toRequest } from './requests'
import { labelOf } from './seed'

const SPENDERS = 1000
const COMMITS = 2000

/**
 * Bookings, each with a new key, for a thousand subscribers who already have a ledger, compared with one synced commit.
 */
export async function benchCurrencies(arena: Arena): Promise<Row[]> {
  const { small, large, rounds, seconds, template, committer } = arena
  const { secretKey } = template.project
  const costs: number[] = []
  const load = (next: () => Uint8Array | null) => ({ next, durationMs: seconds * 1000 })
  const inSmall = load(bookings(small, secretKey))
  const inLarge = large && load(bookings(large, secretKey))
  const all = await alternate<string>(rounds, {
    small: () => {
      costs.push(committer.time(COMMITS))
      return runRound(small.server, inSmall)
    },
    ...(large && inLarge ? { large: () => runRound(large.server, inLarge) } : {}),
  })
  return toRows(arena, all as Results, 1000 / median(costs.slice(1)))
}

function bookings(deployment: Deployment, key: string): () => Uint8Array {
  const paths = spread(deployment, SPENDERS).map(
    (index) => `/v1/virtual-currencies/${labelOf(index)}/coins/transactions`,
  )
  let turn = 0
  return () => {
    const path = paths[turn++ % paths.length] ?? ''
    return toRequest('POST', path, bearer(key), { amount: 1, idempotencyKey: `bench-${turn}` })
  }
}

type Results = { small: Measured; large?: Measured }

function toRows(arena: Arena, { small, large }: Results, commitsPerSecond: number): Row[] {
  const what = 'POST /v1/virtual-currencies/:appUserId/:code/transactions'
  const alone = { value: commitsPerSecond, unit: 'req/s' as const }
  return [
    loadRow(`${what}, new key (yardstick: a commit)`, small, alone, atLeast(0.7)),
    ...(large ? [growthRow(what, sizesOf(arena), small, large)] : []),
  ]
}
