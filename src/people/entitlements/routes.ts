import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { api } from '../../projects/doors/api'
import { AccessMapSchema } from '../events/access-map'
import { answerCaller } from './answer-caller'

const strict = { additionalProperties: false } as const
const common = { tags: ['Subscribers'], 'x-identity': 'device' as const, 'x-tagged': true as const }

/** What the calling device may use right now; a public key suffices. Two names for one map, as clients ask for both. */
export const entitlementRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' })
    .get(
      '/me/entitlements',
      ({ project, request, set }) =>
        answerCaller(ctx, project, request, set, '/v1/me/entitlements', (_row, entitlements) => ({
          data: { entitlements },
        })),
      {
        response: Type.Object({ data: Type.Object({ entitlements: AccessMapSchema }, strict) }, strict),
        detail: { ...common, summary: 'Entitlements of the calling device', operationId: 'getMyEntitlements' },
      },
    )
    .get(
      '/me/access',
      ({ project, request, set }) =>
        answerCaller(ctx, project, request, set, '/v1/me/access', (_row, access) => ({ data: { access } })),
      {
        response: Type.Object({ data: Type.Object({ access: AccessMapSchema }, strict) }, strict),
        detail: { ...common, summary: 'Access of the calling device', operationId: 'getMyAccess' },
      },
    )
