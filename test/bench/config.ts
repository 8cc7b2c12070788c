import { type Arena, type Deployment, SMALL, sizesOf, spread } from './arena'
import { alternate, type Measured, runRound } from './measure'
import { AT_LEAST_HALF, growthRow, loadRow, type Row, toFigure } from './report'
import { bearer, inCircles, toRequest } from './requests'
import { deviceOf } from './seed'

const ROUTE = 'GET /v1/config'
const SERVER_P99_MS = 5

/** The start of an app with a known subscriber: 10 flags and 3 running experiments, compared with the empty route. */
export async function benchConfig(arena: Arena): Promise<Row[]> {
  const { yardstick, small, large, template, rounds, seconds } = arena
  const { publicKey, secretKey } = template.project
  const load = (requests: readonly Uint8Array[]) => ({ next: inCircles(requests), durationMs: seconds * 1000 })
  const empty = load([toRequest('GET', '/', {})])
  const byPublic = load(reads(small, publicKey))
  const bySecret = load(reads(small, secretKey))
  const withPurchases = load(reads(small, publicKey, '&env=staging'))
  const again = { ...load(await readsAgain(small, publicKey)), wanted: ['304'] }
  const inLarge = large && load(reads(large, publicKey))
  const all = await alternate<string>(rounds, {
    empty: () => runRound(yardstick, empty),
    byPublic: () => runRound(small.server, byPublic),
    bySecret: () => runRound(small.server, bySecret),
    again: () => runRound(small.server, again),
    withPurchases: () => runRound(small.server, withPurchases),
    ...(large && inLarge ? { inLarge: () => runRound(large.server, inLarge) } : {}),
  })
  return toRows(arena, all as Results)
}

type Results = Record<'empty' | 'byPublic' | 'bySecret' | 'again' | 'withPurchases', Measured> & { inLarge?: Measured }

const pathOf = (index: number, query: string): string => `/v1/config?subscriberId=${deviceOf(index)}${query}`

const reads = (deployment: Deployment, key: string, query = ''): Uint8Array[] =>
  spread(deployment, SMALL).map((index) => toRequest('GET', pathOf(index, query), bearer(key)))

/** Each request has the ETag of the answer that the caller already has. */
const readsAgain = (deployment: Deployment, key: string): Promise<Uint8Array[]> =>
  Promise.all(
    spread(deployment, SMALL / 10).map(async (index) => {
      const path = pathOf(index, '')
      const { headers } = await fetch(`${deployment.server.url}${path}`, { headers: bearer(key) })
      return toRequest('GET', path, { ...bearer(key), 'if-none-match': headers.get('etag') ?? '' })
    }),
  )

function toRows(arena: Arena, results: Results): Row[] {
  const { empty, byPublic, bySecret, again, withPurchases, inLarge } = results
  return [
    loadRow(`${ROUTE}, public key`, byPublic, toFigure(empty), AT_LEAST_HALF),
    loadRow(`${ROUTE}, secret key`, bySecret, toFigure(empty), AT_LEAST_HALF),
    loadRow(`${ROUTE}, If-None-Match, 304`, again, toFigure(empty), AT_LEAST_HALF),
    loadRow(`${ROUTE}, a rule asks for purchases`, withPurchases, toFigure(empty), null),
    {
      what: `${ROUTE}, p99 with 64 connections`,
      result: { value: byPublic.p99Ms, unit: 'ms' },
      yardstick: { value: empty.p99Ms, unit: 'ms' },
      aim: { of: 'result', is: 'at most', value: SERVER_P99_MS },
    },
    ...(inLarge ? [growthRow(ROUTE, sizesOf(arena), byPublic, inLarge)] : []),
  ]
}
