import { slice } from '../../base/slice'
import { isLockable } from './locked-routes'
import { billingAccountRoutes, billingAdminRoutes, billingRoutes } from './routes'
import { currentPlan, isProjectLocked, planLimits } from './service'
import { billingTables } from './tables'

/** The plans of the projects of a deployment that bills them. */
export const billing = slice({
  name: 'billing',
  tags: [{ name: 'Billing', description: 'The plan of a project, where the deployment bills its projects.' }],
  tables: billingTables,
  cachedRows: {
    planChanges: 'NOBODY',
    billingAccounts: 'NOBODY',
    billingCustomers: 'NOBODY',
    billingEvents: 'NOBODY',
  },
  personalData: {
    planChanges: 'NOTHING',
    billingAccounts: 'NOTHING',
    billingCustomers: 'NOTHING',
    billingEvents: 'NOTHING',
  },
  accountRoutes: billingAccountRoutes,
  operatorRoutes: billingRoutes,
  adminRoutes: billingAdminRoutes,
  planLimits,
  planLock: async (ctx, projectId, path) => isLockable(path) && (await isProjectLocked(ctx, projectId)),
  assetLimit: async (ctx, projectId) => (await currentPlan(ctx, projectId))?.storageBytes ?? null,
  mostCustomDomains: async (tx, projectId) => (await currentPlan(tx, projectId))?.customDomains ?? null,
  planRetention: async (ctx, projectId) => (await currentPlan(ctx, projectId))?.retentionDays ?? null,
})
