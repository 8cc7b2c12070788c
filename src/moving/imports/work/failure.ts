import { BlobsUnavailable } from '../../../base/blobs/blobs'
import { reasonText } from '../../../core/reason/reasons'
import { ImportUnreadable } from '../files/faults'
import type { ImportJobRow } from '../queries'

/** Whether the file or the storage has ended an import, and no error of the server. */
export const isExpected = (error: unknown): error is ImportUnreadable | BlobsUnavailable =>
  error instanceof ImportUnreadable || error instanceof BlobsUnavailable

/** Why an import has failed, in words for the person who started it. */
export function failureOf(error: unknown, { status }: Pick<ImportJobRow, 'status'>): string {
  if (error instanceof ImportUnreadable) return error.message
  if (error instanceof BlobsUnavailable) return reasonText('IMPORT_STORAGE_AWAY', { words: error.message })
  return status === 'UNDOING' ? reasonText('IMPORT_UNDO_FAILED') : reasonText('IMPORT_FAILED')
}
