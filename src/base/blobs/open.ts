import type { Config } from '../config'
import { BlobsNotConfigured } from './blobs'
import { bucketBlobs } from './bucket-blobs'
import { folderBlobs } from './folder-blobs'
import { assertBlobKey, type BlobPlace } from './place'

export function openBlobs({ storage }: Pick<Config, 'storage'>): BlobPlace {
  switch (storage.kind) {
    case 'folder':
      return folderBlobs(storage.path)
    case 's3':
      return bucketBlobs(storage)
    case 'none':
      return noBlobs()
  }
}

/** Where nothing is kept. A write is refused before a byte of it is read. */
const noBlobs = (): BlobPlace => ({
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
