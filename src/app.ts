import { Elysia, type InternalRoute } from 'elysia'
import type { Context } from './base/context'
import { bothSchemes } from './base/http/both-schemes'
import { errorHandler, releaseClaim } from './base/http/error'
import { NotModified } from './base/http/etag'
import { isHostlessCheck, withHost } from './base/http/hostless-check'
import { Replayed } from './base/http/idempotency'
import { type Answer, bare, type EarlyAnswers, openRequest, recordAnswer, replay } from './base/http/pipeline'
import { findFacts, type Sockets } from './base/http/request'
import type { Slice } from './base/slice'
import { refuseOtherFiles } from './funnels/domains/custom-hosts'
import { SLICES } from './slices'

/** Where routes are mounted, and which members of the manifests they come from. */
const MOUNTS: readonly [prefix: string, members: readonly RouteMember[]][] = [
  ['', ['publicRoutes']],
  ['/v1', ['routes']],
  ['/v1/web/:publicKey', ['routes', 'webRoutes']],
  ['/api/auth', ['authRoutes']],
  ['/dashboard', ['accountRoutes']],
  ['/dashboard/projects/:projectId', ['operatorRoutes']],
  ['/admin', ['adminRoutes']],
]

/** Another application, which answers some of the calls. */
export interface Beside {
  /** How it answers a call; undefined when the call is none of its own. Nothing was done for the call before. */
  fetchOf: (request: Request) => ((request: Request) => Response | Promise<Response>) | undefined
  routes: () => InternalRoute[]
}

const ALONE: Beside = { fetchOf: () => undefined, routes: () => [] }

/** The whole HTTP application of a context, or what is mounted at some prefixes. It does not listen; tests call `handle`. */
export function createApp(
  ctx: Context,
  slices: readonly Slice[] = SLICES,
  isWanted = (_prefix: string) => true,
  beside = ALONE,
) {
  const own = isWanted('') ? answersHosts(ctx, slices, beside, () => app.server) : beside
  const app = createPipeline(
    ctx,
    answersChecks(own, (check): Response | Promise<Response> => app.fetch(check)),
  )
  for (const [prefix, members] of MOUNTS) if (isWanted(prefix)) app.use(mount(ctx, slices, prefix, members))
  return app
}

const OF_A_PROJECT = '/dashboard/projects/:projectId'

/** Answers calls of the routes that one slice has below a project, over a context of its own. */
export function routesWithin(
  ctx: Context,
  name: string,
  slices: readonly Slice[] = SLICES,
): (request: Request) => Promise<Response> {
  const own = slices.filter((slice) => slice.name === name)
  const app = createApp(ctx, own, (prefix) => prefix === OF_A_PROJECT)
  return async (request) => app.handle(request)
}

/** Answers health checks without a usable Host, which no router would find, as the same requests with one. */
const answersChecks = (beside: Beside, answer: (check: Request) => Response | Promise<Response>): Beside => ({
  ...beside,
  fetchOf: (request) => (isHostlessCheck(request) ? (check) => answer(withHost(check)) : beside.fetchOf(request)),
})

/** Answers calls to custom domains by an application of their own, which is mounted at the first of them. */
function answersHosts(ctx: Context, slices: readonly Slice[], beside: Beside, serverOf: () => App['server']): Beside {
  let mounted: App | undefined
  const fetch = (request: Request): Response | Promise<Response> => {
    mounted ??= createPipeline(ctx, ALONE, [refuseOtherFiles]).use(
      mount(ctx, slices, '', ['hostRoutes']),
    ) as unknown as App
    mounted.server = serverOf()
    return mounted.fetch(request)
  }
  return {
    ...beside,
    fetchOf: (request) => (ctx.state.customHosts.at(request.url) ? fetch : beside.fetchOf(request)),
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The document of the API describes the routes of the application beside it too. */
class App extends Elysia {
  /** The methods that a route of this application has at a path. */
  readonly methodsOf = (path: string): readonly string[] =>
    METHODS.filter((method) => this.router.static[path]?.[method] ?? this.router.http.find(method, path))

  constructor(
    options: ConstructorParameters<typeof Elysia<''>>[0],
    private readonly routesBeside: () => InternalRoute[],
  ) {
    super(options)
  }

  protected override getGlobalRoutes(): InternalRoute[] {
    return [...super.getGlobalRoutes(), ...this.routesBeside()]
  }
}

/** What every request passes before and after its route. `early`: what may answer it before its route; absent = all. */
function createPipeline(ctx: Context, { fetchOf, routes }: Beside, early?: EarlyAnswers) {
  const app = new App(
    {
      normalize: false,
      strictPath: true,
      // Otherwise Elysia looks for the path only after a minimum length of the host, and a short host (`http://svc/`)
      // gives a wrong path.
      handler: { standardHostname: false },
      adapter: bothSchemes, // A server with certificates of its own is asked by https.
      serve: {
        maxRequestBodySize: Number.MAX_SAFE_INTEGER, // Our own limit answers with the envelope; Bun's is a bare 413.
        // Requests that come slowly do not profit from it: Bun ends those whose headers take longer than about 10 s.
        idleTimeout: ctx.config.keepAliveSeconds,
        development: false, // Otherwise Bun shows its own error page.
        reusePort: false, // Otherwise a second server could share the port and get half of the requests.
      },
    },
    routes,
  )
  const onFailure = errorHandler(ctx, app.methodsOf)
  return (
    app
      // Only the named members are used: with the whole context, Elysia parses cookies and query of every request.
      .onError({ as: 'global' }, ({ code, error, request, route, set }) => {
        if (error instanceof Replayed) return replay(error, set)
        if (error instanceof NotModified) return releaseClaim(ctx, request).then(() => bare(304, set))
        return onFailure({ code, error, request, route, set })
      })
      // Elysia makes every route asynchronous when the source of this hook looks like a directly returned call.
      .onRequest(ctx.state.limits.isShared ? openLater(ctx, fetchOf, early) : openNow(ctx, fetchOf, early))
      .onAfterResponse({ as: 'global' }, ({ request, route, set }) =>
        recordAnswer(ctx, request, findFacts(request), route, set.status ?? 200),
      )
  )
}

interface Arriving {
  request: Request
  set: Answer
  server: Sockets | null
}

const openNow =
  (ctx: Context, fetchOf: Beside['fetchOf'], answers?: EarlyAnswers) =>
  ({ request, set, server }: Arriving) => {
    const other = fetchOf(request)?.(request)
    if (other !== undefined) return other
    const early = openRequest(ctx, request, set, server, answers)
    if (early !== undefined) return early
  }

/** With a shared cache, its answer is waited for. Only a function that is declared so is awaited by Elysia. */
const openLater =
  (ctx: Context, fetchOf: Beside['fetchOf'], answers?: EarlyAnswers) =>
  async ({ request, set, server }: Arriving) => {
    const other = fetchOf(request)?.(request)
    if (other !== undefined) return other
    const early = await openRequest(ctx, request, set, server, answers)
    if (early !== undefined) return early
  }

type RouteMember =
  | 'hostRoutes'
  | 'routes'
  | 'webRoutes'
  | 'publicRoutes'
  | 'authRoutes'
  | 'accountRoutes'
  | 'operatorRoutes'
  | 'adminRoutes'

/** The routes of all slices below a prefix. Those of `routes` are mounted twice, so each mount creates its own. */
function mount(ctx: Context, slices: readonly Slice[], prefix: string, members: readonly RouteMember[]) {
  const router = new Elysia({ prefix })
  for (const member of members) for (const one of slices) if (one[member]) router.use(one[member](ctx))
  return router
}
