import { DAY } from '../../base/lib/clock'

/** Services that can be asked, by the name on the command line. */
export const VENDORS = ['revenuecat'] as const

export type Vendor = (typeof VENDORS)[number]

export const RUN_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const

export type CompareStatus = (typeof RUN_STATUSES)[number]

/**
 * How far a run has come: everybody up to `after` is done. `LATER`: those who had to be read a second time. `LISTED`: those
 * of a list who are not here.
 */
export interface CompareProgress {
  phase: 'PEOPLE' | 'LATER' | 'LISTED'
  after: string
}

export const NO_PROGRESS: CompareProgress = { phase: 'PEOPLE', after: '' }

export interface CompareCounters {
  /** People to ask about. */
  people: number
  done: number
  equal: number
  /** People with at least one difference. */
  differing: number
  /** Of the people to ask about, how many were not here and came from a list. */
  listed: number
  /** People who are left out: their only ids are refused by the vendor, or the vendor cannot know any of them. */
  refused: number
  withoutId: number
  /** Of those asked, how many the vendor had not known. */
  unknownThere: number
  /** Read a second time at the end. */
  later: number
  /** Could not be judged at the second reading either, because an end was too close. */
  undecided: number
  /** Their answer could not be read. */
  faults: number
  /** Accesses of theirs that are given for hours only. */
  temporary: number
  /** Purchases at stores that we do not have, by the vendor's name of the store. */
  otherStores: Record<string, number>
}

export const NO_COUNTERS: CompareCounters = {
  ...{ people: 0, done: 0, equal: 0, differing: 0, refused: 0, withoutId: 0, unknownThere: 0, listed: 0 },
  ...{ later: 0, undecided: 0, faults: 0, temporary: 0, otherStores: {} },
}

/** Requests per second; 0 = no limit. */
export const DEFAULT_RATE = 1
/** Requests per second, where there is a limit. */
export const MIN_RATE = 0.1
export const MAX_RATE = 1000

export const MAX_SAMPLE = 1_000_000

/** Runs and their findings are kept for this long. */
export const RUNS_KEPT_MS = 90 * DAY

/** A run that was started longer ago is not continued: too much has changed since. */
export const CONTINUE_WITHIN_MS = 7 * DAY
