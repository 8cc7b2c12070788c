import type { Context, Tx } from '../../../base/context'
import { contextWithin } from '../../../base/context-within'
import type { WrittenEvent } from '../../../base/db/tx'
import { parseObject } from '../../../base/lib/json'
import { listRevisions } from '../../../projects/audit/revisions'
import { type MemberOf, MemberRequest } from '../../../projects/doors/operator'
import type { IntentBase, IntentPreview } from '../tables'
import { orderOf } from '../tools/arguments'
import { baseOf, previewOf } from './effects'
import { planIn, withoutSecrets, withPlan } from './file-plan'
import './hooks'
import type { Proposable } from './proposals'
import { listWritten, readAuditPosition } from './queries'

/** A change that a route is asked to make, as one member, with the proposal that it belongs to. */
export interface Order {
  projectId: string
  intentId: string
  threadId: string | null
  proposable: Proposable
  arguments: Readonly<Record<string, unknown>>
  member: MemberOf
}

/** What a route has done, or why it has not. */
export type Enacted =
  | { isRefused: false; answer: unknown; preview: IntentPreview; base: IntentBase[] }
  | { isRefused: true; status: number; error: RouteError }

export interface RouteError {
  code: string
  message: string
  details?: unknown
}

/**
 * Calls the route of an action inside a transaction. All that the route writes is a part of the transaction, and its rows
 * in the audit log name the proposal.
 */
export async function enact(ctx: Context, outer: Tx, order: Order): Promise<Enacted> {
  const { projectId, intentId, threadId } = order
  const events: WrittenEvent[] = []
  const tx: Tx = {
    ...{ ...outer, via: { kind: 'assistant', intentId, threadId } },
    // Not read from the table: there, other transactions commit events meanwhile.
    onEvents: (written) => void events.push(...written),
  }
  const before = ctx.ids.next('cin')
  const auditFrom = await readAuditPosition(tx, projectId)
  const answered = await callRoute(contextWithin(ctx, tx), order)
  if (!answered.isOk) return refusedBy(answered)
  const rows = (await listWritten(tx, projectId, auditFrom)).filter(({ via }) => via?.intentId === intentId)
  const ids = [...new Set(rows.map(({ target }) => target.id))]
  const revisions = await listRevisions(tx, projectId, ids)
  const effect = { rows, events, revisions, before, given: order.arguments }
  const done = { answer: answered.data, preview: previewOf(effect) }
  return { isRefused: false, ...(order.proposable.action.isFile ? withFilePlan(done) : done), base: baseOf(effect) }
}

/** What is not to be kept leaves the answer; its lines and warnings are for the people who approve. */
function withFilePlan({ answer, preview }: { answer: unknown; preview: IntentPreview }) {
  const plan = planIn(answer)
  return { answer: withoutSecrets(plan), preview: withPlan(preview, plan) }
}

export type Answered = { isOk: true; data: unknown } | { isOk: false; status: number; error: RouteError }

export const refusedBy = ({ status, error }: Answered & { isOk: false }): Enacted => ({
  isRefused: true,
  status,
  error,
})

/** Calls the route of an action over a context. */
export async function callRoute(ctx: Context, order: Order, isTrial = false): Promise<Answered> {
  const asked = requestOf(order, isTrial)
  if ('fault' in asked) return { isOk: false, status: 400, error: { code: 'VALIDATION_ERROR', message: asked.fault } }
  const answer = ctx.state.application.current?.within(ctx, order.proposable.action.slice)
  if (!answer) throw new Error('an action was called before the application was created')
  const response = await answer(asked.request)
  const body = parseObject(await response.text())
  return response.ok
    ? { isOk: true, data: body?.data ?? null }
    : { isOk: false, status: response.status, error: errorIn(body) }
}

function errorIn(body: Readonly<Record<string, unknown>> | null): RouteError {
  const error = body?.error as Partial<RouteError> | undefined
  const { code = 'HTTP_ERROR', message = 'The change was refused', details } = error ?? {}
  return { code, message, ...(details !== undefined && { details }) }
}

function requestOf({ proposable, projectId, arguments: given, member }: Order, isTrial: boolean) {
  const tool = proposable.routeFor(given)
  const order = orderOf({ ...tool, name: proposable.sheet.name }, projectId, given)
  if ('fault' in order) return order
  const body = { ...order.body, ...(isTrial && { dryRun: true }) }
  const headers = { 'content-type': 'application/json' }
  const init = { method: tool.method, headers, body: JSON.stringify(body) }
  return { request: new MemberRequest(`http://localhost${order.path}`, init, member) }
}
