import { sectionKey } from '../../../project-file/model'

export interface AccessState {
  displayName: string
  description: string | null
  metadata: Record<string, unknown>
}

export const ACCESS = sectionKey<AccessState>('access', 'access')
