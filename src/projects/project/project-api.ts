import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type Api, type ApiRequest, type ApiUpload, type Method, ownApi, remoteApi } from '../../base/cli/api'
import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { type RemoteAddress, type RemoteValues, readRemoteAddress, remoteOptions } from '../../base/cli/remote'
import type { Context } from '../../base/context'
import type { Paged } from '../../base/db/page'
import { requireProject } from './lookup'
import { findProjectByRef, listProjects } from './service'

interface ProjectName {
  id: string
  slug: string
}

/** The routes of one project. Paths are given as parts, which are escaped. */
export interface ProjectApi extends ProjectName {
  call<Data extends TSchema>(method: Method, parts: readonly string[], request: ApiRequest<Data>): Promise<Static<Data>>
  /** The first `limit` items of a list, which is read page by page. */
  list<Item extends TSchema>(parts: readonly string[], order: ListOrder<Item>): Promise<Paged<Static<Item>>>
  download(parts: readonly string[]): Promise<object>
  stream(parts: readonly string[]): Promise<ReadableStream<Uint8Array>>
  send(parts: readonly string[], request: { body: object; signal: AbortSignal }): Promise<ReadableStream<Uint8Array>>
  /** Calls a route of the project by its whole path. */
  callPath(method: Method, path: string, request: ApiRequest<TSchema>): Promise<unknown>
  text(parts: readonly string[], query?: ApiRequest<TSchema>['query']): Promise<string>
  upload<Data extends TSchema>(parts: readonly string[], file: Blob, request: ApiUpload<Data>): Promise<Static<Data>>
  /** The context of this process when it answers the calls by itself; null when a server does. */
  ctx: Context | null
}

interface ListOrder<Item extends TSchema> {
  item: Item
  query?: ApiRequest<TSchema>['query']
  limit: number
}

/** Where a command works: on a server, or on the database of this machine. */
export interface Place {
  /** The project with this slug or id; null when there is none, or when the person is no member of it. */
  find(ref: string): Promise<ProjectApi | null>
  /** The project that `--project` names; without the option, the only one. */
  require(ref: string | undefined): Promise<ProjectApi>
  /** All projects, or those of which the person is a member. */
  all(): Promise<ProjectApi[]>
  /** The context of this process when it answers the calls by itself; null when a server does. */
  ctx: Context | null
}

/** The options of every command that works on one project. */
export const projectOptions = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const

interface ProjectValues extends RemoteValues {
  project?: string | undefined
}

/** Works on the project that the options name. */
export const withProject = <Result>(
  io: Io,
  values: ProjectValues,
  work: (project: ProjectApi) => Promise<Result>,
): Promise<Result> => withPlace(io, values, async (place) => work(await place.require(values.project)))

/** Works on the server that `--url` or `SVC_URL` names; without one, on the database of this machine. */
export async function withPlace<Result>(
  io: Io,
  values: RemoteValues,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const remote = readRemoteAddress(io, values)
  if (remote) return work(placeOnServer(remote))
  return withContext(io, { data: values.data }, (ctx) => work(machineOf(ctx, ownApi(ctx, io.program))))
}

const machineOf = (ctx: Context, api: Api): Place => ({
  async find(ref) {
    const found = await findProjectByRef(ctx, ref)
    return found && projectApi(api, found, ctx)
  },
  require: async (ref) => projectApi(api, await requireProject(ctx, ref), ctx),
  all: async () => (await listProjects(ctx)).map((project) => projectApi(api, project, ctx)),
  ctx,
})

const Project = Type.Object({ id: Type.String(), slug: Type.String() })

/** The projects of a server, of which the person with the token is a member. */
export function placeOnServer(address: RemoteAddress): Place {
  const api = remoteApi(address)
  const projects = async () =>
    (await listAll(api, '/dashboard/projects', { item: Project, limit: Number.POSITIVE_INFINITY })).items
  const find: Place['find'] = async (ref) => {
    const all = await projects()
    const found = all.find(({ slug }) => slug === ref) ?? all.find(({ id }) => id === ref)
    return found ? projectApi(api, found, null) : null
  }
  return {
    ctx: null,
    find,
    async require(ref) {
      if (ref === undefined) return projectApi(api, onlyOne(await projects()), null)
      const found = await find(ref)
      if (found) return found
      throw new CommandFailure('NOT_FOUND', `There is no project "${ref}" that this token can see.`)
    },
    all: async () => (await projects()).map((project) => projectApi(api, project, null)),
  }
}

function onlyOne([only, ...more]: readonly Static<typeof Project>[]) {
  if (!only) throw new CommandFailure('NOT_FOUND', 'There is no project that this token can see.')
  if (more.length > 0) throw new UsageError('There are several projects; name one with --project')
  return only
}

/** The path of a project's routes, or of one of them. */
export const pathOf = (projectId: string, ...parts: readonly string[]): string =>
  ['/dashboard/projects', ...[projectId, ...parts].map(encodeURIComponent)].join('/')

const projectApi = (api: Api, { id, slug }: ProjectName, ctx: Context | null): ProjectApi => ({
  id,
  slug,
  ctx,
  call: (method, parts, request) => api.call(method, pathOf(id, ...parts), request),
  list: (parts, order) => listAll(api, pathOf(id, ...parts), order),
  download: (parts) => api.download(pathOf(id, ...parts)),
  stream: (parts) => api.stream(pathOf(id, ...parts)),
  send: (parts, request) => api.send(pathOf(id, ...parts), request),
  callPath: (method, path, request) => api.call(method, path, request),
  text: (parts, query) => api.text(pathOf(id, ...parts), query),
  upload: (parts, file, request) => api.upload(pathOf(id, ...parts), file, request),
})

const MAX_PAGE = 200

async function listAll<Item extends TSchema>(
  api: Api,
  path: string,
  { item, query = {}, limit }: ListOrder<Item>,
): Promise<Paged<Static<Item>>> {
  const data = Type.Object({ items: Type.Array(item), nextCursor: Type.Union([Type.String(), Type.Null()]) })
  const items: Static<Item>[] = []
  for (let cursor: string | undefined; ; ) {
    const page = { ...query, cursor, limit: Math.min(MAX_PAGE, limit - items.length) }
    // The type of a generic schema's value is not known here; the schema has checked it.
    const found = (await api.call('GET', path, { data, query: page })) as Page<Static<Item>>
    items.push(...found.items)
    const hasMore = found.nextCursor !== null
    if (!hasMore || items.length >= limit) return { items, hasMore }
    cursor = found.nextCursor ?? undefined
  }
}

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}
