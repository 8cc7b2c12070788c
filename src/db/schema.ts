import { actionTables } from '../actions/tables'
import { audienceTables } from '../audiences/tables'
import { catalogTables } from '../catalog/tables'
import { checkoutTables } from '../checkout/tables'
import { currencyTables } from '../currencies/tables'
import { entitlementTables } from '../entitlements/tables'
import { eventTables } from '../events/tables'
import { experimentTables } from '../experiments/tables'
import { flagTables } from '../flags/tables'
import { funnelTables } from '../funnels/tables'
import { httpTables } from '../http/tables'
import { jobTables } from '../jobs/tables'
import { notificationTables } from '../notifications/tables'
import { placementTables } from '../placements/tables'
import { projectTables } from '../projects/tables'
import { purchaseTables } from '../purchases/tables'
import { refundShieldTables } from '../refund-shield/tables'
import { simulatorTables } from '../stores/simulator/tables'
import { subscriberTables } from '../subscribers/tables'
import type { Kit } from './kit'
import { postgresKit, sqliteKit } from './kit'

/** What `db/migrate` keeps of its own; made by itself, not by a migration. */
const migrationTables = (k: Kit) => ({
  migrations: k.table('svc_migrations', { tag: k.str().primaryKey(), hash: k.str().notNull() }),
})

/** Every table of the product, from one definition for both dialects. */
const makeTables = (k: Kit) => ({
  ...migrationTables(k),
  ...projectTables(k),
  ...subscriberTables(k),
  ...catalogTables(k),
  ...purchaseTables(k),
  ...currencyTables(k),
  ...experimentTables(k),
  ...audienceTables(k),
  ...flagTables(k),
  ...funnelTables(k),
  ...placementTables(k),
  ...eventTables(k),
  ...jobTables(k),
  ...httpTables(k),
  ...simulatorTables(k),
  ...notificationTables(k),
  ...actionTables(k),
  ...refundShieldTables(k),
  ...checkoutTables(k),
  ...entitlementTables(k),
})

export type Tables = ReturnType<typeof makeTables>

export const sqliteTables: Tables = makeTables(sqliteKit)
export const postgresTables: Tables = makeTables(postgresKit)
