import type { Config } from '../config'
import type { Blobs } from './blobs'
import { bucketBlobs } from './bucket-blobs'
import { folderBlobs } from './folder-blobs'

export const openBlobs = ({ storage }: Pick<Config, 'storage'>): Blobs =>
  storage.kind === 'folder' ? folderBlobs(storage.path) : bucketBlobs(storage)
