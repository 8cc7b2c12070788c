import { eq } from 'drizzle-orm'
import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'

/** Not moved with a project: at the next purchase the other deployment learns what Google allows there. */
const nameOf = (projectId: string): string => `orders-refused:${projectId}`

/** Whether Google lately refused to show an order to the service account of a project. */
export async function hasRefusedOrders({ db, tables: { revisions: r } }: Handle, projectId: string): Promise<boolean> {
  const rows = await db
    .select({ value: r.value })
    .from(r)
    .where(eq(r.name, nameOf(projectId)))
  return rows.length > 0
}

/** Remembers since when Google refuses orders (milliseconds UTC), or that it shows them. It writes only what changes. */
export async function noteOrders(ctx: Context, projectId: string, isRefused: boolean): Promise<void> {
  if ((await hasRefusedOrders(ctx, projectId)) === isRefused) return
  await ctx.write(async ({ db, clock, tables: { revisions: r } }) => {
    const name = nameOf(projectId)
    if (isRefused) await db.insert(r).values({ name, value: clock.now() }).onConflictDoNothing()
    else await db.delete(r).where(eq(r.name, name))
  })
}
