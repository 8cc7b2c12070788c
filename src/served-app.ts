import { createApp, routesWithin } from './app'
import type { Context } from './base/context'
import { pathOf } from './base/http/request'
import type { Slice } from './base/slice'
import { SLICES } from './slices'

/**
 * What is mounted at its first call; the first that fits a path. That is most of the routes, and a server answers devices
 * long before somebody opens the console: it starts sooner and needs less memory. Whoever only signs in mounts none of
 * the routes of a project, and they are the most.
 */
const LATER = [
  /^\/v1\/web(\/|$)/,
  /^\/api\/auth(\/|$)/,
  /^\/dashboard\/projects\/./,
  /^\/dashboard(\/|$)/,
  /^\/admin(\/|$)/,
]

const laterOf = (path: string): RegExp | undefined => LATER.find((paths) => paths.test(path))

type App = ReturnType<typeof createApp>

/** The application of a server. */
export function createServedApp(ctx: Context, slices: readonly Slice[] = SLICES): App {
  const later = LATER.map((paths) => {
    let mounted: App | undefined
    const mount = (): App => {
      mounted ??= createApp(ctx, slices, (prefix) => laterOf(prefix) === paths)
      mounted.server = app.server
      return mounted
    }
    return { paths, mount }
  })
  const routesLater = () => later.flatMap(({ mount }) => mount().routes)
  const app = createApp(ctx, slices, (prefix) => !laterOf(prefix), {
    fetchOf: ({ url }) =>
      isLater(url) ? later.find(({ paths }) => paths.test(pathOf(url)))?.mount().fetch : undefined,
    routes: routesLater,
  })
  ctx.state.application.current = {
    answer: async (request) => app.fetch(request),
    routes: () => [...app.routes, ...routesLater()],
    within: (own, name) => routesWithin(own, name, slices),
  }
  return app
}

const STARTS = ['/a', '/d', '/v1/web']

/** Asked of every call, so only a few letters are compared. */
function isLater(url: string): boolean {
  const path = url.indexOf('/', url.indexOf('://') + 3)
  return STARTS.some((start) => url.startsWith(start, path))
}
