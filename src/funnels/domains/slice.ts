import { slice } from '../../base/slice'
import { domainCommand } from './command'
import { CustomHosts, customHostLoop } from './custom-hosts'
import { domainExamination } from './doctor'
import { domainCron, freedRetention } from './jobs'
import { DOMAIN_LOST } from './notices'
import { domainOperatorRoutes } from './operator-routes'
import { hostRoutes } from './public-routes'
import { clearRoots, listVerified } from './queries'
import { listProjectHostnames } from './service'
import { domainTables } from './tables'
import { walletJobs } from './wallets'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    dom: string
  }
}

/** Names of customers under which the funnels of a project are. */
export const funnelDomains = slice({
  name: 'funnel-domains',
  tags: [{ name: 'Custom domains', description: 'Names of your own for funnels: their DNS, certificate and wallets.' }],
  tables: domainTables,
  state: { customHosts: (ctx) => new CustomHosts(ctx) },
  describedPaths: ['/public/host/'],
  publicRoutes: hostRoutes,
  unlimitedPaths: ['/public/host/ask'],
  operatorRoutes: domainOperatorRoutes,
  loops: [customHostLoop],
  cron: domainCron,
  jobs: walletJobs,
  retention: [freedRetention],
  projectHostnames: listProjectHostnames,
  verifiedHostnames: listVerified,
  doctor: domainExamination,
  noticeKinds: [DOMAIN_LOST],
  commands: [domainCommand],
  onDeleteFunnels: (tx, funnelIds) => clearRoots(tx, funnelIds, tx.clock.now()),
  cachedRows: { customDomains: 'NOBODY', freedHostnames: 'NOBODY' },
  personalData: { customDomains: 'NOTHING', freedHostnames: 'NOTHING' },
})
