import type { Config } from '../../base/config'
import type { Context } from '../../base/context'
import { parseRoots, type Root } from '../../base/lib/certificates'
import { IosStore } from '../../stores/ios/store'
import { loadTestRoot } from '../../stores/test-keys/service'

/** Verifies signatures of the App Store. Its extra roots come from the configuration and the projects' test stores. */
export const createIosStore = ({ config, storage, vault }: Context): IosStore =>
  new IosStore({
    extraRoots: extraRoots(config),
    loadTestRoot: async (projectId) =>
      config.isSimulatorOn ? loadTestRoot({ db: storage.db, tables: storage.tables, vault }, projectId) : null,
  })

// The configuration was checked when it was read: a file without certificates was refused then.
function extraRoots({ iosExtraRoots }: Config): Root[] {
  const parsed = iosExtraRoots === null ? null : parseRoots(iosExtraRoots)
  return parsed?.ok ? parsed.roots : []
}
