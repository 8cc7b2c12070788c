import { createApp } from './app'
import { startBackground } from './background'
import type { Context } from './context'
import { migrate } from './db/migrate'
import { releaseDeadClaims } from './http/idempotency'
import { startInternalListener } from './http/internal'

export interface RunningServer {
  /** `http://HOST:PORT` as it really listens. */
  url: string
  /** Takes no new requests, lets those in flight end (at most 10 s), stops the loops and closes the database. */
  stop(): Promise<void>
}

const DRAIN_MS = 10_000

/** Migrates, then listens: the whole server over a context. */
export async function startServer(ctx: Context): Promise<RunningServer> {
  await migrate(ctx.storage)
  await releaseDeadClaims(ctx, ctx.storage.driver === 'file')
  const app = createApp(ctx).listen({ hostname: ctx.config.host, port: ctx.config.port })
  const internal = startInternalListener(ctx)
  const background = startBackground(ctx)
  return {
    url: `http://${ctx.config.host.includes(':') ? `[${ctx.config.host}]` : ctx.config.host}:${app.server?.port}`,
    async stop() {
      const drained = app.server?.stop() ?? Promise.resolve()
      await Promise.race([drained, Bun.sleep(DRAIN_MS)])
      await background.stop()
      await internal?.stop(true)
      await app.server?.stop(true)
      await ctx.close()
    },
  }
}
