import { sectionKey } from '../../../projects/project-file/model'
import type { FunnelPage } from '../model'

export interface FunnelState {
  name: string
  defaultLocale: string
  locales: string[]
  /** Whether the draft stands for all to see, an older version does, or none. */
  published: 'no' | 'older' | 'current'
  theme: Record<string, unknown>
  settings: { offering: string | null }
  pages: FunnelPage[]
}

/** `publish` makes the draft stand; without it what stands stays. */
export type WantedFunnel = Omit<FunnelState, 'published'> & { publish: boolean }

export const FUNNELS = sectionKey<FunnelState, WantedFunnel>('funnels', 'funnel')
