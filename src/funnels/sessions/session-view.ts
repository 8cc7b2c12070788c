import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import { openedValue } from './answers'
import { factsOfSession } from './hooks'
import { findSession, listAnswers, type SessionRow } from './queries'

/** A session as the people who run the funnel see it. */
export const toView = (row: SessionRow) => ({
  ...{ id: row.id, funnelId: row.funnelId, versionNo: row.versionNo, state: row.state },
  ...{ currentPageId: row.path.at(-1) ?? '', path: row.path, locale: row.locale, utm: row.utm },
  ...{ referrer: row.referrer, country: row.country, device: row.device, placement: row.placement },
  ...{ variantId: row.variantId, subscriberId: row.subscriberId, startedAt: toIso(row.startedAt) },
  ...{ activeAt: toIso(row.activeAt), paidAt: toIsoOrNull(row.paidAt), completedAt: toIsoOrNull(row.completedAt) },
})

/** The session with its answers; 404 for one of another project. Sensitive answers are hidden. */
export async function sessionDetail(ctx: Context, projectId: string, id: string) {
  const session = await findSession(ctx, id)
  if (session?.projectId !== projectId) throw notFound('funnel session', id)
  const answers = (await listAnswers(ctx, id)).map((row) => ({
    ...{ fieldId: row.fieldId, pageId: row.pageId, isSensitive: row.isSealed },
    value: row.isSealed ? null : (openedValue(ctx, row) ?? null),
    answeredAt: toIso(row.answeredAt),
  }))
  const { payment } = await factsOfSession(ctx, session)
  return { ...toView(session), answers, payment }
}
