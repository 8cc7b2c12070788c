import { AppError } from '../../base/errors'
import { type Capability, hasCapability, hasRole, type MemberRole, type Role } from '../../projects/doors/roles'
import type { ObjectChange } from '../../projects/project-file/changes'
import type { ParsedFile } from '../../projects/project-file/parse'

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

/** Whether the person may change every section that the file has. */
export const mayChangeAll = (role: MemberRole, { sections, wanted }: Pick<ParsedFile, 'sections' | 'wanted'>) =>
  sections.filter(({ key }) => wanted.has(key.name)).every(({ key }) => hasRight(role, RIGHTS[key.kind] ?? HIGHEST))

function refuse(role: MemberRole, right: Right): void {
  if (hasRight(role, right)) return
  if ('role' in right) throw new AppError('ROLE_REQUIRED', { role, requiredRole: right.role })
  throw new AppError('CAPABILITY_REQUIRED', { role, capability: right.capability })
}

const hasRight = (role: MemberRole, right: Right): boolean =>
  'role' in right ? hasRole(role, right.role) : hasCapability(role, right.capability)

/** Whether the table names the right for a kind of object. */
export const hasOwnRight = (kind: string): boolean => kind in RIGHTS
