import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'

/** Something that shows an asset. */
export interface AssetReference {
  assetId: string
  kind: 'funnel' | 'project'
  id: string
  name: string
  /** Of a funnel: whether its draft or its published version shows it. */
  state: 'draft' | 'live'
  /** Where in the document. */
  paths: string[]
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Everything that shows an asset of the project. */
    assetUsers: (handle: Handle, projectId: string) => Promise<AssetReference[]>
    /** The bytes that the files of a project may have; null = no limit. The least of several holds. */
    assetLimit: (handle: Handle & Pick<Context, 'clock' | 'config'>, projectId: string) => Promise<number | null>
  }
}
