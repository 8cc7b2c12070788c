import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { subscriptionRoutes } from './subscription-routes'
import { transactionRoutes } from './transaction-routes'

/** Subscriptions and transactions of a project. Every member reads them. */
export const purchaseOperatorRoutes = (ctx: Context) =>
  new Elysia().use(subscriptionRoutes(ctx)).use(transactionRoutes(ctx))
