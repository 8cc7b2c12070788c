import { type Kit, postgresKit, sqliteKit } from './kit'

/** The table in which `migrate` keeps its own state. The code creates it, not a migration. */
const ownTables = (k: Kit) => ({
  migrations: k.table('svc_migrations', { tag: k.str().primaryKey(), hash: k.str().notNull() }),
})

type OwnTables = ReturnType<typeof ownTables>

/**
 * Every table of the product. Each slice adds its tables to this interface in its `tables.ts`, beside their definition.
 */
export interface Tables extends OwnTables {}

/** The tables of one slice, written with the column kit. */
export type TableDefinitions = (k: Kit) => object

export type Dialect = 'sqlite' | 'postgres'

const KITS: Record<Dialect, Kit> = { sqlite: sqliteKit, postgres: postgresKit }

/** The tables of one dialect. Each slice declares in `Tables` exactly what its definitions create. */
export const makeTables = (dialect: Dialect, definitions: readonly TableDefinitions[]): Tables =>
  Object.assign({}, ...[ownTables, ...definitions].map((define) => define(KITS[dialect])))
