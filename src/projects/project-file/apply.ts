import type { Context, Tx } from '../../base/context'
import { AppError } from '../../base/errors'
import { type Actor, type AuditEntry, CLI_ACTOR } from '../audit/audit'
import { editProject } from '../project/edit'
import { changesOf, type ObjectChange } from './changes'
import { type PlannedFile, planFor } from './load'
import type { ParsedFile } from './parse'
import type { Plan } from './plan'
import { rowsOf } from './rows'
import type { MadeSecret } from './secret'
import type { Current } from './section'
import { linkWaitingPurchases } from './waiting-purchases'

export interface ApplyOptions {
  prune: boolean
  actor?: Actor
  /** The actor called with a personal access token. */
  hasToken?: boolean
  /** The version of the plan that a person has seen. 409 `CONFLICT` if the project has changed since. */
  configVersion?: number
  /** Throws when the actor may not make all of these changes. Called before anything is written. */
  authorize?: (changes: readonly ObjectChange[]) => void
  /**
   * Called in the transaction once the project is as the file wants it. `unchanged`: the saved state when nothing had to
   * be changed, else null.
   */
  applied?: (tx: Tx, unchanged: Current | null) => Promise<void>
}

/** Computes what applying the file would change. Writes nothing. */
export async function planFile(
  ctx: Context,
  projectId: string,
  parsed: ParsedFile,
  { prune }: ApplyOptions,
): Promise<Plan> {
  const file = await inspected(ctx, projectId, parsed)
  const plan = async () => (await planFor(ctx, projectId, file, prune)).plan
  return ctx.state.longTurns.run(plan, { group: projectId })
}

export interface AppliedPlan extends Plan {
  /** The secrets that were made for new objects. They are shown once. */
  madeSecrets: MadeSecret[]
  /** Purchases that were recorded before one of the products, and get it now. */
  waitingPurchases: number
}

/**
 * Applies the file to the project in one transaction, with one audit row for each object that changes. A plan with
 * problems, or without changes, writes nothing.
 */
export async function applyFile(
  ctx: Context,
  projectId: string,
  parsed: ParsedFile,
  options: ApplyOptions,
): Promise<AppliedPlan> {
  const file = await inspected(ctx, projectId, parsed)
  const actor = options.actor ?? CLI_ACTOR
  const by = { projectId, actor, ...(options.hasToken && { hasToken: true }) }
  return editProject(ctx, by, async (edit) => {
    const { tx, entries } = edit
    const planned = await planFor(tx, projectId, file, options.prune)
    const { configVersion } = planned.plan
    if (options.configVersion !== undefined && options.configVersion !== configVersion)
      throw new AppError('CONFLICT', undefined, { message: 'The project was changed meanwhile; apply the file again' })
    const changes = changesOf(planned.plan)
    if (planned.plan.problems.length > 0) return { ...planned.plan, madeSecrets: [], waitingPurchases: 0 }
    options.authorize?.(changes)
    const written = changes.length > 0 ? await writePlan(tx, projectId, planned) : null
    if (written) entries.push(...changesOf(written.plan).map(auditEntry))
    const waitingPurchases = await linkWaitingPurchases(edit, by)
    await options.applied?.(tx, written ? null : planned.current)
    return { ...planned.plan, madeSecrets: written?.madeSecrets ?? [], waitingPurchases }
  })
}

/** The file with the problems that only the network shows. Nothing may wait for the network inside of a transaction. */
async function inspected(ctx: Context, projectId: string, parsed: ParsedFile): Promise<ParsedFile> {
  const found = await Promise.all(
    parsed.sections.map(async (section) => {
      const wanted = parsed.wanted.get(section.key.name)
      return (wanted && (await section.inspect?.(ctx, projectId, wanted))) ?? []
    }),
  )
  return { ...parsed, problems: [...parsed.problems, ...found.flat()] }
}

const auditEntry = ({ op, kind, id, ref, before, after }: ObjectChange): AuditEntry => ({
  action: `${kind}.${op}`,
  target: { type: kind, id: id ?? ref },
  before,
  after,
})

/** What was written: the plan with the ids of its new objects, and the secrets that the server has made. */
interface WrittenPlan {
  plan: Plan
  madeSecrets: MadeSecret[]
}

/** Writes the changes of a plan in the order of the sections. */
async function writePlan(tx: Tx, projectId: string, { plan, current }: PlannedFile): Promise<WrittenPlan> {
  const { plan: identified, changes } = rowsOf(plan, current, tx.ids, tx.clock.now())
  for (const section of plan.sections) await section.write(tx, projectId, changes.get(section.key.name))
  const madeSecrets = plan.sections.flatMap((section) => section.madeSecrets?.(changes.get(section.key.name)) ?? [])
  return { plan: identified, madeSecrets }
}
