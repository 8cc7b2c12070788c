import { and, eq } from 'drizzle-orm'
import type { Handle } from '../../base/db/handle'
import { type Readable, readEach } from '../../base/db/readable'

type Rows<Name extends 'audiences' | 'flags' | 'experiments'> = Readable<Handle['tables'][Name]['$inferSelect']>

/** The rows from which the remote configuration of a project is compiled. */
export interface RemoteRows {
  audiences: Rows<'audiences'>
  /** By key, ascending. */
  flags: Rows<'flags'>
  experiments: Rows<'experiments'>
}

export async function loadRemoteRows({ db, tables }: Handle, projectId: string): Promise<RemoteRows> {
  const { audiences: a, flags: f, experiments: e } = tables
  const [audiences, flags, experiments] = await Promise.all([
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
  ])
  return { audiences, flags, experiments }
}
