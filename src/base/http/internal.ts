import type { Context } from '../context'
import { pathOf } from './request'

/** The internal port could not be opened. The cause is the error of the operating system. */
export class InternalPortError extends Error {}

/**
 * Serves Prometheus text at `/metrics`, on the loopback interface unless the configuration says otherwise. Null when the port is 0. Throws an
 * `InternalPortError`.
 */
export function startInternalListener(ctx: Context): ReturnType<typeof Bun.serve> | null {
  const { internalHost: hostname, internalPort: port } = ctx.config
  if (port === 0) return null
  try {
    return Bun.serve({
      hostname,
      port,
      development: false,
      fetch: (request) => answer(ctx, request),
    })
  } catch (cause) {
    throw new InternalPortError(`the internal port ${port} cannot be opened`, { cause })
  }
}

async function answer(ctx: Context, request: Request): Promise<Response> {
  if (pathOf(request.url) !== '/metrics') return new Response('Only /metrics is here\n', { status: 404 })
  return new Response(await ctx.metrics.text(), { headers: { 'content-type': ctx.metrics.registry.contentType } })
}
