import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'

/** What other slices can count about one project. */
export interface ProjectFigures {
  subscribers?: number
  /** Monthly recurring revenue in USD micros, of production. */
  mrr?: number
}

/** What other slices can count about the whole deployment. */
export interface PlatformFigures {
  subscribers?: number
  activeSubscriptions?: number
  storeEventLagSeconds?: number
  webhookLagSeconds?: number
}

/** Milliseconds; null = no limit on that side. `from` is inclusive, `to` exclusive. */
export interface Period {
  from: number | null
  to: number | null
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Counts about single projects, by project id. */
    projectFigures: (ctx: Context, projectIds: readonly string[]) => Promise<Map<string, ProjectFigures>>
    /** Counts about the deployment. What has a time of creation is counted in the period only. */
    platformFigures: (handle: Handle, period: Period, now: number) => Promise<PlatformFigures>
  }
}
