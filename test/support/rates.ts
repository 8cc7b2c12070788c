import { asc } from 'drizzle-orm'
import { registryOf } from '../../src/background'
import type { Context } from '../../src/base/context'
import { claim, runClaimed } from '../../src/base/jobs/run'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { loadRates } from '../../src/projects/exchange-rates/load'
import { SLICES } from '../../src/slices'
import { MONTHLY, type Stage } from './cast'
import type { PublishedRates } from './central-bank'

/** A few days before the stage's present, Friday 2026-11-20. */
export const DAYS: PublishedRates = {
  '2026-11-16': { USD: '1.0800', JPY: '160.00', TRY: '45.1' },
  '2026-11-17': { USD: '1.0810', JPY: '161.00', TRY: '45.2' },
  '2026-11-18': { USD: '1.0852', JPY: '162.03', TRY: '45.3' },
  '2026-11-19': { USD: '1.0870', JPY: '162.50', TRY: '45.4' },
}

/** Loads rates as `svc rates load` does. */
export const loadCsv = (ctx: Context, ...lines: string[]) =>
  loadRates(ctx, CLI_ACTOR, {
    name: 'rates.csv',
    bytes: Buffer.from(['date,currency,usd_per_unit', ...lines, ''].join('\n')),
  })

/** Runs every job that is due, and those that they enqueue, as a server does. A job that fails stays for later. */
export async function runJobs(ctx: Context): Promise<void> {
  const registry = registryOf(SLICES)
  for (let rows = await claim(ctx, registry, 10); rows.length > 0; rows = await claim(ctx, registry, 10))
    for (const row of rows) {
      const job = registry.jobs.get(row.name)
      if (job) await runClaimed(ctx, job, row)
    }
}

/** The money lines of all people, oldest first: kind, amount in its currency, amount in dollars. */
export async function dollars({ ctx }: Stage): Promise<[kind: string, amount: number | null, usd: number | null][]> {
  const { transactions: t } = ctx.tables
  const rows = await ctx.db.select().from(t).orderBy(asc(t.occurredAt), asc(t.revenueKey))
  return rows.map(({ kind, amountMicros, usdMicros }) => [kind, amountMicros, usdMicros])
}

/** A monthly subscription in another currency; the price in thousandths. */
export const inCurrency = (currency: string, price = 9990) => ({ ...MONTHLY, currency, price })
