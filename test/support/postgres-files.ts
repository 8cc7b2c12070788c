import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Files of the HTTP suite and the stories that run on PostgreSQL for what they are about, whatever their statements are:
 * its locks, races between writers, and the order in which it returns rows.
 */
export const FOR_POSTGRES: readonly [file: string, why: string][] = [
  ['test/http/accounts-setup.test.ts', 'one of several first accounts at once wins'],
  ['test/http/android-order-refunds.test.ts', 'refunds of one order that two fetches find at once'],
  ['test/http/android-order.test.ts', 'any order of purchases of Google Play ends the same'],
  ['test/http/assets.test.ts', 'two uploads at once into the last room of a project'],
  ['test/http/audit-proof.test.ts', 'erasures at once, and the SQL of a migration'],
  ['test/http/background.test.ts', 'jobs and loops beside the server'],
  ['test/http/broken-rows.test.ts', 'rows that PostgreSQL stores otherwise'],
  ['test/http/currencies.test.ts', 'bookings at once'],
  ['test/http/custom-domains.test.ts', 'one of two projects that prove a name at once gets it'],
  ['test/http/delivery-stop.test.ts', 'a delivery that is stopped while it waits'],
  ['test/http/doctor.test.ts', 'what the doctor says of the database'],
  ['test/http/feed.test.ts', 'pages of events while others write'],
  ['test/http/figures-rolls.test.ts', 'roll-ups behind the watermark, by two processes'],
  ['test/http/fonts.test.ts', 'faces that are replaced and counted under the lock of a project'],
  ['test/http/identify-races.test.ts', 'merges at once'],
  ['test/http/import-races.test.ts', 'imports beside receipts'],
  ['test/http/invitation-links.test.ts', 'guests and owners of one address at once'],
  ['test/http/ios-identity.test.ts', 'copies of one purchase from two devices at once'],
  ['test/http/jobs.test.ts', 'leases of jobs by several workers'],
  ['test/http/kernel-idempotency.test.ts', 'one of several equal requests is carried out'],
  ['test/http/laws-ledger.test.ts', 'balances under random bookings at once'],
  ['test/http/laws-payment-lines.test.ts', 'lives with several lines, told in any order and at once'],
  ['test/http/laws-relink.test.ts', 'lives whose products come late'],
  ['test/http/notifications-order.test.ts', 'any order of notifications ends the same'],
  ['test/http/outward-races.test.ts', 'deliveries by several workers'],
  ['test/http/overview-processes.test.ts', 'news of other processes'],
  ['test/http/payment-lines.test.ts', 'lines of one purchase, written one after the other under one lock'],
  ['test/http/payment-order.test.ts', 'any order of events of the payment provider ends the same'],
  ['test/http/receipts-order.test.ts', 'any order of receipts ends the same'],
  ['test/http/receipts-races.test.ts', 'one purchase from several devices at once'],
  ['test/http/relink.test.ts', 'purchases that are linked by several runs at once'],
  ['test/http/repair-charges.test.ts', 'charges that two runs join at once'],
  ['test/http/repair.test.ts', 'rows that two runs join at once'],
  ['test/http/sweep.test.ts', 'expiries while receipts arrive'],
  ['test/http/tls-rows.test.ts', 'the lease of the issuer, and alerts by two processes'],
  ['test/http/transfer.test.ts', 'transfers at once'],
  ['test/http/unlisted-sales.test.ts', 'unlisted sales that events and the job link at once'],
  ['test/http/usage-processes.test.ts', 'meters of eight processes while a project is transferred and one deleted'],
  ['test/http/usage.test.ts', 'meters that several processes count at once'],
  ['test/stories/random-lives.test.ts', 'random lives in random order'],
]

/** Files whose tests depend on the tests before them, so that one of them runs only with all others. */
export const DEPENDENT_TESTS: readonly string[] = [
  'test/http/accounts-command.test.ts',
  'test/http/accounts-own.test.ts',
  'test/http/integration-providers.test.ts',
  'test/http/operator-audit.test.ts',
  'test/http/people-actions.test.ts',
  'test/http/project-file-order.test.ts',
  'test/http/targeting-audiences.test.ts',
  'test/stories/moving-in.test.ts',
  'test/stories/operators.test.ts',
]

/** Tests that return at once on PostgreSQL, so that their statements do not run there. */
export const SQLITE_TESTS: readonly [name: string, why: string][] = [
  ['the rare ones are found by their status, and all others by their project', 'asks SQLite for its query plans'],
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
