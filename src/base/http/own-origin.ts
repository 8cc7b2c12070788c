import type { Context } from '../context'

/** The address of a listening server, without a path. */
export const addressOf = (host: string, port: number | undefined): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * The start of links in mails. It is never taken from a request, because a caller can send any Host header.
 */
export const linkBase = ({ config, state }: Pick<Context, 'config' | 'state'>): string =>
  config.publicBaseUrl ?? reachable(state.listening.url ?? addressOf(config.host, config.port))

/** All addresses of a machine, as a server that listens on them has it, are no address to open. */
const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//127.0.0.1')

type Configured = Pick<Context, 'config'>

/** Where the dashboard is served during work on it, by a development server of its own. */
const DEVELOPMENT_ORIGINS = [5173, 5174, 5175].map((port) => `http://localhost:${port}`)

/** The origin at which this server is reached. */
export const ownOrigin = ({ config }: Configured, { url }: Request): string =>
  new URL(config.publicBaseUrl ?? url).origin

/** Whether pages of this origin are the dashboard (wire 1.10). */
export const isDashboardOrigin = (ctx: Configured, request: Request, origin: string | null): boolean =>
  origin !== null &&
  (origin === ownOrigin(ctx, request) || (ctx.config.mode === 'development' && DEVELOPMENT_ORIGINS.includes(origin)))

/**
 * Whether a page of another host has sent a form. Browsers say so, whatever they do with cookies. `Origin: null` is that
 * of a sandbox, and in older browsers that of a page of ours whose referrer policy hides its address (`isHidden`).
 */
export function isForeignForm(ctx: Configured, request: Request, { isHidden = false } = {}): boolean {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null || site === 'same-origin') return false
  if (origin === 'null') return !isHidden || site !== null
  const hosts = [ownOrigin(ctx, request), request.url].map((url) => new URL(url).host)
  return !URL.canParse(origin) || !hosts.includes(new URL(origin).host)
}
