import type { Tx } from '../../base/context'
import { toIso } from '../../base/lib/time'
import type { FunnelPage } from '../../core/funnel/model'
import { nextPage, pageById } from '../../core/funnel/way'
import { countedAnswersOf } from './counted'
import { recordReached, recordSessionEvent } from './events'
import { type SessionRow, saveAdvance, updateSession } from './queries'

interface Paid {
  subscriberId: string
  at: number
}

interface PaidAt extends Paid {
  /** The page that was paid on; the visitor may be on another one meanwhile. Absent = the current page. */
  pageId?: string
}

/**
 * A locked session is paid. The visitor is led on to the page after the payment page. The caller writes `funnel.paid`.
 * Does nothing for a session that is paid already.
 */
export async function markPaid(tx: Tx, session: SessionRow, { subscriberId, at, pageId }: PaidAt): Promise<SessionRow> {
  if (session.paidAt !== null) return session
  const paidPath = pathTo(session.path, pageId)
  const next = await pageAfter(tx, { ...session, path: paidPath }, at)
  const path = next === null || paidPath.includes(next.id) ? paidPath : [...paidPath, next.id]
  const isEnd = next === null || next.type === 'success'
  const completedAt = isEnd ? (session.completedAt ?? at) : session.completedAt
  const change = { state: 'PAID' as const, subscriberId, paidAt: at, activeAt: at, path, completedAt }
  await updateSession(tx, session.id, change)
  const paid = { ...session, ...change }
  await saveAdvance(tx, session.id, paidPath.at(-1) ?? '', at)
  if (next) await recordReached(tx, paid, next.id)
  if (isEnd && session.completedAt === null)
    await recordSessionEvent(tx, 'funnel.session.completed', paid, path.at(-1) ?? null)
  return paid
}

function pathTo(path: readonly string[], pageId = path.at(-1) ?? ''): readonly string[] {
  const at = path.indexOf(pageId)
  return at < 0 ? [...path, pageId] : path.slice(0, at + 1)
}

async function pageAfter(tx: Tx, session: SessionRow, at: number): Promise<FunnelPage | null> {
  const document = await tx.state.funnelDocuments.get(tx, session.funnelId, session.versionNo)
  const page = document && pageById(document.pages, session.path.at(-1) ?? '')
  if (!document || !page) return null
  const moment = { answers: await countedAnswersOf(tx, session), today: toIso(at).slice(0, 10) }
  return nextPage(document.pages, page, moment)
}

/** A locked session is claimed: `subscriberId` has the purchase from now on. The caller writes `funnel.claimed`. */
export async function markCompleted(tx: Tx, session: SessionRow, { subscriberId, at }: Paid): Promise<SessionRow> {
  const change = { state: 'COMPLETED' as const, subscriberId, completedAt: session.completedAt ?? at }
  await updateSession(tx, session.id, change)
  const completed = { ...session, ...change }
  if (session.completedAt === null)
    await recordSessionEvent(tx, 'funnel.session.completed', completed, session.path.at(-1) ?? null)
  return completed
}
