import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { type Call, guarded } from '../../base/http/guarded'
import type { Role } from '../../core/roles/roles'
import type { ProjectState } from '../project/state'
import { admitKey } from './api'
import { admitMember, refuseLocked } from './operator'

// A type, not an interface: Elysia's derive requires an index signature.
type Reader = { project: ProjectState }

/**
 * Routes at the root that only read a project: with a secret key, or for members who have a session or a personal access
 * token and name the project in the query as `projectId`.
 */
export const report = (ctx: Context, role: Role) =>
  guarded(ctx, {
    detail: { 'x-door': 'report', 'x-key-kind': 'secret', 'x-who': role },
    authenticate: (call): Promise<Reader> => admit(ctx, role, call),
    keyScope: null,
  })

async function admit(ctx: Context, role: Role, call: Call): Promise<Reader> {
  const named = new URL(call.request.url).searchParams.get('projectId')
  if (isPerson(call.request)) return admitMember(ctx, { role }, call, named ?? '')
  const { project } = await admitKey(ctx, { key: 'secret' }, call)
  // A key belongs to one project; another one looks as if it did not exist.
  if (named !== null && named !== project.id) throw notFound('project', named)
  await refuseLocked(ctx, call, project.id)
  return { project }
}

/** Whether the call presents a session or a personal access token. Keys are bearers too; nothing at all lacks a key. */
function isPerson({ headers }: Request): boolean {
  const authorization = headers.get('authorization')
  return authorization === null ? headers.has('cookie') : /^\s*bearer\s+svc_pat_/i.test(authorization)
}
