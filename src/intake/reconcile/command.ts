import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { startLateProgress } from '../../base/cli/progress'
import { table } from '../../base/cli/table'
import { toIsoOrNull } from '../../base/lib/time'
import type { PurchaseRow } from '../../people/purchases/holdings'
import { statusAt } from '../../people/purchases/status'
import { requireProject } from '../../projects/project/lookup'
import type { Store } from '../../stores/observation'
import { type ReconcileReport, reconcile, type StoreRun } from './run'

const options = {
  project: { type: 'string' },
  store: { type: 'string' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const reconcileCommand: Command = {
  name: 'reconcile',
  summary: 'ask the stores about purchases they are silent of',
  help: `
svc reconcile [--project P] [--store ios|android|payment] [--dry-run] [--force]

Asks the stores about every purchase of which there was no word for a day, or that ended without one, and puts right
what differs, as a notification would have done. A running server does this every hour by itself; both may run at once.

Where more than 5 % of 100 or more purchases of a project differ it stops (exit code 1). Then look with --dry-run what
differs. When notifications were lost, go on with --force; when the store seems to be misread, do not, and report it.

  --dry-run    asks and compares, and writes nothing
  --force      goes on however many differ
  --data DIR, --json

Example: svc reconcile --project sleep-app --store ios --dry-run`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const store = toStore(values.store)
    const isDryRun = values['dry-run'] ?? false
    return withContext(io, values, async (ctx) => {
      const projectId = values.project === undefined ? null : (await requireProject(ctx, values.project)).id
      const { onProgress, end } = startLateProgress(io, { label: 'Asking', unit: 'purchases' })
      const order = { projectId, store, isDryRun, isForced: values.force ?? false, onProgress }
      const report = await reconcile(ctx, order).finally(end)
      const result = toResult(report, isDryRun, ctx.clock.now())
      io.out(values.json ? JSON.stringify(result) : describe(result))
      return exitCode(report, io)
    })
  },
}

const STORES = { ios: 'IOS_STORE', android: 'ANDROID_STORE', payment: 'PAYMENT' } as const

function toStore(name: string | undefined): Store | null {
  if (name === undefined) return null
  const known = Object.entries(STORES).find(([short, store]) => short === name || store === name)
  if (!known) throw new UsageError(`--store is ios, android or payment, not "${name}"`)
  return known[1]
}

const toSide = ({ fold, productId }: PurchaseRow, now: number) => ({
  status: statusAt(fold, now).status,
  productId,
  expiresAt: toIsoOrNull(fold.expiresAt),
  autoRenews: fold.autoRenews,
})

type Result = ReturnType<typeof toResult>

function toResult({ storeRuns, listed }: ReconcileReport, dryRun: boolean, now: number) {
  const told = storeRuns.flatMap(({ projectId, store, differences }) =>
    differences.map((difference) => ({ projectId, store, ...difference })),
  )
  const sum = (pick: (storeRun: StoreRun) => number) => storeRuns.reduce((all, storeRun) => all + pick(storeRun), 0)
  return {
    dryRun,
    checked: sum(({ tally }) => tally.checked),
    differing: sum(({ tally }) => tally.drifted) + listed.length,
    unanswered: sum(({ failed }) => failed),
    places: storeRuns.filter(({ mark }) => mark !== null).map(toPlace),
    differences: [...listed, ...told].map(({ projectId, store, purchaseId, before, after }) => ({
      ...{ projectId, store, purchaseId, before: toSide(before, now), after: toSide(after, now) },
    })),
  }
}

const toPlace = ({ projectId, store, environment, tally, failed, passed, stop }: StoreRun) => ({
  projectId,
  store,
  environment,
  checked: tally.checked,
  differing: tally.drifted,
  unanswered: failed,
  skipped: passed,
  stoppedBy: stop,
})

function describe(result: Result): string {
  const { dryRun, checked, differing, places, differences } = result
  const found = dryRun ? `Differing: ${differing}. Nothing was written.` : `Put right: ${differing}.`
  const parts = [`Purchases asked about: ${checked}. ${found}`]
  if (places.length > 0) parts.push(table([PLACE_HEAD, ...places.map(placeLine)]))
  if (differences.length > 0) parts.push(table([DIFFERENCE_HEAD, ...differences.slice(0, SHOWN).map(differenceLine)]))
  if (differences.length > SHOWN) parts.push(`and ${differences.length - SHOWN} more; --json lists them`)
  return parts.join('\n\n')
}

const SHOWN = 50
const PLACE_HEAD = ['project', 'store', 'environment', 'asked', 'differ', 'no answer', 'skipped', 'stopped by']
const DIFFERENCE_HEAD = ['purchase', 'store', 'was', 'until', 'is', 'until']

const placeLine = (place: Result['places'][number]): string[] => [
  place.projectId,
  place.store,
  place.environment,
  ...[place.checked, place.differing, place.unanswered, place.skipped].map(String),
  place.stoppedBy ?? '',
]

const differenceLine = ({ purchaseId, store, before, after }: Result['differences'][number]): string[] => [
  purchaseId,
  store,
  ...[before, after].flatMap(({ status, autoRenews, expiresAt }) => [
    `${status}${autoRenews ? ', renews' : ''}`,
    expiresAt ?? 'for ever',
  ]),
]

/** 1, with a sentence on stderr, when purchases are left about which the store should have been queried. */
function exitCode({ storeRuns }: ReconcileReport, io: Io): number {
  const stops = new Set(storeRuns.map(({ stop }) => stop))
  if (stops.has('BRAKE'))
    io.err('Too many purchases differ, so it stopped; look with --dry-run, then go on with --force')
  if (stops.has('OUTAGE')) io.err('A store gave no usable answers; its purchases stay due, run this again later')
  return stops.has('BRAKE') || stops.has('OUTAGE') ? 1 : 0
}
