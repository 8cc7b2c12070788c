import type { Context, Tx } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { notFound } from '../../base/errors'
import { equalsConstantTime } from '../../base/lib/hash'
import type { FunnelDocument } from '../../core/funnel/model'
import { findProject, type ProjectRow } from '../../projects/project/service'
import { type FunnelName, findFunnelName } from '../publication/service'
import * as queries from './queries'
import { hashOf } from './secret'

/** A session with the version of the funnel that it started with. */
export interface PresentedSession {
  session: queries.SessionRow
  document: FunnelDocument
  funnel: FunnelName
  project: ProjectRow
}

/**
 * The session of a call. 404 `NOT_FOUND` where there is none, where the secret is not its own, and where its project is
 * gone: always the same.
 */
export async function presentedSession(
  ctx: Context,
  sessionId: string,
  secret: string | null,
): Promise<PresentedSession> {
  const session = await queries.findSession(ctx, sessionId)
  const isOwn = session !== null && secret !== null && equalsConstantTime(session.secretHash, hashOf(secret))
  const whole = isOwn ? await withDocument(ctx, session) : null
  if (!whole) throw notFound('funnel session', sessionId)
  return whole
}

/** Null where the funnel or the project of the session is gone. */
export async function withDocument(
  ctx: Handle & Pick<Context, 'state'>,
  session: queries.SessionRow,
): Promise<PresentedSession | null> {
  const { projectId, funnelId, versionNo } = session
  const document = await ctx.state.funnelDocuments.get(ctx, funnelId, versionNo)
  const funnel = await findFunnelName(ctx, projectId, funnelId)
  const project = await findProject(ctx, projectId)
  return document && funnel && project ? { session, document, funnel, project } : null
}

/** The row, which no other transaction changes before this one ends; 404 where it is gone. */
export async function lockedSession(tx: Tx, sessionId: string): Promise<queries.SessionRow> {
  const session = await queries.lockSession(tx, sessionId)
  if (!session) throw notFound('funnel session', sessionId)
  return session
}
