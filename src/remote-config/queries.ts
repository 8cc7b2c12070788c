import { asc, eq } from 'drizzle-orm'
import type { Handle } from '../db/handle'

type Rows<Name extends 'audiences' | 'flags' | 'experiments'> = Handle['tables'][Name]['$inferSelect'][]

/** The rows of a project that its remote configuration is made of. */
export interface RemoteRows {
  audiences: Rows<'audiences'>
  flags: Rows<'flags'>
  experiments: Rows<'experiments'>
}

export async function loadRemoteRows({ db, tables }: Handle, projectId: string): Promise<RemoteRows> {
  const { audiences: a, flags: f, experiments: e } = tables
  const [audiences, flags, experiments] = await Promise.all([
    db.select().from(a).where(eq(a.projectId, projectId)),
    db.select().from(f).where(eq(f.projectId, projectId)).orderBy(asc(f.key)),
    db.select().from(e).where(eq(e.projectId, projectId)),
  ])
  return { audiences, flags, experiments }
}
