import type { Kit } from '../../base/db/kit'
import type { Via } from '../../base/db/tx'

export const auditTables = (k: Kit) => ({
  auditLog: k.table(
    'audit_log',
    {
      position: k.serial(),
      id: k.str().notNull(),
      projectId: k.str().notNull(),
      at: k.int().notNull(),
      actor: k.json<{ kind: string; id: string | null; email: string | null }>().notNull(),
      action: k.str().notNull(),
      target: k.json<{ type: string; id: string }>().notNull(),
      before: k.json<unknown>(),
      after: k.json<unknown>(),
      /** The proposal that was executed; null = the change was none. */
      via: k.json<Via>(),
      prevHash: k.str().notNull(),
      rowHash: k.str().notNull(),
      /** When `before` and `after` were removed, because a person whom they were about was erased. */
      reducedAt: k.int(),
    },
    (t) => [
      k.unique('audit_log_id').on(t.id),
      k.unique('audit_log_chain').on(t.projectId, t.prevHash),
      k.index('audit_log_order').on(t.projectId, t.position),
    ],
  ),
  /** How often each object was changed, and by whom last. */
  objectRevisions: k.table(
    'object_revisions',
    {
      projectId: k.str().notNull(),
      objectId: k.str().notNull(),
      revision: k.int().notNull(),
      updatedBy: k.json<{ kind: string; id: string | null; email: string | null }>().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.projectId, t.objectId] })],
  ),
})

export type AuditTables = ReturnType<typeof auditTables>

declare module '../../base/db/tables' {
  interface Tables extends AuditTables {}
}
