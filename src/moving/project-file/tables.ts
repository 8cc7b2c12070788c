import type { Kit } from '../../base/db/kit'
import type { Actor } from '../../projects/audit/audit'
import type { KeptSections } from './kept'

export const projectFileTables = (k: Kit) => ({
  /** What the file of a project said when a command applied it last. One row for each project that is kept in a file. */
  appliedFiles: k.table('applied_files', {
    projectId: k.str().primaryKey(),
    appliedAt: k.int().notNull(),
    appliedBy: k.json<Actor>().notNull(),
    sections: k.json<KeptSections>().notNull(),
  }),
})

type ProjectFileTables = ReturnType<typeof projectFileTables>

declare module '../../base/db/tables' {
  interface Tables extends ProjectFileTables {}
}
