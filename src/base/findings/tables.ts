import type { Kit } from '../db/kit'

export const findingTables = (k: Kit) => ({
  /** What running servers noticed about their setup, one row for each kind; no secrets and no personal data. */
  serverFindings: k.table('server_findings', {
    name: k.str().primaryKey(),
    facts: k.json<Record<string, string | number>>().notNull(),
    foundAt: k.int().notNull(),
  }),
})

type FindingTables = ReturnType<typeof findingTables>

declare module '../db/tables' {
  interface Tables extends FindingTables {}
}
