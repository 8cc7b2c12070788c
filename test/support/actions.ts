import { CLI_ASKER } from '../../src/actions/asker'
import { type GrantOrder, grantAccess } from '../../src/actions/grants'
import { AppError } from '../../src/errors'
import type { CastProject, Stage } from './cast'
import { everything } from './facts'

/** The configuration as a service is handed it. */
export const stateOf = (s: Stage, project: CastProject = s.project) => s.ctx.projects.get(project.id)

/** Grants as the command line does. */
export async function grant(s: Stage, order: Partial<GrantOrder>) {
  const whole = { subscriber: 'svc_ada', productId: null, accessIds: null, expiresAt: null, reason: null, ...order }
  return grantAccess(s.ctx, await stateOf(s), { asker: CLI_ASKER, ...whole })
}

/** What a service refuses: status, code and details, as the wire would show them. */
export async function refusalOf(work: () => Promise<unknown>): Promise<[number, string, unknown]> {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`)
  return [error.status, error.refusal, error.details]
}

/** Everything that an action may write, its own table and the audit log included. */
export async function allRows(s: Stage): Promise<string[]> {
  const { scheduledActions, auditLog } = s.ctx.tables
  const own = [...(await s.ctx.db.select().from(scheduledActions)), ...(await s.ctx.db.select().from(auditLog))]
  return [...(await everything(s)), ...own.map((row) => JSON.stringify(row)).sort()]
}
