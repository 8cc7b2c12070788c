import { and, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { type Readable, readEach } from '../../base/db/readable'
import { listMembers, type MembersRow } from '../audiences/groups/service'

type Rows<Name extends 'audiences' | 'flags' | 'experiments'> = Readable<Handle['tables'][Name]['$inferSelect']>

/** The rows from which the remote configuration of a project is compiled. */
export interface RemoteRows {
  audiences: Rows<'audiences'>
  /** By key, ascending. */
  flags: Rows<'flags'>
  experiments: Rows<'experiments'>
  /** The lists of ids of audiences. */
  members: MembersRow[]
}

export async function loadRemoteRows(handle: Handle, projectId: string): Promise<RemoteRows> {
  const { db, tables } = handle
  const { audiences: a, flags: f, experiments: e } = tables
  const [audiences, flags, experiments, members] = await Promise.all([
    readEach(
      (which) =>
        db
          .select()
          .from(a)
          .where(and(eq(a.projectId, projectId), which)),
      () => db.select({ id: a.id }).from(a).where(eq(a.projectId, projectId)),
      (id) => eq(a.id, id),
    ),
    readEach(
      (which) =>
        db
          .select()
          .from(f)
          .where(and(eq(f.projectId, projectId), which))
          .orderBy(f.key),
      () => db.select({ id: f.id }).from(f).where(eq(f.projectId, projectId)).orderBy(f.key),
      (id) => eq(f.id, id),
    ),
    readEach(
      (which) =>
        db
          .select()
          .from(e)
          .where(and(eq(e.projectId, projectId), which)),
      () => db.select({ id: e.id }).from(e).where(eq(e.projectId, projectId)),
      (id) => eq(e.id, id),
    ),
    listMembers(handle, projectId),
  ])
  return { audiences, flags, experiments, members }
}

/**
 * Every rules document of a project: those of audiences, and the conditions of flags with their place. Documents that
 * were broken by hand are left out.
 */
export const documentsIn = (
  audiences: RemoteRows['audiences']['rows'],
  flags: RemoteRows['flags']['rows'],
): { name: string; path: string; document: unknown; updatedAt: number }[] => [
  ...audiences.map(({ name, rules, updatedAt }) => ({
    name: `audience ${name}`,
    path: '',
    document: rules,
    updatedAt,
  })),
  ...flags.flatMap(({ key, env, rules, updatedAt }) =>
    (Array.isArray(rules) ? rules : []).flatMap((rule, index) =>
      rule?.conditions == null
        ? []
        : { name: `flag ${key} (${env})`, path: `rules[${index}].conditions`, document: rule.conditions, updatedAt },
    ),
  ),
]
