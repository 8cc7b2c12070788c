import { BlobsNotConfigured } from './blobs'
import { assertBlobKey, type BlobPlace } from './place'

/** Where nothing is kept. A write is refused before a byte of it is read. */
export const noBlobs = (): BlobPlace => ({
  write: async (key) => {
    assertBlobKey(key)
    throw new BlobsNotConfigured('SVC_STORAGE_URL is off')
  },
  read: async () => null,
  size: async () => null,
  remove: async () => {},
  list: async () => [],
  check: async () => {},
  sweepUnfinished: async () => 0,
})
