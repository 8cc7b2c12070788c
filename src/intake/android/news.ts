import type { Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import type { EventCause } from '../../people/events/model'
import { ensureSynthetic, type SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { lockRead, type Parties } from '../receipts/parties'
import { CommitNews } from '../recording/commit-news'
import { ownerByAccount, ownerOf } from '../recording/held'
import { ERASED, idle, type Recording } from '../recording/recording'
import type { AndroidUpdate } from './ask'
import type { AndroidLook } from './fetch'
import { ANDROID, adoptOrders, listByTokens, lockTokens, recordLooks, tokensOf } from './record'
import { recordNamed } from './record-named'
import { tellLooks } from './tell-looks'

/**
 * Records what the store said about a purchase, in the caller's transaction. The owner is the owner of the purchase or
 * of the one that it replaces; else the owner of the newest purchase with the same store account; else a synthetic
 * subscriber, until a device submits the token. `buyer` is the owner of a new one when the caller knows them.
 */
export async function recordUpdate(
  tx: Tx,
  project: ProjectState,
  news: AndroidUpdate,
  cause: EventCause,
  buyer: SubscriberRow | null = null,
): Promise<Recording> {
  const tokens = [...new Set([news.purchaseToken, ...tokensOf(news.looks)])]
  await lockTokens(tx, project.id, tokens)
  await adoptOrders(tx, project.id, news.looks)
  const { looks } = news
  const changes = new CommitNews()
  if (looks.length > 0) {
    const { subscriber } = await lockRead(tx, () => readParties(tx, project.id, news, tokens, buyer))
    if (subscriber.erasedAt !== null) return idle(ERASED)
    await recordLooks(tx, project, looks, { ownerId: subscriber.id, presentedContext: null, cause }, changes)
  }
  const recording = await recordNamed(tx, project, news, cause, changes)
  await tellLooks(tx, project, looks, cause, changes)
  return recording
}

async function readParties(
  tx: Tx,
  projectId: string,
  { purchaseToken, looks }: AndroidUpdate,
  tokens: readonly string[],
  buyer: SubscriberRow | null,
): Promise<Parties> {
  const purchases = await listByTokens(tx, projectId, tokens)
  const held = purchases.find(({ chainKey }) => chainKey === purchaseToken)
  const [nearest] = purchases.toSorted((a, b) => b.fold.purchaseDate - a.fold.purchaseDate)
  const known = held ?? nearest
  const subscriber = known
    ? await ownerOf(tx, known)
    : (buyer ?? (await newOwner(tx, projectId, purchaseToken, looks.at(-1))))
  return { subscriber, purchases, isNew: false }
}

async function newOwner(
  tx: Tx,
  projectId: string,
  purchaseToken: string,
  look: AndroidLook | undefined,
): Promise<SubscriberRow> {
  const account = look?.account
    ? ({ store: ANDROID, environment: look.environment, token: look.account } as const)
    : null
  const known = account && (await ownerByAccount(tx, projectId, account))
  return known ?? ensureSynthetic(tx, projectId, `android:${sha256Hex(purchaseToken).slice(0, 32)}`)
}
