import { BlobsUnavailable } from '../../../base/blobs/blobs'
import { ImportUnreadable } from '../files/faults'
import type { ImportJobRow } from '../queries'

/** Whether the file or the storage has ended an import, and no error of the server. */
export const isExpected = (error: unknown): error is ImportUnreadable | BlobsUnavailable =>
  error instanceof ImportUnreadable || error instanceof BlobsUnavailable

/** Why an import has failed, in words for the person who began it. */
export function failureOf(error: unknown, { status }: Pick<ImportJobRow, 'status'>): string {
  if (error instanceof ImportUnreadable) return error.message
  if (error instanceof BlobsUnavailable)
    return `The import storage does not work at present (${error.message}). Begin again with a dry run once it does`
  const advice = status === 'UNDOING' ? 'Take it back once more' : 'Begin again with a dry run'
  return `An error of the server ended the import; its log says more. ${advice}`
}
