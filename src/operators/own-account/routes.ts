import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { account } from '../../projects/doors/account'
import { MeView, toMe } from '../accounts/me'
import { getAccount } from './profile'

const tags = ['Account']

export const ownAccountRoutes = (ctx: Context) => new Elysia().use(profileRoutes(ctx))

const profileRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' }).get('/me', async ({ user }) => ({ data: toMe(ctx, await getAccount(ctx, user.id)) }), {
    response: Type.Object({ data: MeView }, { additionalProperties: false }),
    detail: { tags, summary: 'The signed-in person', operationId: 'getMe' },
  })
