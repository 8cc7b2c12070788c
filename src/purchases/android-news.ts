import type { Context, Tx } from '../context'
import { AppError } from '../errors'
import type { EventCause } from '../events/model'
import { sha256Hex } from '../lib/hash'
import { androidClient } from '../projects/android-store'
import type { ProjectState } from '../projects/state'
import type { NotificationAction } from '../stores/android/notification'
import type { Marker, PurchaseEnvironment } from '../stores/observation'
import { ensureSynthetic, findSubscriber, resolveRow, type SubscriberRow } from '../subscribers/service'
import { clientOrTrouble, lookAtToken, type TokenOrder, withPredecessors } from './android-chain'
import { type AndroidLook, storeTrouble } from './android-fetch'
import { ANDROID, listByTokens, lockTokens, observeHeld, recordLooks, tokensOf } from './android-record'
import { findByChain, listByToken, type PurchaseRow } from './queries'
import { lockRead, type Parties } from './receipt-parties'

/** What a notification came to once the store was asked; `looks` are the oldest first. */
export interface AndroidNews {
  purchaseToken: string
  looks: AndroidLook[]
  marker: Marker | null
  /** Why there is nothing to look at. */
  idle: string | null
}

type Action = Exclude<NotificationAction, { kind: 'IGNORED' }>

/** Asks the store what a notification only names. No transaction may be open; 503 `STORE_UNAVAILABLE` when it fails. */
export async function fetchNews(ctx: Context, project: ProjectState, action: Action): Promise<AndroidNews> {
  const { purchaseToken, productType: family } = action
  if (action.kind === 'FETCH') {
    const { storeProductId, chargedAt, revokedAt, partlyRefundedAt } = action
    const times = { chargedAt, revokedAt, partlyRefundedAt }
    return { ...(await look(ctx, project, { purchaseToken, family, storeProductId, times })), marker: null }
  }
  const { marker } = action
  const held = await findByChain(ctx, project.id, ANDROID, purchaseToken)
  if (held) return { purchaseToken, looks: [], marker, idle: null }
  // A refund says nothing of what was bought, and might be told first.
  return { ...(await look(ctx, project, { purchaseToken, family, storeProductId: null })), marker }
}

type Looked = Omit<AndroidNews, 'marker'>

async function look(ctx: Context, project: ProjectState, order: TokenOrder): Promise<Looked> {
  const { purchaseToken } = order
  const client = await clientOrTrouble(() => androidClient(ctx, project))
  const result = await lookAtToken(ctx, client, project, order)
  switch (result.kind) {
    case 'found':
      return { purchaseToken, looks: await withPredecessors(ctx, client, project, result.look), idle: null }
    case 'not_paid':
    case 'cancelled':
    case 'mismatch':
    case 'not_found':
      return { purchaseToken, looks: [], idle: IDLE[result.kind] }
    default:
      // Whatever it is, the store will push again, and somebody may have mended it by then.
      throw new AppError('STORE_UNAVAILABLE', undefined, { cause: storeTrouble(result) })
  }
}

const IDLE = {
  not_paid: 'the purchase is not paid yet',
  cancelled: 'the purchase was cancelled',
  mismatch: 'the purchase names no product',
  not_found: 'the store does not know the purchase',
}

/** What came of news; `unsold`: the purchase is recorded, and gives nothing while the catalogue lacks its product. */
export type NewsOutcome =
  | { kind: 'recorded' }
  | { kind: 'idle'; reason: string }
  | { kind: 'unsold'; storeProductId: string }

/**
 * Records news in the caller's transaction. Whose it is: the owner of the
 * purchase, or of the one that it replaces; else the subscriber for whom the store kept the same account last; else a
 * synthetic subscriber, until somebody shows the token.
 */
export async function recordNews(
  tx: Tx,
  project: ProjectState,
  news: AndroidNews,
  cause: EventCause,
): Promise<NewsOutcome> {
  const tokens = [...new Set([news.purchaseToken, ...tokensOf(news.looks)])]
  await lockTokens(tx, project.id, tokens)
  const { looks, marker, purchaseToken } = news
  if (looks.length > 0) {
    const { subscriber } = await lockRead(tx, () => readParties(tx, project.id, news, tokens))
    if (subscriber.erasedAt !== null) return idle(ERASED)
    await recordLooks(tx, project, looks, { ownerId: subscriber.id, presentedContext: null, cause })
  }
  const held = await findByChain(tx, project.id, ANDROID, purchaseToken)
  if (!held) return idle(news.idle ?? 'nothing was bought')
  if (marker && !(await mark(tx, project, held, marker, cause))) return idle(ERASED)
  if (!marker && looks.length === 0) return idle(news.idle ?? 'nothing was said')
  return held.productId === null ? { kind: 'unsold', storeProductId: held.fold.storeProductId } : { kind: 'recorded' }
}

const ERASED = 'its owner was erased'

const idle = (reason: string): NewsOutcome => ({ kind: 'idle', reason })

async function mark(
  tx: Tx,
  project: ProjectState,
  { id, chainKey }: PurchaseRow,
  marker: Marker,
  cause: EventCause,
): Promise<boolean> {
  const parties = await lockRead(tx, async () => {
    const [purchase] = await listByTokens(tx, project.id, [chainKey])
    if (!purchase) throw new Error(`purchase ${id} vanished under its lock`)
    return { subscriber: await ownerOf(tx, purchase), purchases: [purchase], isNew: false }
  })
  const [purchase] = parties.purchases
  return purchase !== undefined && observeHeld(tx, project, purchase, marker, cause)
}

async function readParties(
  tx: Tx,
  projectId: string,
  { purchaseToken, looks }: AndroidNews,
  tokens: readonly string[],
): Promise<Parties> {
  const purchases = await listByTokens(tx, projectId, tokens)
  const held = purchases.find(({ chainKey }) => chainKey === purchaseToken)
  const [nearest] = purchases.toSorted((a, b) => b.fold.purchaseDate - a.fold.purchaseDate)
  const known = held ?? nearest
  const subscriber = known ? await ownerOf(tx, known) : await newOwner(tx, projectId, purchaseToken, looks.at(-1))
  return { subscriber, purchases, isNew: false }
}

async function ownerOf(tx: Tx, { id, projectId, subscriberId }: PurchaseRow): Promise<SubscriberRow> {
  const row = await findSubscriber(tx, projectId, subscriberId)
  if (!row) throw new Error(`purchase ${id} has no owner`)
  return resolveRow(tx, row)
}

async function newOwner(
  tx: Tx,
  projectId: string,
  purchaseToken: string,
  look: AndroidLook | undefined,
): Promise<SubscriberRow> {
  const known = look?.account ? await ownerByAccount(tx, projectId, look.environment, look.account) : null
  return known ?? ensureSynthetic(tx, projectId, `android:${sha256Hex(purchaseToken).slice(0, 32)}`)
}

async function ownerByAccount(
  tx: Tx,
  projectId: string,
  environment: PurchaseEnvironment,
  account: string,
): Promise<SubscriberRow | null> {
  const purchases = await listByToken(tx, projectId, ANDROID, environment, account)
  const [last] = purchases.toSorted((a, b) => b.fold.storeEventAt - a.fold.storeEventAt)
  const owner = last ? await ownerOf(tx, last) : null
  return owner?.erasedAt === null ? owner : null
}

/** Fetches a purchase anew and records it for its owner: for restore without receipts, and for the reconciler. */
export async function refreshAndroidPurchase(
  ctx: Context,
  project: ProjectState,
  { chainKey, fold }: PurchaseRow,
  cause: EventCause,
): Promise<void> {
  const family = fold.productType === 'SUBSCRIPTION' ? 'SUBSCRIPTION' : 'ONE_TIME'
  const looked = await look(ctx, project, { purchaseToken: chainKey, family, storeProductId: null })
  await ctx.write((tx) => recordNews(tx, project, { ...looked, marker: null }, cause))
}
