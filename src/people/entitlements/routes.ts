import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { api } from '../../projects/doors/api'
import { AccessMapSchema } from '../subscribers/access-map'
import { type CallerAnswers, callerAnswers } from './answer-caller'

const strict = { additionalProperties: false } as const
const common = { tags: ['Subscribers'], 'x-identity': 'device' as const, 'x-tagged': true as const }

/** The access of the calling device now; a public key is enough. Two paths with the same map: clients use both. */
export const entitlementRoutes = (ctx: Context) =>
  routesOf(ctx, callerAnswers(ctx, '/v1/me/entitlements'), callerAnswers(ctx, '/v1/me/access'))

const routesOf = (ctx: Context, entitlements: CallerAnswers, access: CallerAnswers) =>
  api(ctx, { key: 'any' })
    .get(
      '/me/entitlements',
      ({ project, request, set }) =>
        entitlements({ project, request, set }, (_row, map) => ({ data: { entitlements: map } })),
      {
        response: Type.Object({ data: Type.Object({ entitlements: AccessMapSchema }, strict) }, strict),
        detail: { ...common, summary: 'Entitlements of the calling device', operationId: 'getMyEntitlements' },
      },
    )
    .get(
      '/me/access',
      ({ project, request, set }) => access({ project, request, set }, (_row, map) => ({ data: { access: map } })),
      {
        response: Type.Object({ data: Type.Object({ access: AccessMapSchema }, strict) }, strict),
        detail: { ...common, summary: 'Access of the calling device', operationId: 'getMyAccess' },
      },
    )
