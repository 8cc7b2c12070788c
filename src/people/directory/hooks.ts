import type { Context } from '../../base/context'
import type { ProjectState } from '../../projects/project/state'
import type { SubscriberRow } from '../subscribers/service'

/** Those of the rows that belong to an audience now, in the same order; null when the project has no such audience. */
export type AudienceMembers = (
  ctx: Context,
  project: ProjectState,
  audienceId: string,
) => Promise<((rows: readonly SubscriberRow[]) => Promise<SubscriberRow[]>) | null>

/** The variant of an experiment that a subscriber holds. */
export interface HeldVariant {
  experimentId: string
  key: string
  variantId: string
  assignedAt: number
  exposedAt: number | null
}

export type ListHeldVariants = (ctx: Context, projectId: string, subscriberId: string) => Promise<HeldVariant[]>

declare module '../../base/state' {
  interface SliceHooks {
    audienceMembers: AudienceMembers
    listHeldVariants: ListHeldVariants
  }
}
