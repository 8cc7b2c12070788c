import { Elysia } from 'elysia'
import type { Context } from '../context'
import { VERSION } from '../version'

type CheckResult = 'ok' | 'degraded' | 'failing'

/**
 * Checks whether a part of the server works: `failing` when it throws, `degraded` when it returns that, else `ok`. A part
 * that this server does not have returns `absent` and is not shown.
 */
type Probe = (ctx: Context) => Promise<unknown> | 'degraded'

declare module '../state' {
  interface SliceHooks {
    /** By name, the parts that must work before requests can be answered. */
    readiness: Readonly<Record<string, Probe>>
  }
}

/** Liveness checks nothing. Readiness checks every part that a request needs (wire 7.18). */
export const healthRoutes = (ctx: Context) =>
  new Elysia()
    .get('/health', () => ({ status: 'ok', version: VERSION }), { detail: { hide: true } })
    .get(
      '/health/ready',
      async ({ set }) => {
        const checks = await runChecks(ctx)
        const results = Object.values(checks)
        if (results.includes('failing')) set.status = 503
        return { status: overall(results), checks }
      },
      { detail: { hide: true } },
    )

const overall = (results: readonly CheckResult[]): CheckResult => {
  if (results.includes('failing')) return 'failing'
  return results.includes('degraded') ? 'degraded' : 'ok'
}

async function runChecks(ctx: Context): Promise<Record<string, CheckResult>> {
  const probes = (ctx.hooks.readiness ?? []).flatMap((checks) => Object.entries(checks))
  const found = await Promise.all(probes.map(async ([name, probe]) => [name, await check(ctx, probe)] as const))
  return Object.fromEntries(found.flatMap(([name, result]) => (result === 'absent' ? [] : [[name, result]])))
}

async function check(ctx: Context, probe: Probe): Promise<CheckResult | 'absent'> {
  try {
    const found = await probe(ctx)
    return found === 'degraded' || found === 'absent' ? found : 'ok'
  } catch {
    return 'failing' // The error itself is in the log of the requests that fail.
  }
}
