import type { Kit } from '../db/kit'

export const httpTables = (k: Kit) => ({
  /** One row for each Idempotency-Key in use. `status` is null while the first request runs. */
  idempotencyKeys: k.table(
    'idempotency_keys',
    {
      /** SHA-256 over owner, method, path, identity and key (wire 1.5). */
      scope: k.str().primaryKey(),
      projectId: k.str().notNull(),
      bodyHash: k.str().notNull(),
      claimedBy: k.str().notNull(),
      claimedAt: k.int().notNull(),
      status: k.int(),
      contentType: k.str(),
      body: k.str(),
      finishedAt: k.int(),
    },
    (t) => [k.index('idempotency_age').on(t.claimedAt)],
  ),
})

type HttpTables = ReturnType<typeof httpTables>

declare module '../db/tables' {
  interface Tables extends HttpTables {}
}
