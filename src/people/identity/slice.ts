import { Elysia } from 'elysia'
import { slice } from '../../base/slice'
import { attributeRoutes } from './attribute-routes'
import { identifyRoutes } from './identify-routes'
import { identityOperatorRoutes } from './operator-routes'
import { subscriberRoutes } from './routes'
import { transferRoutes } from './transfer-routes'

export const identity = slice({
  name: 'identity',
  operatorRoutes: identityOperatorRoutes,
  routes: (ctx) =>
    new Elysia().use(identifyRoutes(ctx)).use(subscriberRoutes(ctx)).use(attributeRoutes(ctx)).use(transferRoutes(ctx)),
})
