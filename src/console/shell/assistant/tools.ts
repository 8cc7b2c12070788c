import type { Texts } from '../../text/catalogue'

type Name = keyof { [K in keyof Texts['common'] as Texts['common'][K] extends string ? K : never]: 1 }
type Screen = readonly [name: Name, path: string]

/** The screen that shows what a tool read, by a word in the tool's name. The first that fits. */
const SCREENS: readonly (readonly [word: RegExp, ...screen: Screen])[] = [
  [/guide/, 'description', ''],
  [/search/, 'search', ''],
  [/query|queries/, 'sql', '/charts/sql'],
  [/overview/, 'overview', '/overview'],
  [/refund_shield/, 'refundShield', '/revenue/refund-shield'],
  [/subscription/, 'subscriptions', '/revenue'],
  [/billing_issues/, 'billingIssues', '/revenue/billing-issues'],
  [/renewal/, 'renewals', '/revenue/renewals'],
  [/scheduled/, 'scheduled', '/revenue/scheduled'],
  [/transaction|store_breakdown/, 'transactions', '/revenue/transactions'],
  [/transfer/, 'transfers', '/subscribers/transfers'],
  [/data_request/, 'dataRequests', '/subscribers/data-requests'],
  [/cohort/, 'cohorts', '/charts/cohorts'],
  [/leaderboard/, 'leaderboards', '/charts/leaderboards'],
  [/placement/, 'placements', '/growth/placements'],
  [/chart|metric|annotation/, 'charts', '/charts'],
  [/feature_flag/, 'flags', '/growth'],
  [/experiment/, 'experiments', '/growth/experiments'],
  [/audience/, 'audiences', '/growth/audiences'],
  [/funnel/, 'funnels', '/growth/funnels'],
  [/asset/, 'assets', '/growth/assets'],
  [/font/, 'fonts', '/growth/fonts'],
  [/domain|app_links/, 'domains', '/growth/domains'],
  [/subscriber|ledger/, 'subscribers', '/subscribers'],
  [/offering/, 'offerings', '/catalogue/offerings'],
  [/currenc/, 'currencies', '/catalogue/currencies'],
  [/access/, 'access', '/catalogue/access'],
  [/product|purchase/, 'products', '/catalogue'],
  [/webhook_deliver/, 'deliveries', '/connections/deliveries'],
  [/webhook/, 'webhooks', '/connections/webhooks'],
  [/integration/, 'integrations', '/connections/integrations'],
  [/event/, 'events', '/connections/events'],
  [/import/, 'imports', '/connections/imports'],
  [/comparison/, 'comparisons', '/connections/comparisons'],
  [/store|payment/, 'stores', '/connections'],
  [/usage/, 'usage', '/settings/usage'],
  [/audit/, 'auditLog', '/settings/audit-log'],
  [/member/, 'members', '/settings/members'],
  [/notification/, 'notifications', '/settings/notifications'],
  [/drift/, 'projectFile', '/settings/project-file'],
  [/project/, 'project', '/settings'],
]

export interface ToolScreen {
  /** The name of the screen among the common texts. */
  name: Name
  /** Below the project; null when no screen shows it. */
  path: string | null
}

/** What a tool reads, in the words of the console. Null for a tool that this console does not know. */
export function screenOf(tool: string, given: string): ToolScreen | null {
  const found = SCREENS.find(([word]) => word.test(tool))
  if (!found) return null
  const [, name, path] = found
  const id = tool.startsWith('get_') ? idIn(given) : null
  const isObject = id !== null && ['/subscribers', '/charts'].includes(path)
  return { name, path: path === '' ? null : isObject ? `${path}/${encodeURIComponent(id)}` : path }
}

function idIn(given: string): string | null {
  const [, id = null] = /"(?:id|chartId)":"([^"]{1,80})"/.exec(given) ?? []
  return id
}
