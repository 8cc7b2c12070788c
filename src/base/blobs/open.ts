import type { Config } from '../config'
import { bucketBlobs } from './bucket-blobs'
import { folderBlobs } from './folder-blobs'
import { noBlobs } from './no-blobs'
import type { BlobPlace } from './place'

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
