import { monotonicMs, SECOND } from '../lib/clock'
import type { Io } from './command'

export interface Progress {
  /** Reports how much of the total is done so far. */
  at(done: number): void
  /** Removes the line. */
  end(): void
}

export interface ProgressOptions {
  /** The current step: `Backing up`. */
  label: string
  total: number
  /** The unit of the count: `rows`. */
  unit: string
  nowMs?: () => number
}

const INTERVAL_MS = 100

/** A line on the terminal, drawn at most ten times a second. Work that takes less than 0.1 s draws nothing. */
export function startProgress(io: Pick<Io, 'progress'>, options: ProgressOptions): Progress {
  const { label, total, unit, nowMs = monotonicMs } = options
  const startedAtMs = nowMs()
  let drawnAtMs = startedAtMs
  return {
    at(done) {
      const now = nowMs()
      if (now - drawnAtMs < INTERVAL_MS) return
      drawnAtMs = now
      io.progress(renderProgress({ label, unit, total, done, elapsedMs: now - startedAtMs }))
    },
    end: () => io.progress(null),
  }
}

/** A line for work whose total is known only once it reports for the first time. */
export function startLateProgress(
  io: Pick<Io, 'progress'>,
  options: Omit<ProgressOptions, 'total'>,
): { onProgress: (done: number, total: number) => void; end: () => void } {
  let progress: Progress | null = null
  return {
    onProgress(done, total) {
      progress ??= startProgress(io, { ...options, total })
      progress.at(done)
    },
    end: () => progress?.end(),
  }
}

interface State {
  label: string
  unit: string
  total: number
  done: number
  elapsedMs: number
}

const WIDTH = 24

/** `Backing up [############............]  50 %  1,500 of 3,000 rows, 4 s left`, to fit in 80 columns. */
export function renderProgress({ label, unit, total, done, elapsedMs }: State): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.floor(share * WIDTH)
  const bar = '#'.repeat(filled) + '.'.repeat(WIDTH - filled)
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `${label} [${bar}] ${percent} %  ${grouped(done)} of ${grouped(total)} ${unit}${timeLeft(share, elapsedMs)}`
}

/** Empty until there is enough to estimate from: what would take days is known too little. */
export function timeLeft(share: number, elapsedMs: number): string {
  if (elapsedMs < SECOND || share <= 0 || share >= 1) return ''
  const seconds = Math.ceil((elapsedMs / share - elapsedMs) / SECOND)
  if (seconds < 120) return `, ${seconds} s left`
  if (seconds < 120 * 60) return `, ${Math.round(seconds / 60)} min left`
  return seconds < 48 * 3600 ? `, ${Math.round(seconds / 3600)} h left` : ''
}

/** `1,234,567` */
export const grouped = (count: number): string => count.toLocaleString('en-US')
