import { Elysia } from 'elysia'
import type { Context } from '../context'
import { migrationStatus } from '../db/migrate'
import { VERSION } from '../version'

type CheckResult = 'ok' | 'degraded' | 'failing'

/** Liveness checks nothing; readiness asks what a request would need (wire 7.18). */
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
  const { jobs } = ctx.tables
  const [database, queue, migrations] = await Promise.all([
    check(() => ctx.storage.ping()),
    check(() => ctx.db.select({ id: jobs.id }).from(jobs).limit(1)),
    check(() => assertMigrated(ctx)),
  ])
  // No exchange rates are loaded by this release, so foreign-currency revenue has no USD value yet.
  return { database, queue, migrations, fx: 'degraded' }
}

async function assertMigrated(ctx: Context): Promise<void> {
  const missing = (await migrationStatus(ctx.storage)).filter(({ isApplied }) => !isApplied)
  if (missing.length > 0) throw new Error(`${missing.length} migrations are not applied`)
}

async function check(probe: () => Promise<unknown>): Promise<CheckResult> {
  try {
    await probe()
    return 'ok'
  } catch {
    return 'failing' // The answer is the finding; the cause shows in the log of the failing requests.
  }
}
