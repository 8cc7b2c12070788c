import { Type } from '@sinclair/typebox'
import type { Context } from '../context'
import { api } from '../http/api'
import { tagged } from '../http/etag'
import { callingSubscriber } from '../subscribers/service'
import { currentAccess } from './service'
import { AccessMapSchema } from './wire'

const strict = { additionalProperties: false } as const
const common = { tags: ['Subscribers'], 'x-identity': 'device' as const, 'x-tagged': true as const }

/** What the calling device may use right now; a public key suffices. Two names for one map, as clients ask for both. */
export const entitlementRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' })
    .get(
      '/me/entitlements',
      async ({ project, request, set }) => {
        const row = await callingSubscriber(ctx, project.id, request.headers)
        const payload = { data: { entitlements: await currentAccess(ctx, project, row) } }
        return tagged(request, set, { subscriberId: row.id, route: '/v1/me/entitlements' }, payload)
      },
      {
        response: Type.Object({ data: Type.Object({ entitlements: AccessMapSchema }, strict) }, strict),
        detail: { ...common, summary: 'Entitlements of the calling device', operationId: 'getMyEntitlements' },
      },
    )
    .get(
      '/me/access',
      async ({ project, request, set }) => {
        const row = await callingSubscriber(ctx, project.id, request.headers)
        const payload = { data: { access: await currentAccess(ctx, project, row) } }
        return tagged(request, set, { subscriberId: row.id, route: '/v1/me/access' }, payload)
      },
      {
        response: Type.Object({ data: Type.Object({ access: AccessMapSchema }, strict) }, strict),
        detail: { ...common, summary: 'Access of the calling device', operationId: 'getMyAccess' },
      },
    )
