import type { Kit } from '../../base/db/kit'
import type { FunnelContent, FunnelDocument, FunnelStatus } from '../../core/funnel/model'

export const funnelTables = (k: Kit) => ({
  funnels: k.table(
    'funnels',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      slug: k.str().notNull(),
      name: k.str().notNull(),
      status: k.str().$type<FunnelStatus>().notNull(),
      /** The draft. It is not visible before it is published. */
      draft: k.json<FunnelContent>().notNull(),
      /** Null while nothing is published. */
      currentVersionNo: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('funnels_slug').on(t.projectId, t.slug)],
  ),

  /** Every version that was ever published. */
  funnelVersions: k.table(
    'funnel_versions',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      funnelId: k.str().notNull(),
      versionNo: k.int().notNull(),
      document: k.json<FunnelDocument>().notNull(),
      publishedAt: k.int().notNull(),
      /** Null = by the command line. */
      publishedBy: k.json<{ id: string | null; email: string | null } | null>(),
    },
    (t) => [
      k.unique('funnel_versions_no').on(t.funnelId, t.versionNo),
      k.index('funnel_versions_project').on(t.projectId),
    ],
  ),
})

type FunnelTables = ReturnType<typeof funnelTables>

declare module '../../base/db/tables' {
  interface Tables extends FunnelTables {}
}
