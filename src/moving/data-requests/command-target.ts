import { type Static, Type } from '@sinclair/typebox'
import type { Remote } from '../../base/cli/remote'
import { listRemote } from '../../base/cli/remote-list'
import { pathOf, requireRemoteProject } from '../../base/cli/remote-project'
import type { Context } from '../../base/context'
import { type Paged, paged } from '../../base/db/page'
import { notFound } from '../../base/errors'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { downloadRequest, getRequest } from './download'
import { openRequest } from './open'
import { performRequest } from './perform'
import { pageRequests } from './queries'
import type { DataRequestType } from './tables'
import { ListedRequestSchema, toListedRequest } from './wire'

/** A newer server may answer more. */
const Listed = Type.Omit(ListedRequestSchema, [], { additionalProperties: true })
export type ListedRequest = Static<typeof ListedRequestSchema>

/** The requests of a project, on this machine or on a server. */
export interface RequestTarget {
  open(type: DataRequestType, reference: string, requestedBy: string): Promise<ListedRequest>
  /** The request as it is now. On this machine, does its work meanwhile if nobody else does. */
  look(request: ListedRequest): Promise<ListedRequest>
  download(id: string): Promise<ReadableStream<Uint8Array>>
  list(limit: number): Promise<Paged<ListedRequest>>
}

export async function localRequests(ctx: Context, ref: string | undefined): Promise<RequestTarget> {
  const project = await ctx.state.projects.get((await requireProject(ctx, ref)).id)
  const now = () => ctx.clock.now()
  return {
    open: async (type, reference, requestedBy) =>
      toListedRequest(await openRequest(ctx, project, { type, reference, requestedBy, actor: CLI_ACTOR }), now()),
    async look({ id }) {
      await performRequest(ctx, id, () => false)
      return toListedRequest(await getRequest(ctx, project.id, id), now())
    },
    async download(id) {
      const { body } = await downloadRequest(ctx, project.id, id)
      if (!body) throw notFound('file of the request', id)
      return body
    },
    async list(limit) {
      const { items, hasMore } = await paged({ limit }, (count) => pageRequests(ctx, project.id, {}, count))
      return { items: items.map((row) => toListedRequest(row, now())), hasMore }
    },
  }
}

export async function remoteRequests(remote: Remote, ref: string | undefined): Promise<RequestTarget> {
  const project = await requireRemoteProject(remote, ref)
  const list = (limit: number, query: Record<string, string> = {}) =>
    listRemote(remote, pathOf(project, 'dsar'), { item: Listed, limit, query })
  return {
    async open(type, reference, requestedBy) {
      const data = Type.Object({ request: Listed }, { additionalProperties: true })
      const path = pathOf(project, 'subscribers', reference, 'dsar')
      return (await remote.call('POST', path, { data, body: { type, requestedBy } })).request
    },
    async look({ id, type, subscriberId }) {
      const { items } = await list(Number.POSITIVE_INFINITY, { type, subscriberId })
      const request = items.find((one) => one.id === id)
      if (!request) throw notFound('request', id)
      return request
    },
    download: (id) => remote.stream(pathOf(project, 'dsar', id, 'download')),
    list,
  }
}
