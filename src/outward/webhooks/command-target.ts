import { type Static, Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { listRemote } from '../../base/cli/remote-list'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { DeliveryView } from '../delivery-log/wire'
import { createEndpoint, type EndpointInput, type EndpointWithSecret, listEndpointViews } from './admin'
import type { EndpointView } from './admin-wire'
import { MAX_ENDPOINTS } from './model'
import { CreatedEndpointSchema, EndpointSchema } from './operator-wire'
import { sendTest } from './test-send'

/** The webhook endpoints of a project: in the database of this machine, or on a server. */
export interface WebhookTarget {
  list(): Promise<EndpointView[]>
  create(input: EndpointInput): Promise<EndpointWithSecret>
  test(id: string): Promise<Static<typeof DeliveryView>>
}

export async function localWebhooks(ctx: Context, ref: string | undefined): Promise<WebhookTarget> {
  const { id: projectId } = await requireProject(ctx, ref)
  return {
    list: async () => (await listEndpointViews(ctx, projectId, { limit: MAX_ENDPOINTS })).items,
    create: (input) => createEndpoint(ctx, { projectId, actor: CLI_ACTOR }, input),
    test: (id) => sendTest(ctx, projectId, id, 'CLI'),
  }
}

/** A newer server may answer more. */
const LENIENT = { additionalProperties: true }
const Endpoint = Type.Omit(EndpointSchema, [], LENIENT)
const Created = Type.Omit(CreatedEndpointSchema, [], LENIENT)
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
    test: (id) => remote.call('POST', pathOf(project, 'webhook-endpoints', id, 'test'), { data: Delivery }),
  }
}
