import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { toIso } from '../../base/lib/time'
import { editDashboard, type ProjectActor } from '../../projects/project/edit'
import { loadCurrent } from '../../projects/project-file/load'
import { sectionsOf } from '../../projects/project-file/sections'
import { toFileContent } from '../../projects/project-file/write-yaml'
import { deleteApplied, fileEntry, findApplied, findAppliedBy } from './applied'
import { type Difference, driftOf, toYaml } from './kept'

/** How a project differs from its file. */
export interface FileDrift {
  /** When a command applied the file last; null = the project is kept in no file, so that nothing can drift. */
  appliedAt: string | null
  appliedBy: string | null
  count: number
  objects: Difference[]
}

const KEPT_IN_NO_FILE: FileDrift = { appliedAt: null, appliedBy: null, count: 0, objects: [] }

/** More are counted and not shown. */
const MOST_SHOWN = 100

interface KnownDrift {
  version: string
  /** All who ask for a version wait for one comparison. */
  drift: Promise<FileDrift>
}

/** The drift of each project that was asked for, until the project or its file changes. */
export class Drifts {
  private readonly known = new Map<string, KnownDrift>()

  constructor(private readonly ctx: Context) {}

  async of({ id, configVersion }: { id: string; configVersion: number }): Promise<FileDrift> {
    const applied = await findAppliedBy(this.ctx, id)
    if (!applied) return KEPT_IN_NO_FILE
    const version = `${configVersion} ${applied.appliedAt}`
    const known = this.known.get(id)
    if (known?.version === version) return known.drift
    const drift = this.compare(id)
    this.keep(id, { version, drift })
    return drift
  }

  private async compare(projectId: string): Promise<FileDrift> {
    const { ctx } = this
    const current = await loadCurrent(ctx, projectId, sectionsOf(ctx.hooks))
    const applied = await findApplied(ctx, projectId)
    if (!applied) return KEPT_IN_NO_FILE
    const objects = driftOf(applied.sections, toFileContent(current))
    return {
      appliedAt: toIso(applied.appliedAt),
      appliedBy: applied.appliedBy.email,
      count: objects.length,
      objects: objects.slice(0, MOST_SHOWN).map(toYaml),
    }
  }

  /** A file was applied: the known drift is out of date. */
  forget(projectId: string): void {
    this.known.delete(projectId)
  }

  private keep(id: string, one: KnownDrift): void {
    this.known.delete(id)
    this.known.set(id, one)
    one.drift.catch(() => this.known.get(id) === one && this.known.delete(id))
    for (const oldest of this.known.keys()) if (this.known.size > MOST_KNOWN) this.known.delete(oldest)
  }
}

const MOST_KNOWN = 100

/** The project is no longer kept in a file, until a command applies one again. 404 when it is kept in none. */
export const forgetFile = (ctx: Context, by: ProjectActor): Promise<void> =>
  editDashboard(ctx, by, async ({ tx, projectId, entries }) => {
    const applied = await findApplied(tx, projectId)
    if (!applied) throw notFound('file that svc apply has applied')
    await deleteApplied(tx, projectId)
    entries.push(fileEntry('forget', applied, null))
  })
