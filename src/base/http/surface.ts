import type { Hooks } from '../state'

/** The browser mount: below this prefix and a public key, the same routes are served to web pages. */
export const WEB_PREFIX = '/v1/web/'

const MOUNT = /^\/v1\/web\/[^/]+/

/** Paths of another protocol. They are served at the root and also directly below the browser mount. */
interface RootPaths {
  /** The prefix of these paths, with a slash at the end. */
  prefix: string
  /** Headers that a web page may send to these paths, in addition to those allowed on all paths. */
  allowedHeaders: readonly string[]
}

declare module '../state' {
  interface SliceHooks {
    /** Paths without the rate limit per IP address. A path that ends with a slash includes all paths below it. */
    unlimitedPaths: readonly string[]
    /** Paths whose POST takes a file, which is not held in memory; so it may be larger than other bodies. */
    filePaths: readonly RegExp[]
    rootPaths: RootPaths
    /** Headers that web pages may send, and headers of an answer that they may read. */
    browserHeaders: {
      readonly allowed?: readonly string[]
      readonly exposed?: readonly string[]
    }
  }
}

/** What the slices declare about paths and headers. It is prepared once, because every request uses it. */
export interface Surface {
  isUnlimited: (path: string) => boolean
  takesFile: (path: string) => boolean
  exposedHeaders: string
  /** The headers that a web page may send to a path below the browser mount. */
  allowedHeaders: (path: string) => string
  /** The headers that a web page may send to a path for visitors. */
  publicHeaders: string
  /** The path without the browser mount in front. */
  withoutMount: (path: string) => string
}

const ALLOWED = ['Content-Type', 'Authorization', 'Idempotency-Key', 'If-None-Match', 'traceparent']
const EXPOSED = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotent-Replay',
  'ETag',
]

export function createSurface(hooks: Hooks): Surface {
  const headers = hooks.browserHeaders ?? []
  const allowed = [...ALLOWED, ...headers.flatMap((one) => one.allowed ?? [])].join(', ')
  const exposed = [...EXPOSED, ...headers.flatMap((one) => one.exposed ?? [])].join(', ')
  const roots = (hooks.rootPaths ?? []).map((root) => ({
    prefix: root.prefix,
    allowed: [allowed, ...root.allowedHeaders].join(', '),
  }))
  const rootOf = (path: string) => {
    const rest = path.replace(MOUNT, '')
    return roots.find(({ prefix }) => rest.startsWith(prefix))
  }
  return {
    isUnlimited: pathTest(hooks.unlimitedPaths ?? []),
    takesFile: (path) => (hooks.filePaths ?? []).some((pattern) => pattern.test(path)),
    exposedHeaders: exposed,
    publicHeaders: allowed,
    allowedHeaders: (path) => rootOf(path)?.allowed ?? allowed,
    withoutMount: (path) => (path.startsWith(WEB_PREFIX) ? path.replace(MOUNT, rootOf(path) ? '' : '/v1') : path),
  }
}

function pathTest(paths: readonly string[]): (path: string) => boolean {
  const exact = new Set(paths.filter((path) => !path.endsWith('/')))
  const prefixes = paths.filter((path) => path.endsWith('/'))
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
}

/** The route template of a path whose only parameter is the key of its browser mount. */
export const routeOf = (path: string): string =>
  path.startsWith(WEB_PREFIX) ? path.replace(MOUNT, '/v1/web/:publicKey') : path
