import { type Kit, postgresKit, sqliteKit } from './kit'

/** What `migrate` keeps of its own; made by itself, not by a migration. */
const ownTables = (k: Kit) => ({
  migrations: k.table('svc_migrations', { tag: k.str().primaryKey(), hash: k.str().notNull() }),
})

type OwnTables = ReturnType<typeof ownTables>

/** Every table of the product. Each slice declares its own into this interface, beside their definition in its `tables.ts`. */
export interface Tables extends OwnTables {}

/** The tables of one slice, written with the column kit. */
export type TableDefinitions = (k: Kit) => object

export type Dialect = 'sqlite' | 'postgres'

const KITS: Record<Dialect, Kit> = { sqlite: sqliteKit, postgres: postgresKit }

/** The tables of one dialect. What the slices declared into `Tables` is what their definitions make. */
export const makeTables = (dialect: Dialect, definitions: readonly TableDefinitions[]): Tables =>
  Object.assign({}, ...[ownTables, ...definitions].map((define) => define(KITS[dialect])))
