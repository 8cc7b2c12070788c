import type { Io } from '../../../base/cli/command'
import { grouped, timeLeft } from '../../../base/cli/progress'
import { monotonicMs, SECOND } from '../../../base/lib/clock'
import type { ImportView } from '../views'
import type { OnPosition, Position } from './target'

const INTERVAL_MS = 200

/** What a line of progress is about. */
interface Label {
  /** The current step: `Trying history.csv`. */
  doing: string
  /** Rows of the whole import; null = not known yet. */
  rows: number | null
  /** Bytes of the whole import, when its text lies there as it is; null = not known. */
  bytes: number | null
}

/** A line on the terminal with the rows so far, their rate and the time that is left. */
export function watchImport(io: Pick<Io, 'progress'>, label: Label): { on: OnPosition; end(): void } {
  const startedAtMs = monotonicMs()
  let drawnAtMs = startedAtMs
  return {
    on(position) {
      const now = monotonicMs()
      if (now - drawnAtMs < INTERVAL_MS) return
      drawnAtMs = now
      io.progress(renderImport(label, position, now - startedAtMs))
    },
    end: () => io.progress(null),
  }
}

/** `Trying history.csv: 120,000 rows, 40,000 rows/s, 12 s left` */
function renderImport(label: Label, position: Position, elapsedMs: number): string {
  const { rows, verified, unverifiable, remaining } = position.counters
  const asked = verified + unverifiable
  if (remaining > 0 && asked > 0) return `Asking the stores: ${grouped(asked)} of ${grouped(asked + remaining)}`
  const rate = elapsedMs < SECOND ? '' : `, ${grouped(Math.round(rows / (elapsedMs / SECOND)))} rows/s`
  return `${label.doing}: ${grouped(rows)} rows${rate}${timeLeft(shareOf(label, position) ?? 0, elapsedMs)}`
}

function shareOf({ rows, bytes }: Label, { counters, checkpoint }: Position): number | null {
  if (rows !== null && rows > 0) return counters.rows / rows
  return bytes !== null && bytes > 0 && checkpoint?.file === 0 ? checkpoint.offset / bytes : null
}

/** The bytes of a file that is not packed; null for another one. */
export const plainBytes = ({ fileName, bytes }: ImportView): number | null =>
  /\.(gz|gzip|zip)$/i.test(fileName) ? null : bytes
