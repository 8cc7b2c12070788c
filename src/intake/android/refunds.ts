import type { Context } from '../../base/context'
import { DAY } from '../../base/lib/clock'
import { listByChain, listObservations } from '../../people/purchases/queries'
import { androidClient } from '../../projects/connections/android-store'
import type { ProjectState } from '../../projects/project/state'
import type { PlayClient } from '../../stores/android/client'
import { decodeVoided } from '../../stores/android/voided'
import type { Marker, Observation } from '../../stores/observation'
import type { Refresh, UnreportedRefund } from '../recording/model'
import { lookFor } from './ask'
import { storeFault } from './fetch'
import { recordUpdate } from './news'
import { ANDROID } from './tokens'

/** Google lists the last 30 days, and refuses a longer span. The minute is a margin. */
const LISTED_MS = 30 * DAY - 60_000
/** Pages have up to 1000 rows each. Rows beyond this limit are not read in this run. */
const MAX_PAGES = 50

/** The entries of the list about one purchase. */
interface Voided {
  markers: Marker[]
  /** The instants at which some of its units were refunded. */
  partlyAt: number[]
}

/**
 * The refunds of the last 30 days that are not recorded here. A fetched purchase does not contain its refund, only its
 * end. One list has the refunds of all purchases.
 */
export async function listUnreportedRefunds(ctx: Context, project: ProjectState): Promise<UnreportedRefund[]> {
  const untold: UnreportedRefund[] = []
  for (const [purchaseToken, voided] of await listVoided(ctx, project)) {
    const lines = await listByChain(ctx, project.id, ANDROID, purchaseToken)
    const [purchase] = lines
    if (!purchase) continue
    const known = (await Promise.all(lines.map(({ id }) => listObservations(ctx, id)))).flat()
    for (const marker of voided.markers)
      if (!isKnown(known, marker)) untold.push({ purchase, refresh: recordMarker(marker) })
    const knownParts = known.filter(({ kind, id }) => kind === 'REFUND' && id.includes('#')).length
    const isWhole = lines.every(({ fold }) => fold.refundedAt !== null)
    if (!isWhole && voided.partlyAt.length > knownParts)
      untold.push({ purchase, refresh: refetch(Math.max(...voided.partlyAt)) })
  }
  return untold
}

const isKnown = (known: readonly Observation[], marker: Marker): boolean =>
  known.some(({ kind, id }) => kind === marker.kind && id === marker.id)

/** The list by purchase token. A row that cannot be read is skipped, so that it does not block the others. */
async function listVoided(ctx: Context, project: ProjectState): Promise<Map<string, Voided>> {
  const client = await androidClient(ctx, project)
  const byToken = new Map<string, Voided>()
  for await (const row of readRows(client, ctx.clock.now())) {
    const result = decodeVoided(row)
    if (!result.ok) continue
    const voided = byToken.get(result.purchaseToken) ?? { markers: [], partlyAt: [] }
    byToken.set(result.purchaseToken, voided)
    if ('marker' in result) voided.markers.push(result.marker)
    else voided.partlyAt.push(result.partlyRefundedAt)
  }
  return byToken
}

async function* readRows(client: PlayClient, endAt: number): AsyncGenerator<unknown> {
  let pageToken: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.listVoided({ startAt: endAt - LISTED_MS, endAt, pageToken })
    if (answer.kind !== 'ok') throw storeFault(answer)
    yield* answer.body.rows
    pageToken = answer.body.nextPageToken
    if (pageToken === null) return
  }
}

const recordMarker =
  (marker: Marker): Refresh =>
  (ctx, project, { chainKey }, cause) => {
    const news = { purchaseToken: chainKey, looks: [], marker, idle: null }
    return ctx.write((tx) => recordUpdate(tx, project, news, cause))
  }

/** Fetches the purchase, because only the purchase contains how many units were refunded. */
const refetch =
  (partlyRefundedAt: number): Refresh =>
  async (ctx, project, { chainKey, fold }, cause) => {
    const family = fold.productType === 'SUBSCRIPTION' ? 'SUBSCRIPTION' : 'ONE_TIME'
    const times = { chargedAt: null, revokedAt: null, partlyRefundedAt }
    const looked = await lookFor(ctx, project, { purchaseToken: chainKey, family, storeProductId: null, times })
    return ctx.write((tx) => recordUpdate(tx, project, { ...looked, marker: null }, cause))
  }
