import { Type } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { tagged } from '../../base/http/etag'
import { findDeviceKey } from '../../people/subscribers/device-key'
import { findByDevice } from '../../people/subscribers/service'
import { findOffering } from '../../projects/catalog/offerings'
import { OfferingSchema, type OfferingView, toOfferingView } from '../../projects/catalog/wire'
import { api } from '../../projects/doors/api'
import { EXPERIMENT_HEADER } from '../experiments/header'
import type { Asker } from '../remote-config/assignments'
import { offeringFor } from './presentation'

const closed = { additionalProperties: false }
const Identifier = Type.Object(
  { identifier: Type.String({ pattern: '^[A-Za-z0-9$_.-]{1,64}$', description: '`default` = the default offering' }) },
  { additionalProperties: true },
)

const documented: DocumentDecoration = {
  tags: ['Commerce'],
  'x-identity': 'optional',
  'x-tagged': true,
  'x-experiment': true,
  'x-errors': ['SUBSCRIBER_UNRESOLVABLE'],
}

/** What is for sale; a public key and no identity suffice. */
export const catalogRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' })
    .get(
      '/offerings',
      async ({ project, request, query, set }) => {
        const asker = await findAsker(ctx, project.id, request, query)
        const shown = await offeringFor(ctx, project, asker)
        if (shown?.source) set.headers[EXPERIMENT_HEADER] = shown.source
        const views = project.catalog.offerings.map((offering) => toOfferingView(project.catalog, offering))
        const offerings = shown ? views.map((view) => withDefault(view, shown.offering.identifier)) : views
        return tagged(request, set, { subscriberId: idOf(asker), route: '/v1/offerings' }, { data: { offerings } })
      },
      {
        response: Type.Object({ data: Type.Object({ offerings: Type.Array(OfferingSchema) }, closed) }, closed),
        detail: { ...documented, summary: 'Offerings with their packages', operationId: 'listOfferings' },
      },
    )
    .get(
      '/offerings/:identifier',
      async ({ project, params: { identifier }, request, query, set }) => {
        const asker = await findAsker(ctx, project.id, request, query)
        const shown = identifier === 'default' ? await offeringFor(ctx, project, asker) : null
        if (shown?.source) set.headers[EXPERIMENT_HEADER] = shown.source
        const offering = shown?.offering ?? findOffering(project.catalog, identifier)
        if (!offering) throw notFound()
        const view = toOfferingView(project.catalog, offering)
        const data = shown ? withDefault(view, offering.identifier) : view
        return tagged(request, set, { subscriberId: idOf(asker), route: '/v1/offerings/:identifier' }, { data })
      },
      {
        params: Identifier,
        response: Type.Object({ data: OfferingSchema }, closed),
        detail: { ...documented, summary: 'One offering', operationId: 'getOffering' },
      },
    )

/** The same list with another default, and that one only. */
const withDefault = (view: OfferingView, identifier: string): OfferingView => ({
  ...view,
  isDefault: view.identifier === identifier,
})

type Query = Parameters<typeof findDeviceKey>[2]

/** Who asks, or null when the call is anonymous or the device is not known; makes no row. */
async function findAsker(ctx: Context, projectId: string, request: Request, query: Query): Promise<Asker | null> {
  const deviceKey = findDeviceKey('optional', request.headers, query)
  const subscriber = deviceKey === null ? null : await findByDevice(ctx, projectId, deviceKey)
  return deviceKey === null || subscriber === null ? null : { deviceKey, subscriber }
}

const idOf = (asker: Asker | null): string | null => asker?.subscriber.id ?? null
