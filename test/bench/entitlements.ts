import { type Arena, type Deployment, SMALL, sizesOf, spread } from './arena'
import { alternate, type Measured, runRound } from './measure'
import { AT_LEAST_HALF, growthRow, loadRow, type Row, toFigure } from './report'
import { bearer, inCircles, toRequest } from './requests'
import { deviceOf } from './seed'

const PATH = '/v1/me/entitlements'
const SERVER_P99_MS = 5

/** Reads of known subscribers from the whole database, compared with the empty route. */
export async function benchEntitlements(arena: Arena): Promise<Row[]> {
  const { yardstick, small, large, template, rounds, seconds } = arena
  const { publicKey, secretKey } = template.project
  const load = (next: () => Uint8Array | null) => ({ next, durationMs: seconds * 1000 })
  const empty = load(inCircles([toRequest('GET', '/', {})]))
  const byPublic = load(inCircles(reads(small, publicKey)))
  const bySecret = load(inCircles(reads(small, secretKey)))
  const inLarge = large && load(inCircles(reads(large, publicKey)))
  const all = await alternate<string>(rounds, {
    empty: () => runRound(yardstick, empty),
    byPublic: () => runRound(small.server, byPublic),
    bySecret: () => runRound(small.server, bySecret),
    ...(large && inLarge ? { inLarge: () => runRound(large.server, inLarge) } : {}),
  })
  return toRows(arena, all as Results)
}

type Results = Record<'empty' | 'byPublic' | 'bySecret', Measured> & { inLarge?: Measured }

const reads = (deployment: Deployment, key: string): Uint8Array[] =>
  spread(deployment, SMALL).map((index) =>
    toRequest('GET', PATH, { ...bearer(key), 'x-svc-app-user-id': deviceOf(index) }),
  )

function toRows(arena: Arena, { empty, byPublic, bySecret, inLarge }: Results): Row[] {
  return [
    loadRow(`GET ${PATH}, public key`, byPublic, toFigure(empty), AT_LEAST_HALF),
    loadRow(`GET ${PATH}, secret key`, bySecret, toFigure(empty), AT_LEAST_HALF),
    {
      what: `GET ${PATH}, p99 with 64 connections`,
      result: { value: byPublic.p99Ms, unit: 'ms' },
      yardstick: { value: empty.p99Ms, unit: 'ms' },
      aim: { of: 'result', is: 'at most', value: SERVER_P99_MS },
    },
    ...(inLarge ? [growthRow(`GET ${PATH}`, sizesOf(arena), byPublic, inLarge)] : []),
  ]
}
