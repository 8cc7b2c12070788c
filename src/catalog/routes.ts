import { Type } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import type { Context } from '../context'
import { notFound } from '../errors'
import { api } from '../http/api'
import { tagged } from '../http/etag'
import { findDeviceKey } from '../http/identity'
import { findByDevice } from '../subscribers/service'
import { findOffering } from './offerings'
import { OfferingSchema, toOfferingView } from './wire'

const closed = { additionalProperties: false }
const Identifier = Type.Object(
  { identifier: Type.String({ pattern: '^[A-Za-z0-9$_.-]{1,64}$', description: '`default` = the default offering' }) },
  { additionalProperties: true },
)

const documented: DocumentDecoration = {
  tags: ['Commerce'],
  'x-identity': 'optional',
  'x-tagged': true,
  'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
}

/** What is for sale; a public key and no identity suffice. */
export const catalogRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' })
    .get(
      '/offerings',
      async ({ project, request, query, set }) => {
        const subscriberId = await findCaller(ctx, project.id, request, query)
        const offerings = project.catalog.offerings.map((offering) => toOfferingView(project.catalog, offering))
        return tagged(request, set, { subscriberId, route: '/v1/offerings' }, { data: { offerings } })
      },
      {
        response: Type.Object({ data: Type.Object({ offerings: Type.Array(OfferingSchema) }, closed) }, closed),
        detail: { ...documented, summary: 'Offerings with their packages', operationId: 'listOfferings' },
      },
    )
    .get(
      '/offerings/:identifier',
      async ({ project, params, request, query, set }) => {
        const subscriberId = await findCaller(ctx, project.id, request, query)
        const offering = findOffering(project.catalog, params.identifier)
        if (!offering) throw notFound()
        const data = toOfferingView(project.catalog, offering)
        return tagged(request, set, { subscriberId, route: '/v1/offerings/:identifier' }, { data })
      },
      {
        params: Identifier,
        response: Type.Object({ data: OfferingSchema }, closed),
        detail: { ...documented, summary: 'One offering', operationId: 'getOffering' },
      },
    )

type Query = Parameters<typeof findDeviceKey>[2]

/** Subscriber id of the caller, or null when the call is anonymous or the device is not known; makes no row. */
async function findCaller(ctx: Context, projectId: string, request: Request, query: Query): Promise<string | null> {
  const deviceKey = findDeviceKey('optional', request.headers, query)
  const subscriber = deviceKey === null ? null : await findByDevice(ctx, projectId, deviceKey)
  return subscriber?.id ?? null
}
