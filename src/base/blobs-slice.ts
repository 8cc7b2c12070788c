import { join } from 'node:path'
import type { Blobs } from './blobs/blobs'
import { folderBlobs } from './blobs/folder-blobs'
import { slice } from './slice'

declare module './state' {
  interface SliceState {
    blobs: Blobs
  }
}

/** Files of the server outside of the database. */
export const blobs = slice({
  name: 'blobs',
  state: { blobs: ({ config }) => folderBlobs(join(config.dataDir, 'blobs')) },
})
