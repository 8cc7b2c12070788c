import { expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import { AppError } from '../../src/base/errors'
import { DAY } from '../../src/base/lib/clock'
import { CLI_ORIGIN } from '../../src/commerce/actions/actor'
import { type GrantOrder, grantAccess } from '../../src/commerce/actions/grants'
import { type ActionFilter, listActions } from '../../src/commerce/actions/queries'
import type { RefundReference } from '../../src/commerce/actions/refundable'
import { refundPurchase } from '../../src/commerce/actions/refunds'
import { cancelSchedule, type ScheduleOrder, scheduleCancellation } from '../../src/commerce/actions/schedule'
import { statusAt } from '../../src/people/purchases/status'
import type { CastProject, Stage } from './cast'
import { everything } from './facts'

/** The configuration of a project as services get it. */
export const stateOf = (s: Stage, project: CastProject = s.project) => s.ctx.state.projects.get(project.id)

/** Grants access as the command line does. */
export async function grant(s: Stage, order: Partial<GrantOrder>) {
  const whole = { subscriber: 'svc_ada', productId: null, accessIds: null, expiresAt: null, reason: null, ...order }
  return grantAccess(s.ctx, await stateOf(s), { origin: CLI_ORIGIN, ...whole })
}

export type Refusal = [status: number, code: string, details: unknown]

/** The refusal of a service: status, code and details, as on the wire. */
export async function refusalOf(work: () => Promise<unknown>): Promise<Refusal> {
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

/** Refunds as the command line does. */
export async function refundAt(s: Stage, reference: RefundReference, reason: string | null = null) {
  return refundPurchase(s.ctx, await stateOf(s), { ...reference, reason, origin: CLI_ORIGIN })
}

/** The one purchase of the stage. */
export async function onlyPurchase(s: Stage) {
  const [row, ...more] = await s.ctx.db.select().from(s.ctx.tables.purchases)
  if (!row || more.length > 0) throw new Error(`${more.length + 1} purchases`)
  return { ...row, status: statusAt(row.fold, s.ctx.clock.now()).status }
}

/** Money lines by their kind, oldest first. */
export async function lineOf(s: Stage, kind: string, number = 0) {
  const rows = await s.ctx.db.select().from(s.ctx.tables.transactions)
  const row = rows.filter((one) => one.kind === kind).sort((a, b) => a.occurredAt - b.occurredAt)[number]
  if (!row) throw new Error(`no ${kind} line number ${number}`)
  return row
}

/** Removes the project's credentials for a store. */
export async function disconnect(s: Stage, section: 'android' | 'payment'): Promise<void> {
  const { storeSettings, projects } = s.ctx.tables
  await s.ctx.write(async (tx) => {
    await tx.db.delete(storeSettings).where(eq(storeSettings.section, section))
    await tx.db.update(projects).set({ configVersion: 99 }).where(eq(projects.id, s.project.id))
  })
  s.ctx.state.projects.forget(s.project.id)
}

/** Calls a service that must refuse, and expects that nothing was written. */
export async function refusedUnchanged(s: Stage, work: () => Promise<unknown>): Promise<Refusal> {
  const before = await allRows(s)
  const refusal = await refusalOf(work)
  expect(await allRows(s)).toEqual(before)
  return refusal
}

/** Schedules a cancellation as the command line does; by default in one day. */
export async function schedule(
  s: Stage,
  purchaseId: string,
  order: Partial<ScheduleOrder> = {},
  project?: CastProject,
) {
  const whole = { purchaseId, dueAt: s.ctx.clock.now() + DAY, revokeImmediately: false, origin: CLI_ORIGIN, ...order }
  return scheduleCancellation(s.ctx, await stateOf(s, project), whole)
}

export const callOff = async (s: Stage, purchaseId: string, project?: CastProject) =>
  cancelSchedule(s.ctx, await stateOf(s, project), { purchaseId, origin: CLI_ORIGIN })

/** Actions of a project in any state, the newest first. */
export async function listScheduled(s: Stage, projectId: string, filter: ActionFilter) {
  const rows = await listActions(s.ctx, projectId, { ...filter, limit: filter.limit + 1 })
  return { items: rows.slice(0, filter.limit), hasMore: rows.length > filter.limit }
}

/** The newest action of the project. */
export async function lastAction(s: Stage) {
  const [row] = await listActions(s.ctx, s.project.id, { limit: 1 })
  if (!row) throw new Error('nothing was scheduled')
  return row
}
