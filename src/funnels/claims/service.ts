import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { linkBase } from '../../base/http/own-origin'
import { findAppLinks } from './app-links/queries'
import type { ClaimProof } from './model'
import { findFreeToken, replaceToken } from './queries'
import { hashOf, newToken, sealContext, TOKEN_LIFE } from './token'
import './hooks'

/** Makes the token with which an app claims a paid session. The token of before opens nothing from then on. */
export async function issueToken(
  tx: Tx,
  { projectId, sessionId }: { projectId: string; sessionId: string },
  proof: ClaimProof,
): Promise<string> {
  const token = newToken()
  const issuedAt = tx.clock.now()
  await replaceToken(tx, {
    sessionId,
    projectId,
    tokenHash: hashOf(token),
    sealed: proof === 'PAID' ? (tx.vault?.seal(token, sealContext(sessionId)) ?? null) : null,
    proof,
    issuedAt,
    expiresAt: issuedAt + TOKEN_LIFE,
    claimedAt: null,
    claimedBy: null,
  })
  return token
}

/**
 * The token for the session that paid: the living one again, so that a link or a code that was shown stays good; a new one
 * where the living one came another way or cannot be opened. The session is locked.
 */
export async function paidToken(tx: Tx, ids: { projectId: string; sessionId: string }): Promise<string> {
  const free = await findFreeToken(tx, ids.sessionId, tx.clock.now())
  const token = free?.sealed ? (tx.vault?.open(free.sealed, sealContext(ids.sessionId)) ?? null) : null
  return token ?? issueToken(tx, ids, 'PAID')
}

/** The addresses that open the app with a token. Both are null while the project has saved no app. */
export interface OpenUrls {
  deep_link_url: string | null
  universal_link_url: string | null
}

export async function openUrls(
  ctx: Handle & Pick<Context, 'config' | 'state'>,
  project: { id: string },
  token: string,
): Promise<OpenUrls> {
  const links = await findAppLinks(ctx, project.id)
  const app = links?.ios ?? links?.android
  if (!app) return { deep_link_url: null, universal_link_url: null }
  return {
    deep_link_url: deepLink(app, token),
    universal_link_url: `${linkBase(ctx)}${OPEN_PATH}/${token}`,
  }
}

export const deepLink = ({ scheme }: { scheme: string }, token: string): string =>
  `${scheme}://onboarding-complete?token=${token}`

/** The path of the links that open an app which is installed, and lead to its store otherwise. */
export const OPEN_PATH = '/universal/funnels/open'
