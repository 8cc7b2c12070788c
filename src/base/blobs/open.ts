import type { Config } from '../config'
import { bucketBlobs } from './bucket-blobs'
import { folderBlobs } from './folder-blobs'
import type { BlobPlace } from './place'

export const openBlobs = ({ storage }: Pick<Config, 'storage'>): BlobPlace =>
  storage.kind === 'folder' ? folderBlobs(storage.path) : bucketBlobs(storage)
