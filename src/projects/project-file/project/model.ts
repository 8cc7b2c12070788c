import type { ProjectSettings } from '../../project/settings'
import { sectionKey } from '../model'

export interface ProjectFields {
  slug: string
  name: string
  timezone: string
  allowedOrigins: string[]
  termsUrl: string | null
  privacyUrl: string | null
  settings: ProjectSettings
}

/** Slug and name have no default: null keeps the saved value. */
export type WantedProject = Omit<ProjectFields, 'slug' | 'name'> & {
  slug: string | null
  was: string | null
  name: string | null
}

export const PROJECT = sectionKey<ProjectFields, WantedProject>('project', 'project')
