import type { Context } from '../../base/context'
import type { AppError } from '../../base/errors'
import { DAY } from '../../base/lib/clock'
import { reasonText } from '../../core/reason/reasons'
import { isHeld, ownerName } from '../../insight/data-export/owner'
import { type Actor, type AuditEntry, recordAudit } from '../../projects/audit/audit'
import { conflict } from '../../projects/project/edit'
import { drawPeople } from './draw'
import { CONTINUE_WITHIN_MS, NO_COUNTERS, NO_PROGRESS, type Vendor } from './model'
import { insertRun, listOpenRuns, pageRuns, type RunRow, updateRun } from './queries'

export interface RunOrder {
  projectId: string
  actor: Actor
  vendor: Vendor
  url: string | null
  isTrusted: boolean
  /** For a run that the server works on; null for the command line. */
  sealedKey: string | null
  sample: number | null
  rate: number
  skipSandbox: boolean
  isScheduled: boolean
  /** How many people of a list are asked about too. */
  listed?: number
}

/**
 * Writes a new run. 409 `CONFLICT` while another process works on one of this project. One that was interrupted is
 * given up. A run of the command line belongs to this process; one of the server has no owner until the queue hands it
 * out.
 */
export async function beginRun(ctx: Context, order: RunOrder): Promise<RunRow> {
  await refuseBusy(ctx, order.projectId)
  const { people, refused, withoutId, threshold, lastId } = await drawPeople(ctx, order.projectId, order.sample)
  const {
    projectId,
    actor,
    vendor,
    url,
    isTrusted,
    sealedKey,
    sample,
    rate,
    skipSandbox,
    isScheduled,
    listed = 0,
  } = order
  return ctx.write(async (tx) => {
    await tx.lock(`compare:${projectId}`)
    const now = tx.clock.now()
    for (const open of await listOpenRuns(tx, projectId)) {
      if (isAtWork(open, now)) throw busy()
      await updateRun(tx, open.id, { ...GIVEN_UP, finishedAt: now })
    }
    const run: RunRow = {
      id: tx.ids.next('cmp'),
      ...{ projectId, vendor, url, isTrusted, sealedKey, sample, threshold, rate, skipSandbox, isScheduled, lastId },
      status: 'RUNNING',
      ...{ progress: NO_PROGRESS, kinds: {}, error: null },
      counters: { ...NO_COUNTERS, people: people + listed, listed, refused, withoutId },
      ...{ owner: sealedKey === null ? ownerName(ctx) : null, seenAt: now, startedAt: now, finishedAt: null },
    }
    await insertRun(tx, run)
    await recordAudit(tx, projectId, actor, [runEntry('start', null, run)])
    return run
  })
}

const GIVEN_UP = {
  status: 'CANCELLED',
  error: reasonText('COMPARE_REPLACED'),
  owner: null,
  sealedKey: null,
} as const

export const CANCELLED = {
  ...{ status: 'CANCELLED', error: reasonText('COMPARE_CANCELLED') },
  ...{ owner: null, sealedKey: null },
} as const

const busy = (): AppError => conflict('A comparison of this project is going on; wait for its end, or cancel it')

/** A run that waits in the queue, or that a process works on. */
const isAtWork = (run: RunRow, now: number): boolean =>
  isHeld(run, now) || (run.sealedKey !== null && now - run.seenAt < QUEUED_MS)

/** The queue has given up a run that no process has worked on for this long. */
const QUEUED_MS = 2 * DAY

async function refuseBusy(ctx: Context, projectId: string): Promise<void> {
  const open = await listOpenRuns(ctx, projectId)
  if (open.some((run) => isAtWork(run, ctx.clock.now()))) throw busy()
}

/** What the audit log keeps of a run. */
export const runEntry = (verb: string, before: RunRow | null, after: RunRow): AuditEntry => ({
  action: `compare.${verb}`,
  target: { type: 'compareRun', id: after.id },
  before: before && { status: before.status },
  after: {
    ...{ vendor: after.vendor, url: after.url, sample: after.sample, rate: after.rate },
    ...{ skipSandbox: after.skipSandbox, isScheduled: after.isScheduled, status: after.status },
  },
})

/**
 * The last run of a project, if it can continue: it was interrupted, or it stopped because of the vendor. This process
 * owns it then. Null when there is none.
 */
export async function continueRun(ctx: Context, projectId: string, rate: number | null): Promise<RunRow | null> {
  return ctx.write(async (tx) => {
    await tx.lock(`compare:${projectId}`)
    const now = tx.clock.now()
    const [open] = await listOpenRuns(tx, projectId)
    if (open && isAtWork(open, now)) throw busy()
    const last = open ?? (await pageRuns(tx, projectId, { limit: 1 }))[0]
    if (!last || !['RUNNING', 'FAILED'].includes(last.status)) return null
    if (now - last.startedAt > CONTINUE_WITHIN_MS) return null
    const taken = {
      status: 'RUNNING',
      ...{ owner: ownerName(ctx), seenAt: now, error: null, finishedAt: null, rate: rate ?? last.rate },
    } as const
    await updateRun(tx, last.id, taken)
    return { ...last, ...taken }
  })
}
