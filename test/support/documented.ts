import type { createApp } from '../../src/app'
import type { Context } from '../../src/base/context'
import { buildOpenApi } from '../../src/docs/api/openapi'
import { isSdkCall } from '../../src/moving/sdk-door/select'

type App = ReturnType<typeof createApp>

interface Documented {
  shape: string
  path: RegExp
  name: string
  statuses: readonly string[]
}

interface Operations {
  [path: string]: Record<string, { responses: object }>
}

/** By method and number of segments, so that few patterns are tried for a call. */
let operations: Map<string, Documented[]> | null = null

/**
 * Throws for an answer whose status the OpenAPI document does not list for its route, so that every call of the suites
 * holds the document to what the server does. Calls of routes outside of the document pass.
 */
export function checkDocumented(
  whole: () => App,
  { hooks }: Context,
  { method, url, headers }: Request,
  status: number,
): void {
  if (isSdkCall(headers, true)) return // Another protocol, whose answers are described elsewhere.
  operations ??= readOperations(whole(), hooks)
  const { pathname } = new URL(url)
  const isWeb = /^\/v1\/web\/[^/]+/.test(pathname)
  if (isWeb && status === 403) return // The document says this once, for the whole mount of browsers.
  const path = pathname.replace(/^\/v1\/web\/[^/]+\/ofrep/, '/ofrep').replace(/^\/v1\/web\/[^/]+/, '/v1')
  const operation = operations.get(shapeOf(method, path))?.find((one) => one.path.test(path))
  if (operation && !operation.statuses.includes(String(status)))
    throw new Error(`${operation.name} answered ${status}, which its OpenAPI description does not list`)
}

const shapeOf = (method: string, path: string): string => `${method} ${path.split('/').length}`

function readOperations(app: App, hooks: Context['hooks']): Map<string, Documented[]> {
  const documents = (['api', 'dashboard'] as const).map((name) => buildOpenApi(app, hooks, name))
  const paths = documents.flatMap((one) => Object.entries((one as unknown as { paths: Operations }).paths))
  const all = paths.flatMap(([path, item]) =>
    Object.entries(item).map(([verb, { responses }]) => ({
      shape: shapeOf(verb.toUpperCase(), path),
      path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]*')}$`),
      name: `${verb.toUpperCase()} ${path}`,
      statuses: Object.keys(responses),
    })),
  )
  all.sort((a, b) => countWildcards(a.name) - countWildcards(b.name)) // The router prefers fixed paths, too.
  return Map.groupBy(all, ({ shape }) => shape)
}

const countWildcards = (path: string): number => path.split('{').length
