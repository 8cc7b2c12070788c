import type { Blobs } from './blobs/blobs'
import { blobExamination } from './blobs/doctor'
import { StorageHealth } from './blobs/health'
import { openBlobs } from './blobs/open'
import type { BlobPlace } from './blobs/place'
import { blobRetention } from './blobs/retention'
import { unsettledTables } from './blobs/tables'
import { unsettledRetention } from './blobs/unsettled'
import { slice } from './slice'

declare module './state' {
  interface SliceState {
    /** For everybody who stores and reads. */
    blobs: Blobs
    blobPlace: BlobPlace
    storageHealth: StorageHealth
  }
}

/** Files of the server outside of the database. */
export const blobs = slice({
  name: 'blobs',
  tables: unsettledTables,
  cachedRows: { unsettledFiles: 'NOBODY' },
  personalData: { unsettledFiles: 'NOTHING' },
  state: {
    blobPlace: ({ config }) => openBlobs(config),
    blobs: ({ state }) => state.blobPlace,
    storageHealth: ({ state, clock }) => new StorageHealth(state.blobPlace, clock),
  },
  readiness: {
    storage: async ({ config, state }) =>
      config.storage.kind !== 's3' ? 'absent' : (await state.storageHealth.isWorking()) ? 'ok' : 'degraded',
  },
  doctor: blobExamination,
  retention: [blobRetention, unsettledRetention],
})
