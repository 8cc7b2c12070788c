import { blobs } from './base/blobs-slice'
import { database } from './base/db-slice'
import { findings } from './base/findings-slice'
import { http } from './base/http-slice'
import { jobs } from './base/jobs-slice'
import { retention } from './base/retention-slice'
import type { Slice } from './base/slice'
import { actions } from './commerce/actions/slice'
import { checkout } from './commerce/checkout/slice'
import { apiDocs } from './docs/api/slice'
import { client } from './docs/client/slice'
import { consolePages } from './docs/console/slice'
import { example } from './docs/example/slice'
import { guide } from './docs/guide/slice'
import { assets } from './funnels/assets/slice'
import { funnelClaims } from './funnels/claims/slice'
import { funnelDomains } from './funnels/domains/slice'
import { fonts } from './funnels/fonts/slice'
import { funnelPayments } from './funnels/payments/slice'
import { funnelPreview } from './funnels/preview/slice'
import { funnelPublication } from './funnels/publication/slice'
import { funnelSessions } from './funnels/sessions/slice'
import { chartNotes } from './insight/chart-notes/slice'
import { charts } from './insight/charts/slice'
import { clickhouse } from './insight/clickhouse/slice'
import { cohorts } from './insight/cohorts/slice'
import { dataExport } from './insight/data-export/slice'
import { figures } from './insight/figures/slice'
import { leaderboards } from './insight/leaderboards/slice'
import { metrics } from './insight/metrics/slice'
import { overview } from './insight/overview/slice'
import { sqlEditor } from './insight/sql-editor/slice'
import { telemetry } from './insight/telemetry/slice'
import { androidIntake } from './intake/android/slice'
import { catchUp } from './intake/catch-up/slice'
import { inbox } from './intake/inbox/slice'
import { iosIntake } from './intake/ios/slice'
import { missingProducts } from './intake/missing-products/slice'
import { paymentIntake } from './intake/payment/slice'
import { reconciler } from './intake/reconcile/slice'
import { recording } from './intake/recording/slice'
import { refundShield } from './intake/refund-shield/slice'
import { relink } from './intake/relink/slice'
import { repair } from './intake/repair/slice'
import { restore } from './intake/restore/slice'
import { storeApps } from './intake/store-apps/slice'
import { comparing } from './moving/compare/slice'
import { dataRequests } from './moving/data-requests/slice'
import { erasure } from './moving/erasure/slice'
import { imports } from './moving/imports/slice'
import { projectFileCommands } from './moving/project-file/slice'
import { projectMove } from './moving/project-move/slice'
import { sdkDoor } from './moving/sdk-door/slice'
import { accessTokens } from './operators/access-tokens/slice'
import { accounts } from './operators/accounts/slice'
import { assistant } from './operators/assistant/slice'
import { auditLog } from './operators/audit-log/slice'
import { mail } from './operators/mail/slice'
import { mcp } from './operators/mcp/slice'
import { members } from './operators/members/slice'
import { notices } from './operators/notices/slice'
import { ownAccount } from './operators/own-account/slice'
import { passkeys } from './operators/passkeys/slice'
import { planBilling } from './operators/plan-billing/slice'
import { platform } from './operators/platform/slice'
import { operatorProjects } from './operators/projects/slice'
import { providers } from './operators/providers/slice'
import { signIn } from './operators/sign-in/slice'
import { tls } from './operators/tls/slice'
import { twoFactor } from './operators/two-factor/slice'
import { usageAlerts } from './operators/usage-alerts/slice'
import { userCommands } from './operators/user-commands/slice'
import { deliveries } from './outward/deliveries/slice'
import { deliveryLog } from './outward/delivery-log/slice'
import { eventLog } from './outward/event-log/slice'
import { forwarding } from './outward/forwarding/slice'
import { integrations } from './outward/integrations/slice'
import { listening } from './outward/listen/slice'
import { vendorFormat } from './outward/vendor-format/slice'
import { webhooks } from './outward/webhooks/slice'
import { conversions } from './people/conversions/slice'
import { currencies } from './people/currencies/slice'
import { directory } from './people/directory/slice'
import { entitlements } from './people/entitlements/slice'
import { events } from './people/events/slice'
import { identity } from './people/identity/slice'
import { purchases } from './people/purchases/slice'
import { subscribers } from './people/subscribers/slice'
import { audit } from './projects/audit/slice'
import { billing } from './projects/billing/slice'
import { budget } from './projects/budget/slice'
import { catalog } from './projects/catalog/slice'
import { connections } from './projects/connections/slice'
import { credentialLock } from './projects/credential-lock/slice'
import { doors } from './projects/doors/slice'
import { exchangeRates } from './projects/exchange-rates/slice'
import { identityTokens } from './projects/identity-tokens/slice'
import { playConsole } from './projects/play-console/slice'
import { project } from './projects/project/slice'
import { projectFile } from './projects/project-file/slice'
import { storeSetup } from './projects/store-setup/slice'
import { usage } from './projects/usage/slice'
import { testKeys } from './stores/test-keys/slice'
import { audienceGrants } from './targeting/audience-grants/slice'
import { audiences } from './targeting/audiences/slice'
import { bootstrap } from './targeting/bootstrap/slice'
import { experiments } from './targeting/experiments/slice'
import { flags } from './targeting/flags/slice'
import { offerings } from './targeting/offerings/slice'
import { placements } from './targeting/placements/slice'
import { remoteConfig } from './targeting/remote-config/slice'
import { testStore } from './test-store/slice'

/** Every slice of the product, each after the slices that it uses. */
export const SLICES: readonly Slice[] = [
  http,
  findings,
  jobs,
  retention,
  blobs,
  database,
  testKeys,
  audit,
  project,
  identityTokens,
  projectFile,
  catalog,
  credentialLock,
  connections,
  doors,
  exchangeRates,
  storeSetup,
  playConsole,
  usage,
  billing,
  budget,
  mail,
  accounts,
  signIn,
  twoFactor,
  accessTokens,
  providers,
  passkeys,
  ownAccount,
  auditLog,
  members,
  operatorProjects,
  planBilling,
  platform,
  userCommands,
  notices,
  usageAlerts,
  assistant,
  mcp,
  tls,
  subscribers,
  events,
  purchases,
  conversions,
  currencies,
  entitlements,
  identity,
  directory,
  recording,
  inbox,
  refundShield,
  iosIntake,
  androidIntake,
  paymentIntake,
  restore,
  reconciler,
  relink,
  missingProducts,
  repair,
  catchUp,
  storeApps,
  checkout,
  actions,
  audiences,
  assets,
  fonts,
  funnelPublication,
  funnelPreview,
  funnelDomains,
  flags,
  experiments,
  remoteConfig,
  audienceGrants,
  offerings,
  bootstrap,
  placements,
  funnelSessions,
  funnelClaims,
  funnelPayments,
  deliveries,
  deliveryLog,
  integrations,
  eventLog,
  vendorFormat,
  forwarding,
  webhooks,
  listening,
  telemetry,
  figures,
  clickhouse,
  metrics,
  charts,
  cohorts,
  leaderboards,
  chartNotes,
  sqlEditor,
  dataExport,
  overview,
  imports,
  erasure,
  dataRequests,
  comparing,
  projectMove,
  sdkDoor,
  projectFileCommands,
  testStore,
  apiDocs,
  consolePages,
  client,
  example,
  guide,
]
