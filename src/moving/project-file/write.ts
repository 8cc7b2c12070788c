import type { Tx } from '../../base/context'
import { writeCatalog } from '../../projects/catalog/service'
import { removeStoreSettings, saveStoreSettings } from '../../projects/connections/credentials'
import { updateProject } from '../../projects/project/queries'
import { isChanged, isStoreChanged } from './changes'
import { withoutDefaults } from './current'
import type { Planned } from './load'
import type { Plan } from './plan'
import { rowsOf } from './rows'
import { targetingRowsOf } from './rows-targeting'
import { writeTargeting } from './write-targeting'

/** Writes what a plan changes; it comes back with the ids of its new objects. */
export async function writePlan(tx: Tx, projectId: string, { plan, current }: Planned): Promise<Plan> {
  const now = tx.clock.now()
  const { changes, catalog } = rowsOf(plan.catalog, current.catalog, tx.ids, now)
  await writeCatalog(tx, projectId, changes)
  const targets = targetingRowsOf(plan.targeting, current.targeting, catalog.offerings, tx.ids, now)
  await writeTargeting(tx, projectId, targets.changes)
  await writeProject(tx, plan)
  await writeStores(tx, projectId, { plan, current })
  return { ...plan, catalog, targeting: targets.targeting }
}

async function writeProject(tx: Tx, { project }: Plan): Promise<void> {
  const { id, after } = project
  if (id === null || after === null || !isChanged(project)) return
  const settings = withoutDefaults(after.settings)
  await updateProject(tx, id, { ...after, settings, updatedAt: tx.clock.now() })
}

async function writeStores(tx: Tx, projectId: string, { plan, current }: Planned): Promise<void> {
  for (const { section, after } of plan.stores.filter(isStoreChanged)) {
    if (after === null) await removeStoreSettings(tx, projectId, section)
    else
      await saveStoreSettings(tx, projectId, section, {
        ...after,
        config: { ...current.stores.get(section)?.config, ...after.config },
      })
  }
}
