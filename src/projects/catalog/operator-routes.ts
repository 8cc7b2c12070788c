import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { accessOperatorRoutes } from './operator-routes-access'
import { currencyOperatorRoutes } from './operator-routes-currencies'
import { offeringOperatorRoutes } from './operator-routes-offerings'
import { productOperatorRoutes } from './operator-routes-products'

/** The catalogue in the dashboard (wire 7.5). */
export const catalogOperatorRoutes = (ctx: Context) =>
  new Elysia()
    .use(accessOperatorRoutes(ctx))
    .use(productOperatorRoutes(ctx))
    .use(offeringOperatorRoutes(ctx))
    .use(currencyOperatorRoutes(ctx))
