import { sectionKey } from '../../../projects/project-file/model'
import type { FunnelPage } from '../model'

export interface FunnelState {
  name: string
  defaultLocale: string
  locales: string[]
  /** `current`: the draft is published. `older`: an older version is published. `no`: nothing is published. */
  published: 'no' | 'older' | 'current'
  theme: Record<string, unknown>
  settings: { offering: string | null }
  pages: FunnelPage[]
}

/** `publish` publishes the draft. Without it, the published version does not change. */
export type WantedFunnel = Omit<FunnelState, 'published'> & { publish: boolean }

export const FUNNELS = sectionKey<FunnelState, WantedFunnel>('funnels', 'funnel')
