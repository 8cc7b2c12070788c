import type { Kit } from '../../base/db/kit'

export type DataRequestType = 'EXPORT' | 'ERASURE'
export type DataRequestStatus = 'PENDING' | 'RUNNING' | 'COMPLETED' | 'FAILED'

export const dataRequestTables = (k: Kit) => ({
  dataRequests: k.table(
    'data_requests',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      subscriberId: k.str().notNull(),
      type: k.str().$type<DataRequestType>().notNull(),
      status: k.str().$type<DataRequestStatus>().notNull(),
      requestedBy: k.str().notNull(),
      /** The zip of an export in the blob store. */
      artefactKey: k.str(),
      /** The signed certificate of an erasure. */
      certificate: k.str(),
      error: k.str(),
      claimedAt: k.int(),
      completedAt: k.int(),
      expiresAt: k.int(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [
      k.index('data_requests_project').on(t.projectId, t.id),
      k.index('data_requests_subscriber').on(t.subscriberId, t.type),
      k.index('data_requests_status').on(t.status, t.updatedAt),
    ],
  ),
})

type DataRequestTables = ReturnType<typeof dataRequestTables>

declare module '../../base/db/tables' {
  interface Tables extends DataRequestTables {}
}
