import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { slice } from '../../base/slice'
import { explainRoutes } from './explain-routes'
import { jwksRoutes } from './jwks-routes'
import { LeaseKeys } from './lease-keys'
import { leaseRoutes } from './lease-routes'
import { entitlementOperatorRoutes } from './operator-routes'
import { entitlementRoutes } from './routes'
import { entitlementTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    leaseKeys: LeaseKeys
  }
}

export const entitlements = slice({
  name: 'entitlements',
  tables: entitlementTables,
  cachedRows: { leaseKeys: 'NOBODY' },
  personalData: { leaseKeys: 'NOTHING' },
  state: { leaseKeys: (ctx: Context) => new LeaseKeys(ctx) },
  routes: (ctx: Context) => new Elysia().use(entitlementRoutes(ctx)).use(explainRoutes(ctx)).use(leaseRoutes(ctx)),
  operatorRoutes: entitlementOperatorRoutes,
  publicRoutes: jwksRoutes,
  describedPaths: ['/.well-known/'],
})
