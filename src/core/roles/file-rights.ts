import type { Capability, Role } from './roles'

export type Right = { capability: Capability } | { role: Role }

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
  appLinks: { role: 'DEVELOPER' },
  webhookEndpoint: { capability: 'webhooks:write' },
  sdkDoor: { role: 'ADMIN' },
  store: { role: 'OWNER' },
}

/** Whether the table names the right for a kind of object. */
export const hasOwnRight = (kind: string): boolean => Object.hasOwn(RIGHTS, kind)

/** The right to change an object of this kind; a kind that is not in the table takes the highest role. */
export const rightToChange = (kind: string): Right =>
  (hasOwnRight(kind) ? RIGHTS[kind] : undefined) ?? { role: 'OWNER' }
