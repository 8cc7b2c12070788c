import { describe, expect, test } from 'bun:test'
import { roleForChanges } from '../../src/console/lib/file-rights'
import {
  type Capability,
  isCapability,
  CAPABILITIES as OFFERED,
  roleCan,
  roleReaches,
} from '../../src/console/lib/roles'
import { hasOwnRight, refuseWithoutRight } from '../../src/moving/project-file/rights'
import {
  CAPABILITY_NAMES,
  hasCapability,
  hasRole,
  ROLES,
  type Capability as ServerCapability,
} from '../../src/projects/doors/roles'

const EVERYBODY = [...ROLES, 'SUPPORT_READ'] as const

const CAPABILITIES: readonly Capability[] = [
  ...(['project:settings:write', 'project:delete', 'project:transfer', 'members:manage', 'subscribers:gdpr'] as const),
  ...(['subscribers:import', 'subscribers:write', 'credits:write', 'refunds:write', 'products:write'] as const),
  ...(['sdk:write', 'webhooks:write', 'virtual-currency:manage', 'funnels:write', 'placements:write'] as const),
  ...(['experiments:write', 'flags:write', 'audiences:write', 'leaderboards:write'] as const),
]

const KINDS = [
  ...['project', 'access', 'product', 'offering', 'virtualCurrency', 'audience', 'flag', 'experiment', 'funnel'],
  ...['placement', 'webhookEndpoint', 'store', 'refundShield'],
]

const isRefused = (act: () => void): boolean => {
  try {
    act()
    return false
  } catch {
    return true
  }
}

describe('what the console offers is what the server allows', () => {
  for (const role of EVERYBODY)
    test(`to ${role}`, () => {
      for (const capability of CAPABILITIES) {
        const isAllowed: boolean = hasCapability(role, capability satisfies ServerCapability)
        expect([capability, roleCan(role, capability)]).toEqual([capability, isAllowed])
      }
      for (const required of ROLES)
        expect([required, roleReaches(role, required)]).toEqual([required, hasRole(role, required)])
      const here = {
        can: (capability: Capability) => roleCan(role, capability),
        hasRole: (required: (typeof ROLES)[number]) => roleReaches(role, required),
      }
      for (const kind of KINDS) {
        const isOffered = roleForChanges(here, [kind]) === null
        const change = { kind } as Parameters<typeof refuseWithoutRight>[1][number]
        expect([kind, isOffered]).toEqual([
          kind,
          !isRefused(() => refuseWithoutRight({ role, scopes: null }, [change])),
        ])
      }
    })

  test('each kind of object in the project file that has a right of its own is compared', () => {
    expect(KINDS.filter(hasOwnRight).length).toBe(12)
    expect(CAPABILITIES.every(isCapability)).toBe(true)
    // The scopes of tokens that the console offers; everybody may read.
    expect(['project:read', ...OFFERED].sort()).toEqual([...CAPABILITY_NAMES].sort())
  })
})
