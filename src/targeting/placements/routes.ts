import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { tagged } from '../../base/http/etag'
import { isLocale } from '../../core/funnel/locale'
import { findDeviceKey } from '../../people/subscribers/device-key'
import { findByDevice } from '../../people/subscribers/service'
import { api } from '../../projects/doors/api'
import { EXPERIMENT_HEADER } from '../experiments/header'
import { type IdentifiedCaller, presentPlacement } from './presentation'
import { PlacementSchema } from './wire'

const lenient = { additionalProperties: true }
const Identifier = Type.Object(
  { identifier: Type.String({ maxLength: 255, description: 'An unknown one is no error' }) },
  lenient,
)
const PlacementQuery = Type.Object(
  { locale: Type.Optional(Type.String({ maxLength: 35, description: 'BCP 47, for example `tr-TR`' })) },
  lenient,
)

/** What a placement of the app shows; a public key and no identity suffice. */
export const placementRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' }).get(
    '/placements/:identifier',
    async ({ project, params, query, request, set }) => {
      const locale = localeOf(query)
      const caller = await findCaller(ctx, project.id, request, query)
      const { answer, source } = await presentPlacement(ctx, project, params.identifier, caller, locale)
      if (answer.placement) ctx.state.resolutions.count(project.id, answer.placement.identifier)
      if (source) set.headers[EXPERIMENT_HEADER] = source
      const who = { subscriberId: caller.subscriber?.id ?? null, route: '/v1/placements/:identifier' }
      return tagged(request, set, who, { data: answer }, project.placements.written)
    },
    {
      params: Identifier,
      query: PlacementQuery,
      response: Type.Object({ data: PlacementSchema }, { additionalProperties: false }),
      detail: {
        tags: ['Placements'],
        summary: 'What stands in a placement',
        description:
          'A funnel, an experiment over funnels to draw from, an offering, or nothing. No exposure and no assignment is written.',
        operationId: 'getPlacement',
        'x-identity': 'optional',
        'x-always-found': true,
        'x-tagged': true,
        'x-experiment': true,
        'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
      },
    },
  )

function localeOf({ locale }: { locale?: string }): string | null {
  const given = locale?.trim() || null
  if (given === null || isLocale(given)) return given
  throw invalid('locale must be a language tag (BCP 47) such as en or tr-TR')
}

type Query = Parameters<typeof findDeviceKey>[2]

/** Finds the caller and makes no row: a device without a row is anonymous, with the device key that it has sent. */
async function findCaller(ctx: Context, projectId: string, request: Request, query: Query): Promise<IdentifiedCaller> {
  const deviceKey = findDeviceKey('optional', request.headers, query)
  return { deviceKey, subscriber: deviceKey === null ? null : await findByDevice(ctx, projectId, deviceKey) }
}
