import type { FairQueue } from '../../base/http/fair-queue'
import { slice } from '../../base/slice'
import { assetCommand } from './command'
import { DecodingMemory } from './decoding-memory'
import { assetOperatorRoutes } from './operator-routes'
import { DECODING_BYTES } from './picture'
import { logoUsers } from './project-logo'
import { sumBytes } from './queries'
import { assetRoutes } from './routes'
import { assetFiles, picturePath } from './service'
import { assetTables } from './tables'
import { uploadQueue } from './upload-queue'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    ast: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    decodingMemory: DecodingMemory
    uploadQueue: FairQueue
  }
}

/** Pictures, videos and animations that funnels show. */
export const assets = slice({
  name: 'assets',
  tables: assetTables,
  state: { decodingMemory: () => new DecodingMemory(DECODING_BYTES), uploadQueue },
  tags: [{ name: 'Assets', description: 'Pictures, videos and animations of funnels.' }],
  publicRoutes: assetRoutes,
  hostRoutes: assetRoutes,
  operatorRoutes: assetOperatorRoutes,
  assetUsers: logoUsers,
  picturePath,
  commands: [assetCommand],
  namedFiles: assetFiles,
  usageLevels: [{ name: 'storageBytes', read: sumBytes }],
  filePaths: [/^\/dashboard\/projects\/[^/]+\/assets\/(image|video|lottie)$/],
  cachedRows: { assets: 'NOBODY' },
  personalData: { assets: 'NOTHING' },
})
