import type { Handle } from '../../base/db/handle'

/** A funnel that uses a font family. */
export interface FontReference {
  familyId: string
  kind: 'funnel'
  id: string
  name: string
  /** Whether its draft or its published version uses it. */
  state: 'draft' | 'live'
  /** Where in the document. */
  paths: string[]
}

declare module '../../base/state' {
  interface SliceHooks {
    /** Everything that uses a font family of the project. */
    fontUsers: (handle: Handle, projectId: string) => Promise<FontReference[]>
  }
}
