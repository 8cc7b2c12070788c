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

/** Roles in a project, lowest first. */
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

/** Every capability that a role can lack, in the order of the table. */
export const CAPABILITIES: readonly string[] = Object.keys(LOWEST)

/** `SUPPORT_READ`: an administrator of the platform, who reads for some hours what the lowest role reads. */
type MemberRole = Role | 'SUPPORT_READ'

/** What a member may do in a project. */
export interface Rights {
  /** Whether the role is at least this one. */
  hasRole: (role: Role) => boolean
  can: (capability: Capability) => boolean
}

export const roleReaches = (role: MemberRole, required: Role): boolean =>
  ROLES.indexOf(role === 'SUPPORT_READ' ? 'CUSTOMER_SUPPORT' : role) >= ROLES.indexOf(required)

/** As the server decides it; the server refuses again what a changed page would offer. */
export const roleCan = (role: MemberRole, capability: Capability): boolean =>
  role !== 'SUPPORT_READ' &&
  (roleReaches(role, LOWEST[capability]) || (capability === 'subscribers:write' && role === 'CUSTOMER_SUPPORT'))

export const isCapability = (name: string): name is Capability => name in LOWEST

/** The lowest role with a capability, for the reason beside what is not allowed. Support may do what Growth may not. */
export const roleFor = (capability: Capability): string =>
  capability === 'subscribers:write' ? `CUSTOMER_SUPPORT / ${LOWEST[capability]}` : LOWEST[capability]
