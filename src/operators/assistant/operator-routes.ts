import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { credentialsRoutes } from './credentials/operator-routes'
import { intentRoutes } from './intents/operator-routes'
import { threadRoutes } from './threads/operator-routes'

/** All routes of the assistant below a project. */
export const assistantRoutes = (ctx: Context) =>
  new Elysia().use(credentialsRoutes(ctx)).use(threadRoutes(ctx)).use(intentRoutes(ctx))
