import type { Tx } from '../../base/context'
import { sha256Hex } from '../../base/lib/hash'
import { ensureSynthetic, type SubscriberRow } from '../../people/subscribers/service'
import type { Parties } from '../receipts/parties'
import { ownerByAccount, ownerOf } from '../recording/held'
import type { AndroidUpdate } from './ask'
import type { AndroidLook } from './fetch'
import { ANDROID, listByTokens } from './tokens'

/** The recorded purchases that an update is about, and their owner; see `recordUpdate`. */
export async function readParties(
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
