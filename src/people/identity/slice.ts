import { Elysia } from 'elysia'
import { slice } from '../../base/slice'
import { subscriberRoutes } from './routes'
import { transferRoutes } from './transfer-routes'

export const identity = slice({
  name: 'identity',
  routes: (ctx) => new Elysia().use(subscriberRoutes(ctx)).use(transferRoutes(ctx)),
})
