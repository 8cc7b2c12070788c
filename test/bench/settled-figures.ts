import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { TEST_KEY } from '../support/context'

/**
 * Tells the server that the figures of all seeded purchases are there. Else it would count them when it starts, which
 * takes minutes, and for so long the time of the requests that are measured.
 */
export async function settleFigures(ctx: Context): Promise<void> {
  await rebuildProjects(ctx, () => true)
  await ctx.write(({ db, tables: { figureProjects } }) => db.update(figureProjects).set({ doneUntil: null }))
}

/** The same in the database of a folder, before a server opens it. */
export async function settleFiguresIn(folder: string): Promise<void> {
  const config = readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY })
  const ctx = await createContext(config, { clock: systemClock })
  await settleFigures(ctx)
  await ctx.close()
}
