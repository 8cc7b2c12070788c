import type { Context, Tx } from '../../../base/context'
import { writeOrTry } from '../../../base/db/dry-run'
import { AppError } from '../../../base/errors'
import { MINUTE } from '../../../base/lib/clock'
import type { MemberOf } from '../../../projects/doors/operator'
import type { IntentPreview, IntentVia } from '../tables'
import { orderOf } from '../tools/arguments'
import { tryAtStore } from './at-store'
import { digestOf } from './digest'
import { type Enacted, enact, type Order, type RouteError } from './enact'
import { approverOf, namesIn, planIn } from './file-plan'
import { tellApprovers } from './notices'
import type { Proposable } from './proposals'
import { type IntentRow, insertIntent } from './queries'

export const OPEN_MS = 15 * MINUTE

/** Who proposes a change, where, and what. */
export interface Proposal {
  projectId: string
  /** Null for the command line. */
  userId: string | null
  threadId: string | null
  via: IntentVia
  proposable: Proposable
  arguments: Readonly<Record<string, unknown>>
}

export type Proposed = { intent: IntentRow } | { refused: RouteError }

/** Tries a change and saves it with its effect, for a person to approve. A change that its route refuses is not saved. */
export async function propose(ctx: Context, proposal: Proposal): Promise<Proposed> {
  const drafted = await draft(ctx, proposal)
  if ('refused' in drafted) return drafted
  await ctx.write((tx) => saveIntent(tx, drafted.intent))
  return drafted
}

export async function saveIntent(tx: Tx, intent: IntentRow): Promise<void> {
  await insertIntent(tx, intent)
  await tellApprovers(tx, intent)
}

/** The proposal with the effect that it would have now. Nothing is written. */
export async function draft(ctx: Context, proposal: Proposal): Promise<Proposed> {
  const { projectId, userId, threadId, proposable, arguments: given } = proposal
  const id = ctx.ids.next('cin')
  const order = {
    projectId,
    intentId: id,
    threadId,
    proposable,
    arguments: given,
    member: trier(ctx.clock.now(), userId),
  }
  const tried = await tryOut(ctx, order)
  if (tried.isRefused) {
    if (tried.status >= 500) throw new AppError('DATABASE_UNAVAILABLE', undefined, { cause: tried.error })
    return { refused: tried.error }
  }
  if (isNothing(tried.preview)) return { refused: { code: 'CONFLICT', message: 'That would change nothing' } }
  return { intent: rowOf(ctx, proposal, id, tried) }
}

/** What the change would do now. Nothing is written. */
export const tryOut = (ctx: Context, order: Order): Promise<Enacted> =>
  order.proposable.action.isAtStore ? tryAtStore(ctx, order) : writeOrTry(ctx, true, (tx) => enact(ctx, tx, order))

function rowOf(ctx: Context, proposal: Proposal, id: string, tried: Enacted & { isRefused: false }): IntentRow {
  const { projectId, userId, threadId, via, proposable, arguments: given } = proposal
  const { action, routeFor } = proposable
  const tool = routeFor(given)
  const { method, summary } = tool
  const plan = action.isFile ? planIn(tried.answer) : null
  const capability = (plan && approverOf(plan)) ?? tool.capability
  const order = orderOf(tool, projectId, given)
  const path = 'path' in order ? order.path : tool.path
  const { preview, base } = tried
  const now = ctx.clock.now()
  return {
    ...{ id, projectId, threadId, action: action.name, arguments: { ...given }, preview, base, capability },
    route: { method, path },
    summary: `${summary}: ${firstOf(plan ? namesIn(plan) : namesOf(preview))}`.slice(0, 300),
    digest: digestOf({ action: action.name, arguments: given, base }),
    risk: action.risk,
    ...{ proposedBy: userId, via, status: 'PENDING', createdAt: now, expiresAt: now + OPEN_MS },
    ...{ decidedBy: null, decidedAt: null, result: null, replacedBy: null },
  }
}

const isNothing = ({ changes, effects }: IntentPreview): boolean => changes.length === 0 && effects.events.length === 0

/** What changes, by type and id; of many people, how many. */
function namesOf({ changes, effects: { people } }: IntentPreview): string[] {
  if (people !== null && people > 3) return [`${people} people`]
  return changes.map(({ path }) => path.split('/').slice(0, 2).join(' '))
}

function firstOf(names: readonly string[]): string {
  const objects = [...new Set(names)]
  return objects.length > 3 ? `${objects.slice(0, 3).join(', ')} and ${objects.length - 3} more` : objects.join(', ')
}

/**
 * Tries a change with every right: what the people who approve it may do is checked when they do it, and what is tried
 * is undone.
 */
function trier(now: number, userId: string | null): MemberOf {
  const user = { id: userId ?? '', email: '', isEmailVerified: false, hasTwoFactor: false }
  const session = { id: '', user, createdAt: now, expiresAt: now, revokedAt: null, hasPassedTwoFactor: true }
  return { user, session, role: 'OWNER', actor: { kind: 'USER', id: userId, email: null } }
}
