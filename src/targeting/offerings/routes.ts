import { Type } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { tagged } from '../../base/http/etag'
import { findDeviceKey } from '../../people/subscribers/device-key'
import { findByDevice } from '../../people/subscribers/service'
import { findOffering } from '../../projects/catalog/offerings'
import { OfferingSchema, toOfferingView } from '../../projects/catalog/wire'
import { api } from '../../projects/doors/api'
import type { EvaluationTarget } from '../audiences/evaluation-target'
import { EXPERIMENT_HEADER } from '../experiments/header'
import { offeringFor, presentedOfferings, withDefault } from './presentation'

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

/** The offerings of the project; a public key and no identity suffice. */
export const catalogRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' })
    .get(
      '/offerings',
      async ({ project, request, query, set }) => {
        const target = await findTarget(ctx, project.id, request, query)
        const { offerings, source } = await presentedOfferings(ctx, project, target)
        if (source) set.headers[EXPERIMENT_HEADER] = source
        return tagged(request, set, { subscriberId: idOf(target), route: '/v1/offerings' }, { data: { offerings } })
      },
      {
        response: Type.Object({ data: Type.Object({ offerings: Type.Array(OfferingSchema) }, closed) }, closed),
        detail: { ...documented, summary: 'Offerings with their packages', operationId: 'listOfferings' },
      },
    )
    .get(
      '/offerings/:identifier',
      async ({ project, params: { identifier }, request, query, set }) => {
        const target = await findTarget(ctx, project.id, request, query)
        const presented = identifier === 'default' ? await offeringFor(ctx, project, target) : null
        if (presented?.source) set.headers[EXPERIMENT_HEADER] = presented.source
        const offering = presented?.offering ?? findOffering(project.catalog, identifier)
        if (!offering) throw notFound('offering', identifier)
        const view = toOfferingView(project.catalog, offering)
        const data = presented ? withDefault(view, offering.identifier) : view
        return tagged(request, set, { subscriberId: idOf(target), route: '/v1/offerings/:identifier' }, { data })
      },
      {
        params: Identifier,
        response: Type.Object({ data: OfferingSchema }, closed),
        detail: { ...documented, summary: 'One offering', operationId: 'getOffering' },
      },
    )

type Query = Parameters<typeof findDeviceKey>[2]

/** The subscriber of the call, or null when it is anonymous or the device is not known; makes no row. */
async function findTarget(
  ctx: Context,
  projectId: string,
  request: Request,
  query: Query,
): Promise<EvaluationTarget | null> {
  const deviceKey = findDeviceKey('optional', request.headers, query)
  const subscriber = deviceKey === null ? null : await findByDevice(ctx, projectId, deviceKey)
  return deviceKey === null || subscriber === null ? null : { deviceKey, subscriber }
}

const idOf = (target: EvaluationTarget | null): string | null => target?.subscriber.id ?? null
