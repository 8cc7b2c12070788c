import { blobExamination } from './blobs/doctor'
import { StorageHealth } from './blobs/health'
import { openBlobs } from './blobs/open'
import type { BlobPlace } from './blobs/place'
import { blobRetention } from './blobs/retention'
import { slice } from './slice'

declare module './state' {
  interface SliceState {
    blobs: BlobPlace
    storageHealth: StorageHealth
  }
}

/** Files of the server outside of the database. */
export const blobs = slice({
  name: 'blobs',
  state: {
    blobs: ({ config }) => openBlobs(config),
    storageHealth: ({ state, clock }) => new StorageHealth(state.blobs, clock),
  },
  readiness: {
    storage: async ({ config, state }) =>
      config.storage.kind === 'folder' ? 'absent' : (await state.storageHealth.isWorking()) ? 'ok' : 'degraded',
  },
  doctor: blobExamination,
  retention: [blobRetention],
})
