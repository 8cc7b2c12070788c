import { createContext, useContext } from 'react'
import type { Schemas } from '../api/schemas'
import { useLocale } from '../text/catalogue'
import type { Reading } from './format'

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

export type Capability =
  | 'project:settings:write'
  | 'project:delete'
  | 'project:transfer'
  | 'members:manage'
  | 'subscribers:gdpr'
  | 'subscribers:import'
  | 'subscribers:write'
  | 'credits:write'
  | 'refunds:write'
  | 'products:write'
  | 'sdk:write'
  | 'webhooks:write'
  | 'virtual-currency:manage'
  | 'funnels:write'
  | 'placements:write'
  | 'experiments:write'
  | 'flags:write'
  | 'audiences:write'
  | 'leaderboards:write'

export type Role = 'CUSTOMER_SUPPORT' | 'GROWTH' | 'DEVELOPER' | 'ADMIN' | 'OWNER'

const ROLES: readonly Role[] = ['CUSTOMER_SUPPORT', 'GROWTH', 'DEVELOPER', 'ADMIN', 'OWNER']

const LOWEST: Record<Capability, Role> = {
  'project:settings:write': 'ADMIN',
  'project:delete': 'OWNER',
  'project:transfer': 'OWNER',
  'members:manage': 'ADMIN',
  'subscribers:gdpr': 'ADMIN',
  'subscribers:import': 'ADMIN',
  'subscribers:write': 'DEVELOPER',
  'credits:write': 'ADMIN',
  'refunds:write': 'ADMIN',
  'products:write': 'DEVELOPER',
  'sdk:write': 'DEVELOPER',
  'webhooks:write': 'DEVELOPER',
  'virtual-currency:manage': 'DEVELOPER',
  'funnels:write': 'DEVELOPER',
  'placements:write': 'DEVELOPER',
  'experiments:write': 'GROWTH',
  'flags:write': 'GROWTH',
  'audiences:write': 'GROWTH',
  'leaderboards:write': 'GROWTH',
}

export interface ProjectHere {
  project: Project
  /** Path parameters of the project's routes, ready for `params.path`. */
  path: { projectId: string }
  /** `/p/<slug>`: the beginning of the project's screens. */
  base: string
  /** `/dashboard/projects/<id>`, for links to files and for streams. */
  api: string
  environment: 'PRODUCTION' | 'SANDBOX'
  setEnvironment: (environment: 'PRODUCTION' | 'SANDBOX') => void
  /** Whether the role is at least this one. */
  hasRole: (role: Role) => boolean
  can: (capability: Capability) => boolean
}

export const ProjectContext = createContext<ProjectHere | null>(null)

/** The project of the screen. Only below `/p/:slug`. */
export function useProject(): ProjectHere {
  const here = useContext(ProjectContext)
  if (!here) throw new Error('There is no project around this component.')
  return here
}

export const roleReaches = (role: Project['role'], required: Role): boolean =>
  ROLES.indexOf(role === 'SUPPORT_READ' ? 'CUSTOMER_SUPPORT' : role) >= ROLES.indexOf(required)

/** As the server decides it; the server refuses again what a changed page would offer. */
export const roleCan = (role: Project['role'], capability: Capability): boolean =>
  role !== 'SUPPORT_READ' &&
  (roleReaches(role, LOWEST[capability]) || (capability === 'subscribers:write' && role === 'CUSTOMER_SUPPORT'))

/** The lowest role with a capability, for the reason beside what is not allowed. */
export const roleFor = (capability: Capability): Role => LOWEST[capability]

/** Language and time zone of the reader: the preferences win over the project. */
export function useReading(): Reading {
  const session = useContext(SessionContext)
  const here = useContext(ProjectContext)
  const locale = useLocale()
  const zone = session?.preferences.timezone || here?.project.timezone || 'UTC'
  return { locale, zone }
}
