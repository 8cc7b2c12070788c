import type { Context } from '../context'
import { pathOf } from './request'

/** Serves Prometheus text at `/metrics`, on the loopback interface only. Null when the port is 0. */
export function startInternalListener(ctx: Context): ReturnType<typeof Bun.serve> | null {
  if (ctx.config.internalPort === 0) return null
  return Bun.serve({
    hostname: '127.0.0.1',
    port: ctx.config.internalPort,
    development: false,
    fetch: (request) => answer(ctx, request),
  })
}

async function answer(ctx: Context, request: Request): Promise<Response> {
  if (pathOf(request.url) !== '/metrics') return new Response('Only /metrics is here\n', { status: 404 })
  return new Response(await ctx.metrics.text(), { headers: { 'content-type': ctx.metrics.registry.contentType } })
}
