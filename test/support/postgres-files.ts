import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Files of the HTTP suite and the stories that PostgreSQL can hardly change: every statement that they run, another file
 * of the list below `postgresFiles` runs there too, and they are not about locks, races or order. On a local file they
 * always run; on PostgreSQL only with SVC_TEST_ALL=1, as in CI. A new file runs on PostgreSQL unless it is named here;
 * `bun test/support/sql-coverage.ts` tells whether the rule holds.
 */
export const SAME_ON_POSTGRES: readonly string[] = [
  'test/http/actions-refund-payment.test.ts',
  'test/http/billing-portal.test.ts',
  'test/http/config-stream-guards.test.ts',
  'test/http/contract.test.ts',
  'test/http/explain.test.ts',
  'test/http/kernel-body.test.ts',
  'test/http/kernel-identity.test.ts',
  'test/http/kernel-limits.test.ts',
  'test/http/kernel-log.test.ts',
  'test/http/kernel-scalars.test.ts',
  'test/http/kernel-web.test.ts',
  'test/http/notifications-table.test.ts',
  'test/http/notifications.test.ts',
  'test/http/ofrep-live.test.ts',
  'test/http/ofrep-providers.test.ts',
  'test/http/ofrep-refusals.test.ts',
  'test/http/ofrep.test.ts',
  'test/http/openapi.test.ts',
  'test/http/payment-owner.test.ts',
  'test/http/payment-refresh.test.ts',
  'test/http/payment-table.test.ts',
  'test/http/receipts-life.test.ts',
  'test/http/reconcile-android.test.ts',
  'test/http/reconcile-ios.test.ts',
  'test/http/reconcile-payment.test.ts',
  'test/http/simulation-borders.test.ts',
  'test/http/simulation-words.test.ts',
  'test/http/store-events-fetch-payment.test.ts',
  'test/http/store-events-fetch.test.ts',
  'test/http/store-events-test.test.ts',
  'test/stories/android-purchases.test.ts',
  'test/stories/android-renewals.test.ts',
  'test/stories/family.test.ts',
  'test/stories/instants.test.ts',
  'test/stories/ios-money.test.ts',
  'test/stories/ios-renewals.test.ts',
  'test/stories/late.test.ts',
  'test/stories/provider-money.test.ts',
  'test/stories/provider-people.test.ts',
]

const FOLDERS = ['test/http', 'test/stories']
const ROOT = join(import.meta.dir, '../..')

/** Every test file that can run on PostgreSQL, by its path from the root. */
export const allPostgresFiles = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  ).sort()

/** The files that run on PostgreSQL. */
export const postgresFiles = (isAll: boolean): string[] =>
  allPostgresFiles().filter((file) => isAll || !SAME_ON_POSTGRES.includes(file))

if (import.meta.main) process.stdout.write(`${postgresFiles(process.env.SVC_TEST_ALL === '1').join('\n')}\n`)
