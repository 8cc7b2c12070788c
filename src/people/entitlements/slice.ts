import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { slice } from '../../base/slice'
import { explainRoutes } from './explain-routes'
import { jwksRoutes } from './jwks-routes'
import { leaseRoutes } from './lease-routes'
import { entitlementOperatorRoutes } from './operator-routes'
import { entitlementRoutes } from './routes'
import { entitlementTables } from './tables'

export const entitlements = slice({
  name: 'entitlements',
  tables: entitlementTables,
  cachedRows: { leaseKeys: 'NOBODY' },
  personalData: { leaseKeys: 'NOTHING' },
  routes: (ctx: Context) => new Elysia().use(entitlementRoutes(ctx)).use(explainRoutes(ctx)).use(leaseRoutes(ctx)),
  operatorRoutes: entitlementOperatorRoutes,
  publicRoutes: jwksRoutes,
  describedPaths: ['/.well-known/'],
})
