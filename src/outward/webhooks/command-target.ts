import { type Static, Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { listRemote } from '../../base/cli/remote-list'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { retryDelivery } from '../deliveries/reopen'
import { DeliveryView, toDeliveryView } from '../delivery-log/wire'
import { createEndpoint, deleteEndpoint, type EndpointInput, type EndpointWithSecret, rotateSecret } from './admin'
import type { EndpointView } from './admin-wire'
import { MAX_ENDPOINTS } from './model'
import { CreatedEndpointSchema, EndpointSchema } from './operator-wire'
import { sendTest } from './test-send'
import { listEndpointViews } from './views'

/** The webhook endpoints of a project: in the database of this machine, or on a server. */
export interface WebhookTarget {
  list(): Promise<EndpointView[]>
  create(input: EndpointInput): Promise<EndpointWithSecret>
  delete(id: string): Promise<void>
  rotate(id: string): Promise<Static<typeof Rotated>>
  test(id: string): Promise<Static<typeof DeliveryView>>
  /** Of a delivery. */
  retry(id: string): Promise<Static<typeof DeliveryView>>
}

export async function localWebhooks(ctx: Context, ref: string | undefined): Promise<WebhookTarget> {
  const { id: projectId } = await requireProject(ctx, ref)
  const by = { projectId, actor: CLI_ACTOR }
  return {
    list: async () => (await listEndpointViews(ctx, projectId, { limit: MAX_ENDPOINTS })).items,
    create: (input) => createEndpoint(ctx, by, input),
    delete: (id) => deleteEndpoint(ctx, by, id),
    rotate: (id) => rotateSecret(ctx, by, id),
    retry: async (id) => toDeliveryView(await retryDelivery(ctx, { ...by, kind: 'WEBHOOK' }, id)),
    test: (id) => sendTest(ctx, projectId, id, 'CLI'),
  }
}

/** A newer server may answer more. */
const LENIENT = { additionalProperties: true }
const Endpoint = Type.Omit(EndpointSchema, [], LENIENT)
const Created = Type.Omit(CreatedEndpointSchema, [], LENIENT)
const Rotated = Type.Object({ secret: Type.String(), previousValidUntil: Type.String() })
const Deleted = Type.Object({ deleted: Type.Boolean() })
const Delivery = Type.Omit(DeliveryView, [], LENIENT)

export async function remoteWebhooks(remote: Remote, ref: string | undefined): Promise<WebhookTarget> {
  const project = await requireRemoteProject(remote, ref)
  const path = pathOf(project, 'webhook-endpoints')
  return {
    list: async () => (await listRemote(remote, path, { item: Endpoint, limit: MAX_ENDPOINTS })).items,
    create: ({ isOrdered, ...input }) =>
      remote.call('POST', path, {
        data: Created,
        body: { ...input, ...(isOrdered !== undefined && { ordered: isOrdered }) },
      }),
    delete: async (id) => {
      await remote.call('DELETE', pathOf(project, 'webhook-endpoints', id), { data: Deleted })
    },
    rotate: (id) => remote.call('POST', pathOf(project, 'webhook-endpoints', id, 'rotate-secret'), { data: Rotated }),
    retry: (id) => remote.call('POST', pathOf(project, 'webhook-deliveries', id, 'retry'), { data: Delivery }),
    test: (id) => remote.call('POST', pathOf(project, 'webhook-endpoints', id, 'test'), { data: Delivery }),
  }
}
