import type { Hooks } from '../state'

/** Where the same routes are served to pages of browsers. */
export const WEB_PREFIX = '/v1/web/'

const MOUNT = /^\/v1\/web\/[^/]+/

/** Paths that stand at the root and, the same, directly below a browser's mount: a protocol of its own. */
interface RootPaths {
  /** How they begin, with the slash at the end. */
  prefix: string
  /** Headers that a page may send there beside those that it may send everywhere. */
  allowedHeaders: readonly string[]
}

declare module '../state' {
  interface SliceHooks {
    /** Where callers are not limited by their address; a path that ends with a slash stands for all below it. */
    unlimitedPaths: readonly string[]
    rootPaths: RootPaths
    /** Headers that pages of browsers may send, and read of an answer. */
    browserHeaders: { readonly allowed?: readonly string[]; readonly exposed?: readonly string[] }
  }
}

/** What slices say of paths and headers, prepared once, because it is asked for every request. */
export interface Surface {
  isUnlimited: (path: string) => boolean
  exposedHeaders: string
  /** What a page may send to a path below its mount. */
  allowedHeaders: (path: string) => string
  /** A path as it is without a browser's mount. */
  withoutMount: (path: string) => string
}

const ALLOWED = ['Content-Type', 'Authorization', 'Idempotency-Key', 'If-None-Match']
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
    exposedHeaders: exposed,
    allowedHeaders: (path) => rootOf(path)?.allowed ?? allowed,
    withoutMount: (path) => (path.startsWith(WEB_PREFIX) ? path.replace(MOUNT, rootOf(path) ? '' : '/v1') : path),
  }
}

function pathTest(paths: readonly string[]): (path: string) => boolean {
  const exact = new Set(paths.filter((path) => !path.endsWith('/')))
  const prefixes = paths.filter((path) => path.endsWith('/'))
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
}

/** The route of a path that names nothing else than the key of its mount. */
export const routeOf = (path: string): string =>
  path.startsWith(WEB_PREFIX) ? path.replace(MOUNT, '/v1/web/:publicKey') : path
