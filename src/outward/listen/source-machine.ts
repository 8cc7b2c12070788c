import type { Context } from '../../base/context'
import { isUnavailable, toAppError } from '../../base/db/errors'
import { AppError } from '../../base/errors'
import { readFeed } from '../../people/events/feed'
import { listenSecret } from './secret'
import { type EventSource, PAGE_LIMIT, SourceAway } from './source'

/** The events of a project in the database of this machine, whichever process writes them. */
export const machineSource = (ctx: Context, project: { id: string; slug: string }, types: readonly string[]) =>
  ({
    project: project.slug,
    secret: async () => listenSecret(ctx, project.id),
    async next(start, waitMs, signal) {
      const filter = { projectId: project.id, types, subscriberId: null }
      const place = 'cursor' in start ? { after: start.cursor } : { after: null, since: start.since }
      try {
        const state = await ctx.state.projects.get(project.id)
        const { rows, nextCursor } = await readFeed(ctx, state, { filter, ...place, limit: PAGE_LIMIT, waitMs, signal })
        return { events: rows, cursor: nextCursor }
      } catch (error) {
        throw isAway(error) ? new SourceAway('The database does not answer.') : error
      }
    },
  }) satisfies EventSource

function isAway(error: unknown): boolean {
  const known = toAppError(error)
  return isUnavailable(error) || (known instanceof AppError && known.status === 503)
}
