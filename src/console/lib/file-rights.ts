import { type Capability, type Rights, roleFor } from './roles'

/** What somebody needs in order to change an object with the project file, by its kind: as the server decides it. */
const RIGHTS: Readonly<Record<string, Capability>> = {
  project: 'project:settings:write',
  access: 'products:write',
  product: 'products:write',
  offering: 'products:write',
  virtualCurrency: 'virtual-currency:manage',
  audience: 'audiences:write',
  flag: 'flags:write',
  experiment: 'experiments:write',
  funnel: 'funnels:write',
  placement: 'placements:write',
  webhookEndpoint: 'webhooks:write',
}

/** The role that the first change asks for which the person may not make; null when they may make all of them. */
export function roleForChanges({ can, hasRole }: Rights, kinds: readonly string[]) {
  for (const kind of kinds) {
    const capability = RIGHTS[kind]
    if (capability === undefined && !hasRole('OWNER')) return 'OWNER'
    if (capability !== undefined && !can(capability)) return roleFor(capability)
  }
  return null
}
