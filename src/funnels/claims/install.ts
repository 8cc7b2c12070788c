import type { Context } from '../../base/context'
import { DAY, HOUR } from '../../base/lib/clock'
import { findSession } from './paid'
import { findToken, type SessionHead } from './queries'
import { insertOpening, listOpenings, type OpeningRow } from './queries-openings'
import { issueToken } from './service'
import { hashOf, hasTokenForm } from './token'

export interface Install {
  platform: 'ios' | 'android'
  installId: string
  locale: string | null
  referrer: string | null
  /** The address of the client. */
  address: string
}

/** The token of an app that was just installed; null when nothing or more than one thing matches (wire 5.14). */
export const claimInstall = (ctx: Context, projectId: string, install: Install): Promise<string | null> =>
  install.platform === 'android'
    ? referredToken(ctx, projectId, install.referrer)
    : matchedToken(ctx, projectId, install)

/** Google Play hands over what the link to the store had in `referrer`. */
async function referredToken(ctx: Context, projectId: string, referrer: string | null): Promise<string | null> {
  const token = new URLSearchParams(referrer ?? '').get('svc_funnel_token') ?? ''
  const row = hasTokenForm(token) ? await findToken(ctx, projectId, hashOf(token)) : null
  return row && row.expiresAt > ctx.clock.now() ? token : null
}

/**
 * The App Store hands over nothing. Where a funnel allows it, an opening of its link within the hour matches by address
 * and language. The token is a new one, because that of the link may be in other hands.
 */
async function matchedToken(ctx: Context, projectId: string, install: Install): Promise<string | null> {
  const { installId, locale, address } = install
  return ctx.write(async (tx) => {
    const at = tx.clock.now()
    const [addressHash = '', ...former] = addressHashes(ctx, projectId, address)
    await tx.lock(`funnel-openings:${addressHash}`)
    const near = await listOpenings(tx, { projectId, addressHashes: [addressHash, ...former], after: at - HOUR })
    const asked = { id: tx.ids.next('fop'), projectId, sessionId: null, addressHash, language: null, installId, at }
    if (!near.some((one) => one.installId === installId)) await insertOpening(tx, asked)
    const sessionId = soleMatch(near, installId, languageOf(locale))
    const session = sessionId === null ? null : await findSession(tx, projectId, sessionId)
    // A claimed session is never moved by a deferred match.
    return session?.state === 'PAID' ? issueToken(tx, { projectId, sessionId: session.id }, 'INSTALL') : null
  })
}

function soleMatch(near: readonly OpeningRow[], installId: string, language: string | null): string | null {
  if (near.some((one) => one.installId !== null && one.installId !== installId)) return null
  const candidates = near.filter((one) => one.sessionId !== null && one.language === language)
  const sessionIds = new Set(candidates.map(({ sessionId }) => sessionId))
  return sessionIds.size === 1 ? ([...sessionIds][0] ?? null) : null
}

/** Remembers for an hour who opened a link to the app, where the funnel allows a match by it. */
export async function rememberOpening(
  ctx: Context,
  session: SessionHead,
  { address, languages }: { address: string; languages: string | null },
): Promise<void> {
  const { projectId, id: sessionId, funnelId, versionNo } = session
  const document = await ctx.state.funnelDocuments.get(ctx, funnelId, versionNo)
  if (document?.settings.deferredMatch !== true) return
  const [addressHash = ''] = addressHashes(ctx, projectId, address)
  const language = languageOf(languages)
  await ctx.write((tx) => {
    const at = tx.clock.now()
    return insertOpening(tx, {
      id: tx.ids.next('fop'),
      projectId,
      sessionId,
      addressHash,
      language,
      installId: null,
      at,
    })
  })
}

/** The keyed hash of an address, with another key each day: that of today first, then that of an hour ago. */
function addressHashes({ mac, clock }: Context, projectId: string, address: string): string[] {
  const days = [clock.now(), clock.now() - HOUR].map((instant) => Math.floor(instant / DAY))
  return [...new Set(days)].map((day) => mac.sign(`${day} ${projectId} ${address}`, 'funnel opening'))
}

/** The first language tag of a header or a locale, without its region. */
const languageOf = (tags: string | null): string | null =>
  /^\s*([A-Za-z]{2,8})/.exec(tags ?? '')?.[1]?.toLowerCase() ?? null
