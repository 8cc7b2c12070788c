import type { Kit } from './base/db/kit'
import { postgresKit, sqliteKit } from './base/db/kit'
import { httpTables } from './base/http/tables'
import { jobTables } from './base/jobs/tables'
import { actionTables } from './commerce/actions/tables'
import { funnelTables } from './funnels/funnels/tables'
import { notificationTables } from './intake/inbox/tables'
import { checkoutTables } from './intake/payment/customer-tables'
import { refundShieldTables } from './intake/refund-shield/tables'
import { currencyTables } from './people/currencies/tables'
import { entitlementTables } from './people/entitlements/tables'
import { eventTables } from './people/events/tables'
import { purchaseTables } from './people/purchases/tables'
import { subscriberTables } from './people/subscribers/tables'
import { catalogTables } from './projects/catalog/tables'
import { projectTables } from './projects/project/tables'
import { audienceTables } from './targeting/audiences/tables'
import { experimentTables } from './targeting/experiments/tables'
import { flagTables } from './targeting/flags/tables'
import { placementTables } from './targeting/placements/tables'
import { simulatorTables } from './test-store/stores/tables'

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
