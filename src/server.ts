import { startBackground } from './background'
import type { RunningServer } from './base/cli/command'
import type { Context } from './base/context'
import { migrate } from './base/db/migrate'
import { releaseDeadClaims } from './base/http/idempotency'
import { startInternalListener } from './base/http/internal'
import { addressOf } from './base/http/own-origin'
import { endLeasesOfBefore } from './base/jobs/run'
import { monotonicMs } from './base/lib/clock'
import type { Slice } from './base/slice'
import type { Closable } from './base/state'
import { eraseKnown } from './moving/erasure/again'
import { releaseTurns } from './operators/assistant/threads/release'
import { startPublicListeners } from './operators/tls/serve'
import { createServedApp } from './served-app'
import { SLICES } from './slices'

const DRAIN_MS = 10_000
const DRAIN_PAUSE_MS = 20

/** Starts the whole server of a context: migrates, then listens. */
export async function startServer(ctx: Context, slices: readonly Slice[] = SLICES): Promise<RunningServer> {
  await migrate(ctx.storage)
  const isAlone = ctx.storage.driver === 'file'
  await releaseDeadClaims(ctx, isAlone).catch(throwCause)
  if (isAlone) await endLeasesOfBefore(ctx)
  await eraseKnown(ctx)
  await releaseTurns(ctx)
  const app = createServedApp(ctx, slices).listen({ hostname: ctx.config.host, port: ctx.config.port })
  const internal = await orStop(app, () => startInternalListener(ctx))
  const secure = await orStop(app, () => startPublicListeners(ctx, app.fetch)).catch(async (error) => {
    await internal?.stop(true)
    throw error
  })
  const background = startBackground(ctx, slices)
  const url = addressOf(ctx.config.host, app.server?.port)
  ctx.state.listening.url = url
  return {
    url,
    async stop() {
      for (const part of Object.values(ctx.state)) (part as Closable | null)?.drain?.()
      void app.server?.stop()
      secure?.close()
      const pending = await untilIdle(() => (app.server?.pendingRequests ?? 0) + (secure?.pendingRequests ?? 0))
      if (pending > 0) ctx.log.warn('stopped before all requests ended', { pending })
      await background.stop()
      await internal?.stop(true)
      await secure?.stop()
      await app.server?.stop(true)
      await ctx.close()
    },
  }
}

/** Does the next step of a start. When it fails, the port that was opened before is closed again. */
async function orStop<Result>(
  app: ReturnType<typeof createServedApp>,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    await app.server?.stop(true)
    throw error
  }
}

/**
 * Waits for running requests and returns how many have not ended. Bun's own `stop` is not used for this, because it
 * also waits for clients that never send the rest of their request.
 */
async function untilIdle(countPending: () => number): Promise<number> {
  const until = monotonicMs() + DRAIN_MS
  while (countPending() > 0 && monotonicMs() < until) await Bun.sleep(DRAIN_PAUSE_MS)
  return countPending()
}

/** Throws the database's own error: the person who starts the server needs it, not the sentence for API callers. */
function throwCause(error: unknown): never {
  let link = error
  while (link instanceof Error && link.cause !== undefined) link = link.cause
  throw link
}
