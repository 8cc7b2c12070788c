import type { Tx } from '../../base/context'
import type { EventCause } from '../../people/events/model'
import type { SubscriberRow } from '../../people/subscribers/service'
import type { ProjectState } from '../../projects/project/state'
import { lockRead } from '../receipts/parties'
import { CommitNews } from '../recording/commit-news'
import { ERASED, idle, type Recording } from '../recording/recording'
import type { AndroidUpdate } from './ask'
import { readParties } from './parties'
import { recordLooks } from './record'
import { recordNamed } from './record-named'
import { tellLooks } from './tell-looks'
import { adoptOrders, lockTokens, tokensOf } from './tokens'

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
