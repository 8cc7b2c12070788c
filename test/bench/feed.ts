import { writeCursor } from '../../src/people/events/feed-cursor'
import { type Arena, type Deployment, sizesOf, spread } from './arena'
import { alternate, type Measured, runRound } from './measure'
import { growthRow, loadRow, type Row, toFigure } from './report'
import { bearer, inCircles, toRequest } from './requests'
import { LEDGER_STEP } from './seed'

const PAGES = 100
const PAGE = 100

/** Pages of a hundred events from the whole feed, as a server reads them. */
export async function benchFeed(arena: Arena): Promise<Row[]> {
  const { small, large, rounds, seconds, yardstick } = arena
  const load = (next: () => Uint8Array | null) => ({ next, durationMs: seconds * 1000 })
  const empty = load(inCircles([toRequest('GET', '/', {})]))
  const inSmall = load(inCircles(pages(arena, small)))
  const inLarge = large && load(inCircles(pages(arena, large)))
  const all = await alternate<string>(rounds, {
    empty: () => runRound(yardstick, empty),
    inSmall: () => runRound(small.server, inSmall),
    ...(large && inLarge ? { inLarge: () => runRound(large.server, inLarge) } : {}),
  })
  return toRows(arena, all as Results)
}

/** The first page and pages after some cursors. The positions of the cursors need not be those of existing events. */
function pages({ template }: Arena, deployment: Deployment): Uint8Array[] {
  const { secretKey, id: projectId } = template.project
  const filter = { projectId, types: [], subscriberId: null }
  const cursors = spread(deployment, PAGES).map((index) =>
    writeCursor({ position: Math.floor(index / LEDGER_STEP), readUntil: Date.now() }, filter),
  )
  const paths = cursors.map((cursor) => `/v1/events?limit=${PAGE}&after=${cursor}`)
  return [`/v1/events?limit=${PAGE}`, ...paths].map((path) => toRequest('GET', path, bearer(secretKey)))
}

type Results = Record<'empty' | 'inSmall', Measured> & { inLarge?: Measured }

function toRows(arena: Arena, { empty, inSmall, inLarge }: Results): Row[] {
  const what = `GET /v1/events, a page of ${PAGE}`
  return [
    loadRow(what, inSmall, toFigure(empty), null),
    ...(inLarge ? [growthRow(what, sizesOf(arena), inSmall, inLarge)] : []),
  ]
}
