import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { RelayedRequest } from '../../base/http/application'
import { type Call, guarded } from '../../base/http/guarded'
import type { IdempotencyRules } from '../../base/http/kept-answer'
import { isCleanText } from '../../base/http/request'
import { readIfMatch } from '../../base/http/revision'
import { OwnRequest } from '../../base/lib/own-request'
import { type Capability, hasCapability, hasRole, type MemberRole, type Role } from '../../core/roles/roles'
import { type Actor, CLI_ACTOR } from '../audit/audit'
import type { ProjectState } from '../project/state'
import { ADMIN_SESSION_LIFE_MS } from './admin'
import { notOpened, opens, outOfScope, type Scopes } from './scopes'
import type { Session, SignIn, User } from './sessions'
import { changesState, findSignedIn, type SignedIn, signedIn } from './signed-in'

/** What a route requires of a member of the project: at least a role, or a capability (wire 7.1). */
export type OperatorGuard = {
  idempotency?: IdempotencyRules
  body?: 'STREAM'
  /** Whether its GET is open to every token, whatever the scopes: a command finds its project with it. */
  forEveryToken?: boolean
} & ({ role: Role } | { capability: Capability })

/** What a handler of a dashboard route gets in addition to Elysia's own members. */
// A type, not an interface: Elysia's derive requires an index signature.
export type Operator = {
  user: User
  /** Null when the user signed in with a personal access token. */
  session: Session | null
  /** What the token may do of what the role may do; null = all, as in a session. */
  scopes: Scopes
  /** Null for a command of this process, and for a call that the server makes for a member. */
  signIn: SignIn | null
  project: ProjectState
  role: MemberRole
  /** The revision of `If-Match` that the changed object must have; null = any. Pass it to `requireRevision`. */
  expected: number | null
  /** The user or the command line, in the form in which the audit log records who made a change. */
  actor: Actor
}

/** Routes below `/dashboard/projects/:projectId`, for members who have a session or a personal access token. */
export const operator = (ctx: Context, guard: OperatorGuard) =>
  guarded(ctx, {
    detail: { 'x-door': 'operator', 'x-who': 'role' in guard ? guard.role : guard.capability },
    idempotency: guard.idempotency,
    body: guard.body,
    authenticate: (call) => admitMember(ctx, guard, call, call.params.projectId ?? ''),
    keyScope: ({ user, project }) => ({
      owner: user.id,
      projectId: project.id,
      identity: '',
      budget: { who: user.id, of: 'USER' },
    }),
  })

/** Who makes a call that is approved or tried for them. */
export type MemberOf = Pick<Operator, 'user' | 'session' | 'role' | 'actor'>

/**
 * A call that the server makes to its own route for a member of the project whom it has identified. The route requires
 * the same role or capability as in any other call.
 */
export class MemberRequest extends RelayedRequest {
  constructor(
    url: string,
    init: RequestInit,
    readonly member: MemberOf,
  ) {
    super(url, init)
  }
}

/** The member of a project who makes a call, after every refusal of wire 7.1. */
export async function admitMember(
  ctx: Context,
  guard: OperatorGuard,
  call: Call,
  projectId: string,
): Promise<Operator> {
  if (call.request instanceof OwnRequest) return admitCommand(ctx, call, projectId)
  if (call.request instanceof MemberRequest) return admitKnown(ctx, guard, call, call.request.member, projectId)
  const who = await signedIn(ctx, call, { takesTokens: true })
  const { project, role } = await findMember(ctx, call, who, projectId)
  call.facts.projectId = project.id
  if (role === 'SUPPORT_READ' && changesState(call.request.method)) throw new AppError('SUPPORT_ACCESS_READ_ONLY')
  if (project.suspendedAt !== null) throw new AppError('PROJECT_SUSPENDED')
  await refuseLocked(ctx, call, project.id)
  refuseRole(guard, role)
  refuseScopes(guard, role, who.scopes, call.request.method)
  const { user, session, scopes, signIn } = who
  const actor: Actor = { kind: 'USER', id: user.id, email: user.email }
  return { user, session, scopes, signIn, project, role, expected: readIfMatch(call.request), actor }
}

async function admitKnown(
  ctx: Context,
  guard: OperatorGuard,
  call: Call,
  member: MemberOf,
  projectId: string,
): Promise<Operator> {
  const project = await ctx.state.projects.get(projectId)
  call.facts.projectId = project.id
  if (project.suspendedAt !== null) throw new AppError('PROJECT_SUSPENDED')
  await refuseLocked(ctx, call, project.id)
  refuseRole(guard, member.role)
  return { ...member, scopes: null, signIn: null, project, expected: null }
}

/** A command of this process may do everything. It is no user. */
async function admitCommand(ctx: Context, { request }: Call, projectId: string): Promise<Operator> {
  const project = await ctx.state.projects.get(projectId)
  const user = { id: '', email: '', isEmailVerified: false, hasTwoFactor: false }
  const expected = readIfMatch(request)
  const rights = { session: null, scopes: null, signIn: null, role: 'OWNER' } as const
  return { user, project, expected, actor: CLI_ACTOR, ...rights }
}

/** 404 when the user is not a member: the same answer as for a project that does not exist. */
async function findMember(
  ctx: Context,
  { facts }: Call,
  who: SignedIn,
  projectId: string,
): Promise<{ project: ProjectState; role: MemberRole }> {
  if (!isCleanText(facts.path)) throw notFound('path', facts.path)
  const role = await roleOf(ctx, who, projectId)
  const project = role && (await ctx.state.projects.find(projectId))
  if (!project) throw notFound('project', projectId)
  return { project, role }
}

/** A support grant opens a project only in the session of an administrator: not with a token, nor in an old session. */
async function roleOf(ctx: Context, { user, session }: SignedIn, projectId: string): Promise<MemberRole | null> {
  const role = await ctx.state.sessions.findRole(user.id, projectId)
  if (role !== 'SUPPORT_READ') return role
  return session?.hasPassedTwoFactor && ctx.clock.now() - session.createdAt <= ADMIN_SESSION_LIFE_MS ? role : null
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Whether the plan of a project closes a path below the project's own. */
    planLock: (ctx: Context, projectId: string, path: string) => Promise<boolean>
  }
}

/** A report at the root, such as `/metrics/mrr`, has the same path below a project. */
export async function refuseLocked(ctx: Context, { facts }: Call, projectId: string): Promise<void> {
  const base = `/dashboard/projects/${projectId}`
  const path = facts.path.startsWith(base) ? facts.path.slice(base.length) : facts.path
  for (const isLocked of ctx.hooks.planLock ?? [])
    if (await isLocked(ctx, projectId, path)) throw new AppError('USAGE_LIMIT_EXCEEDED')
}

export function refuseRole(guard: OperatorGuard, role: MemberRole): void {
  if ('role' in guard) {
    const { role: requiredRole } = guard
    if (!hasRole(role, requiredRole)) throw new AppError('ROLE_REQUIRED', { role, requiredRole })
  } else {
    const { capability } = guard
    if (!hasCapability(role, capability)) throw new AppError('CAPABILITY_REQUIRED', { role, capability })
  }
}

function refuseScopes(guard: OperatorGuard, role: MemberRole, scopes: Scopes, method: string): void {
  if (opens(scopes, method, guard)) return
  throw 'role' in guard ? notOpened(method) : outOfScope(role, guard.capability)
}

/** Whether the guard would still admit the caller of a request that continues. Counts no limit. */
export async function isStillAdmitted(
  ctx: Context,
  guard: OperatorGuard,
  request: Request,
  projectId: string,
): Promise<boolean> {
  const found = await findSignedIn(ctx, request, { takesTokens: true })
  const role = found && (await roleOf(ctx, found, projectId))
  const project = role && (await ctx.state.projects.find(projectId))
  if (!role || project?.suspendedAt !== null || !opens(found.scopes, request.method, guard)) return false
  return 'role' in guard ? hasRole(role, guard.role) : hasCapability(role, guard.capability)
}

/**
 * The body of an upload. It can be long on its way, so its sender must still be admitted when the last part is there.
 * Throws what the guard would answer then.
 */
export async function* bodyWhileAdmitted(
  ctx: Context,
  guard: OperatorGuard,
  call: Call,
  projectId: string,
): AsyncGenerator<Uint8Array> {
  if (call.request.body) yield* call.request.body
  await requireStillAdmitted(ctx, guard, call, projectId)
}

/** Throws what the guard would answer now. Counts no limit while the caller is admitted. */
export async function requireStillAdmitted(
  ctx: Context,
  guard: OperatorGuard,
  call: Call,
  projectId: string,
): Promise<void> {
  const { request } = call
  if (request instanceof OwnRequest || (await isStillAdmitted(ctx, guard, request, projectId))) return
  await admitMember(ctx, guard, call, projectId)
}
