import type { Kit } from '../../base/db/kit'

export const playConsoleTables = (k: Kit) => ({
  /** What was made at Google so that Play's notifications reach a project. No row = Pub/Sub is not connected. */
  pubsubSetups: k.table('pubsub_setups', {
    projectId: k.str().primaryKey(),
    /** The JSON text of a `PubSubSetup`. */
    setup: k.str().notNull(),
    createdAt: k.int().notNull(),
    updatedAt: k.int().notNull(),
  }),
})

type PlayConsoleTables = ReturnType<typeof playConsoleTables>

declare module '../../base/db/tables' {
  interface Tables extends PlayConsoleTables {}
}
