import { createContext, useContext } from 'react'
import type { Capability, Role } from '../../core/roles/roles'
import type { Schemas } from '../api/schemas'
import { useLocale, useText } from '../text/catalogue'
import type { Reading } from './format'

export { type Capability, type Role, roleFor } from '../../core/roles/roles'

export type Me = Schemas['Me']
export type Project = Schemas['Project']

export interface Session {
  me: Me
  preferences: Schemas['Preferences']
}

export const SessionContext = createContext<Session | null>(null)

/** The signed-in person. Only for screens behind the sign-in. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('There is no session around this component.')
  return session
}

/** What a member may do in a project. */
export interface Rights {
  /** Whether the role is at least this one. */
  hasRole: (role: Role) => boolean
  can: (capability: Capability) => boolean
}

export interface ProjectHere extends Rights {
  project: Project
  /** Path parameters of the project's routes, ready for `params.path`. */
  path: { projectId: string }
  /** `/p/<slug>`, or `/p/<id>`: the prefix of the project's screens. */
  base: string
  /** `/dashboard/projects/<id>`, for links to files and for streams. */
  api: string
  /** Whether the server charges projects for their plans. */
  isBilled: boolean
  environment: 'PRODUCTION' | 'SANDBOX'
  setEnvironment: (environment: 'PRODUCTION' | 'SANDBOX') => void
}

export const ProjectContext = createContext<ProjectHere | null>(null)

/** The project of the screen. Only below `/p/:slug`. */
export function useProject(): ProjectHere {
  const here = useContext(ProjectContext)
  if (!here) throw new Error('There is no project around this component.')
  return here
}

/** Why nothing at all may be done here: an administrator of the platform reads for support. Null for members. */
export function useReadOnly(): string | null {
  const t = useText('common')
  return useProject().project.role === 'SUPPORT_READ' ? t.supportReads : null
}

/** Language and time zone of the reader: the preferences win over the project. */
export function useReading(): Reading {
  const session = useContext(SessionContext)
  const here = useContext(ProjectContext)
  const locale = useLocale()
  const zone = session?.preferences.timezone || here?.project.timezone || 'UTC'
  return { locale, zone }
}
