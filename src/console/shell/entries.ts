import type { Capability, ProjectHere, Role } from '../lib/session'
import type { Texts } from '../text/catalogue'

type Name = 'overview' | 'subscribers' | 'revenue' | 'charts' | 'catalogue' | 'growth' | 'connections' | 'settings'

export interface Needs {
  /** Hidden below this role. */
  role?: Role
  capability?: Capability
  /** Only where the server charges projects for their plans. */
  isBilled?: boolean
}

export interface Entry extends Needs {
  name: Name
  children: readonly Child[]
}

export interface Child extends Needs {
  /** Below the path of the entry; empty for the entry's own screen. */
  path: string
  text: keyof Texts['common'] &
    keyof { [K in keyof Texts['common'] as Texts['common'][K] extends string ? K : never]: 1 }
}

/** The eight entries of the sidebar and the screens below each. */
export const ENTRIES: readonly Entry[] = [
  { name: 'overview', children: [] },
  {
    name: 'subscribers',
    children: [
      { path: '', text: 'people' },
      { path: '/transfers', text: 'transfers', capability: 'subscribers:write' },
      { path: '/data-requests', text: 'dataRequests', capability: 'subscribers:gdpr' },
    ],
  },
  {
    name: 'revenue',
    children: [
      { path: '', text: 'subscriptions' },
      { path: '/transactions', text: 'transactions' },
      { path: '/renewals', text: 'renewals' },
      { path: '/billing-issues', text: 'billingIssues' },
      { path: '/scheduled', text: 'scheduled', capability: 'subscribers:write' },
      { path: '/refund-shield', text: 'refundShield' },
    ],
  },
  {
    name: 'charts',
    children: [
      { path: '', text: 'charts' },
      { path: '/sql', text: 'sql', role: 'DEVELOPER' },
      { path: '/cohorts', text: 'cohorts' },
      { path: '/leaderboards', text: 'leaderboards' },
    ],
  },
  {
    name: 'catalogue',
    children: [
      { path: '', text: 'products' },
      { path: '/access', text: 'access' },
      { path: '/offerings', text: 'offerings' },
      { path: '/currencies', text: 'currencies' },
    ],
  },
  {
    name: 'growth',
    children: [
      { path: '', text: 'flags' },
      { path: '/experiments', text: 'experiments' },
      { path: '/placements', text: 'placements' },
      { path: '/funnels', text: 'funnels' },
      { path: '/domains', text: 'domains' },
      { path: '/assets', text: 'assets' },
      { path: '/fonts', text: 'fonts' },
      { path: '/audiences', text: 'audiences' },
    ],
  },
  {
    name: 'connections',
    children: [
      { path: '', text: 'stores' },
      { path: '/webhooks', text: 'webhooks' },
      { path: '/deliveries', text: 'deliveries' },
      { path: '/events', text: 'events' },
      { path: '/integrations', text: 'integrations' },
      { path: '/forwarding', text: 'forwarding' },
      { path: '/former-sdk', text: 'formerSdkEntry' },
      { path: '/store-events', text: 'storeInbox', role: 'DEVELOPER' },
      { path: '/imports', text: 'imports', capability: 'subscribers:import' },
      { path: '/comparisons', text: 'comparisons', capability: 'subscribers:import' },
      { path: '/data-exports', text: 'dataExports', role: 'ADMIN' },
    ],
  },
  {
    name: 'settings',
    children: [
      { path: '', text: 'project' },
      { path: '/api-keys', text: 'apiKeys' },
      { path: '/members', text: 'members' },
      { path: '/notifications', text: 'notifications' },
      { path: '/assistant', text: 'assistant' },
      { path: '/usage', text: 'usage' },
      { path: '/billing', text: 'planAndBilling', isBilled: true },
      { path: '/audit-log', text: 'auditLog', role: 'ADMIN' },
      { path: '/project-file', text: 'projectFile' },
      { path: '/support', text: 'support' },
      { path: '/danger', text: 'danger', role: 'OWNER' },
    ],
  },
]

export const isAllowed = ({ role, capability, isBilled }: Needs, here: ProjectHere): boolean =>
  (!isBilled || here.isBilled) &&
  (role === undefined || here.hasRole(role)) &&
  (capability === undefined || here.can(capability))

/** The entry or the screen that an address below the project leads to, such as `/connections/imports/imp_1`. */
export function screenAt(path: string): Child | Entry | undefined {
  const [, name, below] = /^\/([^/]+)(.*)$/.exec(path) ?? []
  const entry = ENTRIES.find((one) => one.name === name)
  return entry?.children.find((child) => child.path !== '' && isWithin(below ?? '', child.path)) ?? entry
}

const isWithin = (path: string, screen: string): boolean => path === screen || path.startsWith(`${screen}/`)
