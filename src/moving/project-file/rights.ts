import { AppError } from '../../base/errors'
import { type Capability, hasCapability, hasRole, type MemberRole, type Role } from '../../projects/doors/roles'
import type { ObjectChange } from '../../projects/project-file/changes'

type Right = { capability: Capability } | { role: Role }

/**
 * What a person needs in order to change an object with a project file, by the kind of the object: the same as on its
 * own routes.
 */
const RIGHTS: Readonly<Record<string, Right>> = {
  project: { capability: 'project:settings:write' },
  access: { capability: 'products:write' },
  product: { capability: 'products:write' },
  offering: { capability: 'products:write' },
  virtualCurrency: { capability: 'virtual-currency:manage' },
  audience: { capability: 'audiences:write' },
  flag: { capability: 'flags:write' },
  experiment: { capability: 'experiments:write' },
  funnel: { capability: 'funnels:write' },
  placement: { capability: 'placements:write' },
  webhookEndpoint: { capability: 'webhooks:write' },
  store: { role: 'OWNER' },
}

/** For a kind that is not in the table. */
const HIGHEST: Right = { role: 'OWNER' }

/** 403 `CAPABILITY_REQUIRED` or `ROLE_REQUIRED` for the first change that the person may not make. */
export function refuseWithoutRight(role: MemberRole, changes: readonly ObjectChange[]): void {
  for (const kind of new Set(changes.map((change) => change.kind))) refuse(role, RIGHTS[kind] ?? HIGHEST)
}

function refuse(role: MemberRole, right: Right): void {
  if ('role' in right) {
    if (!hasRole(role, right.role)) throw new AppError('ROLE_REQUIRED', { role, requiredRole: right.role })
  } else if (!hasCapability(role, right.capability))
    throw new AppError('CAPABILITY_REQUIRED', { role, capability: right.capability })
}

/** Whether the table names the right for a kind of object. */
export const hasOwnRight = (kind: string): boolean => kind in RIGHTS
