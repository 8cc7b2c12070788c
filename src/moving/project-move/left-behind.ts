import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'

/** Files of a project that stay where they are, because they lie outside of the database. */
export interface LeftBehind {
  what: string
  count: number
}

declare module '../../base/state' {
  interface SliceHooks {
    leftBehind: (handle: Handle, projectId: string) => Promise<LeftBehind>
  }
}

/** Without what there is none of. */
export async function listLeftBehind(ctx: Context, projectId: string): Promise<LeftBehind[]> {
  const all = await Promise.all((ctx.hooks.leftBehind ?? []).map((count) => count(ctx, projectId)))
  return all.filter(({ count }) => count > 0)
}
