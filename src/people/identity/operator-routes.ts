import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { attributeOperatorRoutes } from './attribute-operator-routes'
import { transferOperatorRoutes } from './transfer-operator-routes'

/** What people of the dashboard change about who a person is and what belongs to them. */
export const identityOperatorRoutes = (ctx: Context) =>
  new Elysia().use(attributeOperatorRoutes(ctx)).use(transferOperatorRoutes(ctx))
