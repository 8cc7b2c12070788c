import { SDK_HEADERS } from '../support/former-sdk'
import { type Arena, type Deployment, SMALL, sizesOf, spread } from './arena'
import { alternate, type Measured, runRound } from './measure'
import { AT_LEAST_HALF, growthRow, loadRow, type Row, toFigure } from './report'
import { bearer, inCircles, toRequest } from './requests'
import { labelOf } from './seed'

const PATH = '/v1/subscribers/{id}'

/** Reads of known people by an app on the former SDK, from the whole database, compared with the empty route. */
export async function benchFormerSdk(arena: Arena): Promise<Row[]> {
  const { yardstick, small, large, rounds, seconds } = arena
  const load = (next: () => Uint8Array | null) => ({ next, durationMs: seconds * 1000 })
  const empty = load(inCircles([toRequest('GET', '/', {})]))
  const of = (deployment: Deployment, kind: Kind) => load(inCircles(reads(arena, deployment, kind)))
  const [ios, web, inLarge] = [of(small, 'ios'), of(small, 'web'), large && of(large, 'ios')]
  const all = await alternate<string>(rounds, {
    empty: () => runRound(yardstick, empty),
    ios: () => runRound(small.server, ios),
    web: () => runRound(small.server, web),
    ...(large && inLarge ? { inLarge: () => runRound(large.server, inLarge) } : {}),
  })
  return toRows(arena, all as Results)
}

type Kind = 'ios' | 'web'
type Results = Record<'empty' | Kind, Measured> & { inLarge?: Measured }

const PREFIX: Record<Kind, string> = { ios: 'appl_', web: 'rcb_' }

const reads = ({ template }: Arena, deployment: Deployment, kind: Kind): Uint8Array[] => {
  const headers = { ...bearer(PREFIX[kind] + template.project.publicKey), ...SDK_HEADERS[kind] }
  return spread(deployment, SMALL).map((index) => toRequest('GET', `/v1/subscribers/${labelOf(index)}`, headers))
}

const toRows = (arena: Arena, { empty, ios, web, inLarge }: Results): Row[] => [
  loadRow(`GET ${PATH} by a former SDK, iOS`, ios, toFigure(empty), AT_LEAST_HALF),
  loadRow(`GET ${PATH} by a former SDK, web`, web, toFigure(empty), AT_LEAST_HALF),
  ...(inLarge ? [growthRow(`GET ${PATH} by a former SDK`, sizesOf(arena), ios, inLarge)] : []),
]
