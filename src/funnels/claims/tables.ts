import type { Kit } from '../../base/db/kit'
import type { AppLinks } from '../../core/app-links/model'
import type { ClaimProof, LinkPurpose } from './model'

export const claimTables = (k: Kit) => ({
  /** The one living claim token of a paid session. A new one replaces it. */
  funnelTokens: k.table(
    'funnel_tokens',
    {
      sessionId: k.str().primaryKey(),
      projectId: k.str().notNull(),
      tokenHash: k.str().notNull(),
      /** The token itself, encrypted, for the session that paid; null for other proofs, without a master key, and once claimed. */
      sealed: k.str(),
      proof: k.str().$type<ClaimProof>().notNull(),
      issuedAt: k.int().notNull(),
      expiresAt: k.int().notNull(),
      claimedAt: k.int(),
      claimedBy: k.str(),
    },
    (t) => [k.unique('funnel_tokens_hash').on(t.tokenHash), k.index('funnel_tokens_project').on(t.projectId)],
  ),

  /** Each time that a paid purchase moved to another subscriber by a claim. */
  funnelMoves: k.table(
    'funnel_moves',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      sessionId: k.str().notNull(),
      purchaseId: k.str().notNull(),
      movedAt: k.int().notNull(),
    },
    (t) => [
      k.index('funnel_moves_purchase').on(t.purchaseId, t.movedAt),
      k.index('funnel_moves_project').on(t.projectId),
    ],
  ),

  /** A link in a mail, used once: to the app, or to the buyer's page. */
  funnelLinks: k.table(
    'funnel_links',
    {
      /** The SHA-256 of the nonce. */
      hash: k.str().primaryKey(),
      projectId: k.str().notNull(),
      purpose: k.str().$type<LinkPurpose>().notNull(),
      /** Null for the buyer's page, which shows all sessions of the address. */
      sessionId: k.str(),
      emailHash: k.str().notNull(),
      /** The mail that it was written in; null for the cookie of a visit. */
      mailId: k.str(),
      createdAt: k.int().notNull(),
      expiresAt: k.int().notNull(),
      usedAt: k.int(),
    },
    (t) => [
      k.index('funnel_links_email').on(t.projectId, t.emailHash, t.createdAt),
      k.index('funnel_links_mail').on(t.mailId),
      k.index('funnel_links_end').on(t.expiresAt),
    ],
  ),

  /** Openings of the link to the app on iOS, for the match of an install within the hour. */
  funnelOpenings: k.table(
    'funnel_openings',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      /** Null for an install that asked. */
      sessionId: k.str(),
      /** The keyed hash of the client's address, with a new key every day. */
      addressHash: k.str().notNull(),
      language: k.str(),
      installId: k.str(),
      at: k.int().notNull(),
    },
    (t) => [
      k.index('funnel_openings_address').on(t.projectId, t.addressHash, t.at),
      k.index('funnel_openings_at').on(t.at),
    ],
  ),

  /** Where the apps of a project are: what Apple's and Google's files and the links to the app are made from. */
  appLinks: k.table('app_links', {
    projectId: k.str().primaryKey(),
    links: k.json<AppLinks>().notNull(),
    updatedAt: k.int().notNull(),
  }),
})

type ClaimTables = ReturnType<typeof claimTables>

declare module '../../base/db/tables' {
  interface Tables extends ClaimTables {}
}
