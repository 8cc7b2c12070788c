import { writeCatalog } from '../../catalog/service'
import type { Context, Tx } from '../../context'
import { AppError } from '../../errors'
import { type Actor, type AuditEntry, CLI_ACTOR, recordAudit } from '../audit'
import { removeStoreSettings, saveStoreSettings } from '../credentials'
import { updateProject } from '../queries'
import { lockProject, touchConfig } from '../service'
import { changesOf, isChanged, isStoreChanged, type ObjectChange } from './changes'
import { withoutDefaults } from './current'
import { type Planned, planFor } from './load'
import type { ParsedFile } from './parse'
import type { Plan } from './plan'
import type { CatalogPlan } from './plan-catalog'
import { rowsOf } from './rows'

export interface ApplyOptions {
  prune: boolean
  actor?: Actor
  /** Of the plan that was shown: a project that has changed since is refused with 409 `CONFLICT`. */
  configVersion?: number
}

/** What applying the file would change; writes nothing. */
export async function planFile(
  ctx: Context,
  projectId: string,
  parsed: ParsedFile,
  { prune }: ApplyOptions,
): Promise<Plan> {
  return (await planFor(ctx, projectId, parsed, prune)).plan
}

/**
 * Makes the project equal to the file in one transaction, with one audit row for each object that changes. A plan
 * with problems, or without changes, writes nothing.
 */
export async function applyFile(
  ctx: Context,
  projectId: string,
  parsed: ParsedFile,
  options: ApplyOptions,
): Promise<Plan> {
  return ctx.write(async (tx) => {
    await lockProject(tx, projectId)
    const planned = await planFor(tx, projectId, parsed, options.prune)
    const { configVersion } = planned.plan
    if (options.configVersion !== undefined && options.configVersion !== configVersion)
      throw new AppError('CONFLICT', undefined, { message: 'The project was changed meanwhile; apply the file again' })
    const changes = changesOf(planned.plan)
    if (planned.plan.problems.length > 0 || changes.length === 0) return planned.plan
    const catalog = await write(tx, projectId, planned)
    const entries = changesOf({ ...planned.plan, catalog }).map(auditEntry)
    await recordAudit(tx, projectId, options.actor ?? CLI_ACTOR, entries)
    await touchConfig(ctx, tx, projectId)
    return planned.plan
  })
}

/** Writes what changes; the catalogue comes back with the ids of its new objects. */
async function write(tx: Tx, projectId: string, { plan: planned, current }: Planned): Promise<CatalogPlan> {
  const { changes, catalog } = rowsOf(planned.catalog, current.catalog, tx.ids, tx.clock.now())
  await writeCatalog(tx, projectId, changes)
  await writeProject(tx, planned)
  for (const { section, after } of planned.stores.filter(isStoreChanged)) {
    if (after === null) await removeStoreSettings(tx, projectId, section)
    else
      await saveStoreSettings(tx, projectId, section, {
        ...after,
        config: { ...current.stores.get(section)?.config, ...after.config },
      })
  }
  return catalog
}

async function writeProject(tx: Tx, { project }: Plan): Promise<void> {
  const { id, after } = project
  if (id === null || after === null || !isChanged(project)) return
  const settings = withoutDefaults(after.settings)
  await updateProject(tx, id, { ...after, settings, updatedAt: tx.clock.now() })
}

const auditEntry = ({ op, kind, id, ref, before, after }: ObjectChange): AuditEntry => ({
  action: `${kind}.${op}`,
  target: { type: kind, id: id ?? ref },
  before,
  after,
})
