import type { Context } from '../../base/context'
import { countByState } from '../../base/jobs/queries'
import type { Period, PlatformFigures } from './figures'
import { countProjects, countUsers, databaseBytes } from './queries'

/** The figures of the deployment. Projects, users and subscribers are those that were created in the period. */
export async function platformMetrics(ctx: Context, period: Period) {
  const now = ctx.clock.now()
  const [projects, users, depths, bytes] = await Promise.all([
    countProjects(ctx, period),
    countUsers(ctx, period),
    countByState(ctx),
    databaseBytes(ctx.storage),
  ])
  const counted: PlatformFigures = {}
  for (const figuresOf of ctx.hooks.platformFigures ?? []) Object.assign(counted, await figuresOf(ctx, period, now))
  const { subscribers = 0, activeSubscriptions = 0, storeEventLagSeconds = 0, webhookLagSeconds = 0 } = counted
  return {
    projects,
    users,
    subscribers,
    activeSubscriptions,
    requestsPerMinute: ctx.state.requestRate.perMinute(now, ctx.metrics.requests.total()),
    queueDepth: {
      WAITING: depths.get('WAITING') ?? 0,
      RUNNING: depths.get('RUNNING') ?? 0,
      DEAD: depths.get('DEAD') ?? 0,
    },
    webhookLagSeconds,
    storeEventLagSeconds,
    databaseBytes: bytes,
  }
}
