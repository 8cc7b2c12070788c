import type { Context } from '../../base/context'

declare module '../../base/state' {
  interface SliceHooks {
    /** For how many days the plan of a project keeps its events; null = as long as the project wants. */
    planRetention: (ctx: Context, projectId: string) => Promise<number | null>
  }
}

/** For how many days the events of a project are kept: as its settings say, and not longer than its plan allows. */
export async function keptDays(ctx: Context, projectId: string, wanted: number): Promise<number> {
  const allowed = await Promise.all((ctx.hooks.planRetention ?? []).map((days) => days(ctx, projectId)))
  return Math.min(wanted, ...allowed.filter((days) => days !== null))
}
