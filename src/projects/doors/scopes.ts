import { AppError } from '../../base/errors'
import { CAPABILITY_NAMES, type Capability, type MemberRole } from '../../core/roles/roles'
import { changesState } from './signed-in'

/** Every GET that the role of the token's owner admits, and no change. */
export const READ = 'read'

/** What the scopes of a personal access token can be. */
export const SCOPES: readonly string[] = [READ, ...CAPABILITY_NAMES]

/** The scopes of a token; null = everything that its owner may do, and so for a session. */
export type Scopes = readonly string[] | null

/** Whether a change that needs a capability is within the scopes. */
export const hasScope = (scopes: Scopes, capability: Capability): boolean =>
  scopes === null || scopes.includes(capability)

/** What a route says about tokens. */
interface ScopedRoute {
  capability?: Capability | undefined
  /** Whether its GET is open to every token: a command finds its project with it. */
  forEveryToken?: boolean | undefined
}

/** Whether scopes open a route. What is guarded by a role and changes something needs a token without scopes. */
export function opens(scopes: Scopes, method: string, { capability, forEveryToken = false }: ScopedRoute): boolean {
  if (scopes === null) return true
  if (!changesState(method) && (forEveryToken || scopes.includes(READ))) return true
  return capability !== undefined && scopes.includes(capability)
}

/** 403 `CAPABILITY_REQUIRED`: the token was not made for what needs this capability. */
export const outOfScope = (role: MemberRole, capability: Capability): AppError =>
  new AppError('CAPABILITY_REQUIRED', { role, capability }, { message: lackOf(capability) })

const lackOf = (capability: Capability): string =>
  `This personal access token lacks the scope ${capability}: use a token that has it, or one without scopes`

/** 403 `FORBIDDEN`: no capability opens the route. */
export const notOpened = (method: string): AppError =>
  new AppError('FORBIDDEN', undefined, { message: changesState(method) ? FOR_CHANGES : FOR_READING })

const FOR_CHANGES = 'The scopes of this personal access token do not allow this change: make a token without scopes'
const FOR_READING =
  'The scopes of this personal access token do not allow this: make a token with the scope read, or one without scopes'
