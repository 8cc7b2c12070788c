import type { RawValue } from '../../base/db/dump'
import { isBucket } from '../../base/lib/bucket-address'
import { androidAcknowledge } from '../../intake/android/acknowledge'
import { syncJob } from '../../intake/reconcile/sync'
import { refundAnswer } from '../../intake/refund-shield/jobs'
import { replayJob } from '../../outward/delivery-log/replay-page'
import { DEFAULT_RATE, MAX_RATE, MIN_RATE } from '../compare/model'

/** Reads a column of a row. */
export type ReadRow = (column: string) => RawValue

/** The columns that hold on the server where they were set and nowhere else, with what they are elsewhere. */
export type Untrusted = (row: ReadRow) => Readonly<Record<string, RawValue>>

/** Jobs that nothing would enqueue again, and what of their project's the payload names. */
const JOBS = [
  { job: androidAcknowledge, isTheirs: `payload ->> 'projectId' = $` },
  { job: syncJob, isTheirs: `payload ->> 'projectId' = $` },
  { job: refundAnswer, isTheirs: rowNamedBy('responseId', 'refund_shield_responses') },
  { job: replayJob, isTheirs: rowNamedBy('replayId', 'delivery_replays') },
]

function rowNamedBy(member: string, table: string): string {
  return `exists (select 1 from ${table} p where p.id = jobs.payload ->> '${member}' and p.project_id = $)`
}

export const jobsOfProject = `state <> 'DEAD' and (${JOBS.map(({ job, isTheirs }) => `(name = '${job.name}' and ${isTheirs})`).join(' or ')})`

export function jobFault(row: ReadRow): string | null {
  const found = JOBS.find(({ job }) => job.name === row('name'))
  if (!found) return 'is a job that does not move'
  try {
    found.job.check(JSON.parse(String(row('payload'))))
    return null
  } catch {
    return 'is a job with a wrong payload'
  }
}

/** The command line of a server may name any address, and folders of that server. */
export const NO_FOLDER: Untrusted = (row) =>
  isBucket(String(row('target'))) ? { is_trusted: 0 } : { is_trusted: 0, is_enabled: 0 }

/** Only the command line may ask without a limit. */
export const NO_TRUSTED_URL: Untrusted = (row) => {
  const rate = Number(row('rate'))
  return { is_trusted: 0, rate: rate >= MIN_RATE && rate <= MAX_RATE ? rate : DEFAULT_RATE }
}

/** A server believes only the DNS that it has looked up itself, and only with a token that it has made. */
export const UNPROVED_DOMAIN: Untrusted = () => ({
  ...{ status: 'PENDING', failure: null, token: '', cycle_at: null, verified_at: null, missing_since: null },
  ...{ checked_at: null, next_check_at: 0 },
  ...{ seen_texts: null, address: null, certificate: null, wallets: null },
})

const OTHER_FILE = 'names a stored file that is not its own'

export const filesFault = (row: ReadRow): string | null => {
  const files = JSON.parse(String(row('files'))) as { key?: unknown }[] // A slice wrote it, or the file is refused.
  return files.every(({ key }) => String(key).startsWith(`imports/${row('id')}/`)) ? null : OTHER_FILE
}

export const artefactFault = (row: ReadRow): string | null => {
  const key = row('artefact_key')
  return key === null || key === `dsar/${row('id')}.zip` ? null : OTHER_FILE
}
