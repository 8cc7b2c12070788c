import { Elysia } from 'elysia'
import { slice } from '../../base/slice'
import { notificationRoutes } from './notification-routes'
import { offerRoutes } from './offer-routes'
import { receiptRoutes } from './receipt-routes'

export const iosIntake = slice({
  name: 'ios-intake',
  routes: (ctx) => new Elysia().use(receiptRoutes(ctx)).use(offerRoutes(ctx)),
  publicRoutes: notificationRoutes,
})
