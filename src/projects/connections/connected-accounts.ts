import type { Context } from '../../base/context'
import { listPaymentSettings, readRevision } from '../project/service'
import type { PaymentMode, ProjectState } from '../project/state'

/** Which projects sell through which connected account, as of a revision of the configuration. */
interface Register {
  revision: number
  /** `account mode` -> project ids. */
  projects: ReadonlyMap<string, readonly string[]>
}

/**
 * What was last read. One row is read for each event, and all settings only after a change: there may be a project for
 * each of many sellers.
 */
export interface ConnectedAccounts {
  register: Register | null
}

/**
 * The projects that sell in that mode through a connected account, by id. It may be several: each hears what the
 * provider tells, and takes the purchases that no other one's checkout made.
 */
export async function projectsOfAccount(ctx: Context, account: string, mode: PaymentMode): Promise<ProjectState[]> {
  const { projects } = await currentRegister(ctx)
  const found: ProjectState[] = []
  for (const id of projects.get(keyOf(account, mode)) ?? []) {
    const project = await findSelling(ctx, id, account, mode)
    if (project) found.push(project)
  }
  return found
}

/** The state in memory may be from before another process connected the account. */
async function findSelling(ctx: Context, id: string, account: string, mode: PaymentMode): Promise<ProjectState | null> {
  const isSelling = (project: ProjectState | null): boolean =>
    project?.payment?.accountId === account && project.payment.mode === mode
  const known = await ctx.state.projects.find(id)
  if (isSelling(known)) return known
  ctx.state.projects.forget(id)
  const fresh = await ctx.state.projects.find(id)
  return isSelling(fresh) ? fresh : null
}

const keyOf = (account: string, mode: string): string => `${account} ${mode}`

async function currentRegister(ctx: Context): Promise<Register> {
  // Before the settings, so that a change between the two is read again.
  const revision = await readRevision(ctx)
  const { connectedAccounts: held } = ctx.state
  const known = held.register
  if (known?.revision === revision) return known
  const rows = (await listPaymentSettings(ctx)).flatMap(({ projectId, config: { accountId, mode } }) =>
    typeof accountId === 'string' ? [{ projectId, key: keyOf(accountId, String(mode)) }] : [],
  )
  const projects = new Map<string, string[]>()
  for (const [key, group] of Map.groupBy(rows, ({ key }) => key))
    projects.set(
      key,
      group.map(({ projectId }) => projectId),
    )
  const register = { revision, projects }
  held.register = register
  return register
}
