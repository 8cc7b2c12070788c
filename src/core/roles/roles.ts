/** Roles in a project, lowest first. A route that requires a role also accepts every higher role. */
export const ROLES = ['CUSTOMER_SUPPORT', 'GROWTH', 'DEVELOPER', 'ADMIN', 'OWNER'] as const

export type Role = (typeof ROLES)[number]

/** `SUPPORT_READ`: a platform administrator with a support grant. It reads what the lowest role reads. */
export type MemberRole = Role | 'SUPPORT_READ'

const OWNER: readonly Role[] = ['OWNER']
const ADMINS: readonly Role[] = [...OWNER, 'ADMIN']
const DEVELOPERS: readonly Role[] = [...ADMINS, 'DEVELOPER']
const GROWTH: readonly Role[] = [...DEVELOPERS, 'GROWTH']

/** The roles that have each capability (wire 7.1). */
const CAPABILITIES = {
  'project:read': [...ROLES, 'SUPPORT_READ'],
  'project:delete': OWNER,
  'project:transfer': OWNER,
  'project:settings:write': ADMINS,
  'members:manage': ADMINS,
  'subscribers:gdpr': ADMINS,
  'subscribers:import': ADMINS,
  'credits:write': ADMINS,
  'refunds:write': ADMINS,
  'products:write': DEVELOPERS,
  'sdk:write': DEVELOPERS,
  'webhooks:write': DEVELOPERS,
  'virtual-currency:manage': DEVELOPERS,
  'funnels:write': DEVELOPERS,
  'placements:write': DEVELOPERS,
  'experiments:write': GROWTH,
  'flags:write': GROWTH,
  'audiences:write': GROWTH,
  'leaderboards:write': GROWTH,
  'subscribers:write': [...DEVELOPERS, 'CUSTOMER_SUPPORT'],
} satisfies Record<string, readonly MemberRole[]>

export type Capability = keyof typeof CAPABILITIES

export const CAPABILITY_NAMES: readonly string[] = Object.keys(CAPABILITIES)

export const isCapability = (name: string): name is Capability => Object.hasOwn(CAPABILITIES, name)

export const hasCapability = (role: MemberRole, capability: Capability): boolean => {
  const roles: readonly MemberRole[] = CAPABILITIES[capability]
  return roles.includes(role)
}

export const hasRole = (role: MemberRole, required: Role): boolean =>
  ROLES.indexOf(role === 'SUPPORT_READ' ? 'CUSTOMER_SUPPORT' : role) >= ROLES.indexOf(required)

/**
 * The lowest role with a capability. Where a role has it and the one above does not, the next role with it too: support
 * may change subscribers, and Growth may not.
 */
export const roleFor = (capability: Capability): string =>
  ROLES.filter((role, rank) => {
    const below = ROLES[rank - 1]
    return hasCapability(role, capability) && !(below && hasCapability(below, capability))
  }).join(' / ')
