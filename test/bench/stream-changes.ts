import { eq } from 'drizzle-orm'
import { readConfig } from '../../src/config'
import { type Context, createContext } from '../../src/context'
import { createLog } from '../../src/lib/log'
import { touchConfig } from '../../src/projects/service'
import type { CastProject, Stage } from '../support/cast'
import { configure } from '../support/remote'

/** Changes a deployment's flags from this process, as the command line does. */
export class Changes {
  private constructor(
    private readonly ctx: Context,
    private readonly project: CastProject,
  ) {}

  /** Ten flags, most of them with rules, and three experiments; the flag `version` is what is changed. */
  static async open(folder: string, project: CastProject): Promise<Changes> {
    const config = readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: 'off' })
    const ctx = await createContext(config, { log: createLog({ level: 'off', now: () => 0 }) })
    // Of a stage this needs no more.
    await configure({ ctx, project } as unknown as Stage, { flags: FLAGS, experiments: EXPERIMENTS })
    return new Changes(ctx, project)
  }

  /** Commits a version; gives the epoch milliseconds right after the commit. */
  async commit(version: number): Promise<number> {
    await this.ctx.write((tx) => setVersion(this.ctx, tx, this.project.id, version))
    return performance.timeOrigin + performance.now()
  }

  close(): Promise<void> {
    return this.ctx.close()
  }
}

export async function setVersion(
  ctx: Context,
  tx: Parameters<Parameters<Context['write']>[0]>[0],
  projectId: string,
  version: number,
): Promise<void> {
  const { flags } = tx.tables
  await tx.db.update(flags).set({ defaultValue: version }).where(eq(flags.key, 'version'))
  await touchConfig(ctx, tx, projectId)
}

const rule = (conditions: object) => ({ conditions, rolloutPercentage: 0.5, value: true })

const FLAGS = [
  { key: 'version', type: 'NUMBER' as const, defaultValue: 0 },
  ...Array.from({ length: 9 }, (_, index) => ({
    key: `flag_${index}`,
    rules: [rule({ country: { $in: ['TR', 'DE'] } }), rule({ 'svc.daysSinceFirstSeen': { $gt: '1' }, plan: 'gold' })],
  })),
]
const EXPERIMENTS = ['checkout', 'paywall', 'price'].map((name) => ({ key: `${name}_test` }))
