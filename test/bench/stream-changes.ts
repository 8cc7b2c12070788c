import { eq } from 'drizzle-orm'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { createLog } from '../../src/base/lib/log'
import { createContext } from '../../src/create-context'
import { touchConfig } from '../../src/projects/project/service'
import type { CastProject, Stage } from '../support/cast'
import { configure } from '../support/remote'

/** Changes a deployment's flags from this process, as the command line does. */
export class Changes {
  private constructor(
    private readonly ctx: Context,
    private readonly project: CastProject,
  ) {}

  /** Changes only the flag `version`; the deployment has its other flags and experiments besides. */
  static async open(folder: string, project: CastProject): Promise<Changes> {
    const config = readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: 'off' })
    const ctx = await createContext(config, { log: createLog({ level: 'off', now: () => 0 }) })
    // `configure` needs no other members of a stage.
    await configure({ ctx, project } as unknown as Stage, { flags: [VERSION] })
    return new Changes(ctx, project)
  }

  /** Commits a version; returns the epoch milliseconds right after the commit. */
  async commit(version: number): Promise<number> {
    await this.ctx.write((tx) => setVersion(tx, this.project.id, version))
    return performance.timeOrigin + performance.now()
  }

  close(): Promise<void> {
    return this.ctx.close()
  }
}

export async function setVersion(
  tx: Parameters<Parameters<Context['write']>[0]>[0],
  projectId: string,
  version: number,
): Promise<void> {
  const { flags } = tx.tables
  await tx.db.update(flags).set({ defaultValue: version }).where(eq(flags.key, 'version'))
  await touchConfig(tx, projectId)
}

const VERSION = { key: 'version', type: 'NUMBER' as const, defaultValue: 0 }
