import type { ProductFacts } from '../../intake/missing-products/plan'
import type { ZipEntry } from './files/zip'
import type { RowFault } from './row'

export type ImportKind = 'HISTORY' | 'ANDROID_TOKEN_ENRICHMENT'

/** Wire 4.3. */
export type ImportStatus =
  | 'PENDING_MAPPING'
  | 'DRY_RUN_RUNNING'
  | 'DRY_RUN_COMPLETE'
  | 'RUNNING'
  | 'VERIFYING'
  | 'COMPLETED'
  | 'VERIFICATION_INCOMPLETE'
  | 'FAILED'
  | 'CANCELLED'
  /** It is being undone; `CANCELLED` afterwards. */
  | 'UNDOING'

export interface ImportOptions {
  skipSandbox: boolean
  importAnchorless: boolean
  enrichUngroupedChains: boolean
}

export interface ImportMapping {
  /** Canonical column → header of the file. */
  columns: Record<string, string>
  /** For a canonical column (`store`): value of the file, in lower case → canonical value. */
  valueMap: Record<string, Record<string, string>>
}

export interface ImportCounters {
  rows: number
  valid: number
  invalid: number
  /** Rows that can be read and about which there is something to know. Jobs of earlier releases have none. */
  warnings?: number
  subscribersNew: number
  purchasesNew: number
  purchasesUpdated: number
  skipped: number
  verified: number
  unverifiable: number
  remaining: number
}

/** `JSON_LINES`: one object a line. */
export type FileForm = 'CSV' | 'JSON_LINES'

/** A file of the job with its rows. Those of one zip file lie in the same blob. */
export interface ImportFile {
  key: string
  name: string
  /** Of the blob. */
  bytes: number
  sha256: string
  /** How the CSV lies in the blob; absent = as it is. */
  packing?: 'GZIP' | ZipEntry
  /** Absent = CSV. */
  form?: FileForm
}

/** How far the rows are written: everything before it is committed. Null before the first batch. */
export interface ImportCheckpoint {
  /** Index of the file. */
  file: number
  /** Records of that file that are done, without the header. */
  records: number
  /** Where the reader may continue: offset in the unpacked text, and the physical line there. */
  offset: number
  line: number
}

/** A product of the file that the catalogue does not have. */
export interface UnknownProduct {
  store: string
  identifier: string
  rows: number
}

/** Of one currency. Amounts in millionths of its main unit. */
export interface ForecastMoney {
  currency: string
  charged: { count: number; amountMicros: number }
  refunded: { count: number; amountMicros: number }
}

/**
 * What writing the rows would change, as far as the database knew it when they were tried. The stores, which are asked
 * after the writing, may still say more.
 */
export interface ImportForecast {
  /** The file has more than two million people, purchases or charges: the numbers are at least these. */
  isPartial: boolean
  people: { all: number; new: number }
  purchases: {
    new: number
    changed: number
    /** Known already, as the file has them. */
    unchanged: number
    /** Of all of these. */
    withoutProduct: number
  }
  /** Rows without any date: only the store knows the product. */
  toldByStore: number
  /** New charges and refunds in production. */
  money: ForecastMoney[]
  /** People who would have the access now, and do not yet. */
  access: { identifier: string; people: number }[]
}

/** What a dry run or a commit has found; at most the first 1000 faults. */
export interface ImportFindings {
  errors: RowFault[]
  unknownProducts: UnknownProduct[]
  /** Absent before the end of a dry run, and for a second pass. */
  forecast?: ImportForecast
  /** Absent before the end of a dry run; at most the first 1000. */
  products?: ProductFacts[]
  /** Rows of all files. Absent before the end of a dry run. */
  fileRows?: number
  /** Absent before the first verification. */
  verification?: VerificationFindings
  /** Whether members got the notice that the verification is not complete: once, however often it continues. */
  isToldIncomplete?: boolean
  /** Absent until the import is undone. */
  undone?: UndoResult
}

/** What the rows of one batch have changed. */
export interface BatchResult {
  subscribersNew: number
  purchasesNew: number
  purchasesUpdated: number
  /** Rows that could be read and made nothing, because their content was known or not wanted. */
  skipped: number
  unknownProducts: readonly UnknownProduct[]
  /** Rows that could be read and still cannot be used. */
  faults?: readonly RowFault[]
}

/** The undone rows. Rows that others have added since stay. */
export interface UndoResult {
  /** Purchases that only the import had brought. */
  purchasesRemoved: number
  /** Purchases that continue without the statements of the import. */
  purchasesChanged: number
  subscribersRemoved: number
}

/** Why some of the proofs are not confirmed, as the end of a sentence, and how many. */
export interface UnverifiedReason {
  reason: string
  count: number
}

/** What the stores said about the proofs of a job. */
export interface VerificationFindings {
  /** Verified purchases that belong to another person; they keep their owner. */
  conflicts: number
  unrecognised: number
  /** Why proofs are not verified. Jobs of earlier releases have none. */
  reasons?: UnverifiedReason[]
  /** The first 100 proofs about which there is something to say. */
  notes: { subscriberId: string; store: string; message: string }[]
}
