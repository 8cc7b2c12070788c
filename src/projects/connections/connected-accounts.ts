import type { Context } from '../../base/context'
import { listPaymentSettings, readRevision } from '../project/service'
import type { PaymentMode, ProjectState } from '../project/state'

/** Which projects sell through which connected account, at one revision of the configuration. */
interface Register {
  revision: number
  /** `account mode` -> project ids. */
  projects: ReadonlyMap<string, readonly string[]>
}

/**
 * The register that was read last. Each event reads one row, the revision; the settings of all projects are read only
 * after a change, because there may be many sellers with a project each.
 */
export interface ConnectedAccounts {
  register: Register | null
}

/**
 * The projects that sell in that mode through a connected account. There may be several: each receives the provider's
 * events, and records the purchases that were not made by a checkout of another one.
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

/** Loads the project again if the state in memory does not match: another process may have connected the account. */
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
  // Read before the settings: after a change between the two reads, the next call reads the settings again.
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
