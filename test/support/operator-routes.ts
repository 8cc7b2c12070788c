/**
 * Every route for the people who run projects, and who may call it. `P` is `/dashboard/projects/:projectId`.
 *
 * Who: a role (`CUSTOMER_SUPPORT`, `GROWTH`, `DEVELOPER`, `ADMIN`, `OWNER`: that one or a higher one), a capability
 * (with a colon), `me` (anybody who is signed in), `me session` (not by a personal access token), `admin` (platform
 * administrators), `challenge` (who has given the first of two factors), `page` (nobody signs in; a page of another
 * origin is refused), `open` (anybody, from anywhere).
 */
const TABLE = `
Sign-in
GET    /api/auth/options                              open
POST   /api/auth/sign-up                              page
POST   /api/auth/sign-in                              page
POST   /api/auth/two-factor                           challenge
POST   /api/auth/sign-out                             me session
POST   /api/auth/password-reset                       page
POST   /api/auth/password-reset/confirm               page
POST   /api/auth/verify-email                         page
POST   /api/auth/verify-email/resend                  page
GET    /api/auth/oauth/:provider                      open
GET    /api/auth/oauth/:provider/callback             open
POST   /api/auth/passkey/options                      page
POST   /api/auth/passkey                              page

Own account
GET    /dashboard/me                                  me
PATCH  /dashboard/me                                  me
DELETE /dashboard/me                                  me session
GET    /dashboard/me/preferences                      me
PATCH  /dashboard/me/preferences                      me
PUT    /dashboard/me/password                         me
GET    /dashboard/me/sessions                         me
DELETE /dashboard/me/sessions                         me
DELETE /dashboard/me/sessions/:id                     me
GET    /dashboard/me/accounts                         me
POST   /dashboard/me/accounts/:provider               me
DELETE /dashboard/me/accounts/:provider               me
GET    /dashboard/me/tokens                           me session
POST   /dashboard/me/tokens                           me session
DELETE /dashboard/me/tokens/:id                       me session
POST   /dashboard/me/two-factor/enable                me session
POST   /dashboard/me/two-factor/confirm               me session
POST   /dashboard/me/two-factor/disable               me session
POST   /dashboard/me/two-factor/backup-codes          me session
GET    /dashboard/me/passkeys                         me
POST   /dashboard/me/passkeys/options                 me session
POST   /dashboard/me/passkeys                         me session
DELETE /dashboard/me/passkeys/:id                     me session
GET    /dashboard/me/export                           me
GET    /dashboard/notifications                       me
GET    /dashboard/notifications/unread-count          me
POST   /dashboard/notifications/:id/read              me
POST   /dashboard/notifications/read-all              me
GET    /dashboard/notifications/preferences           me
PATCH  /dashboard/notifications/preferences           me
POST   /dashboard/notifications/test                  me
GET    /dashboard/push-devices                        me
POST   /dashboard/push-devices                        me
DELETE /dashboard/push-devices/:id                    me
GET    /invitations/:token                            open
POST   /invitations/:token/accept                     me
POST   /unsubscribe                                   open
GET    /unsubscribe                                   open
GET    /dashboard/payment/connect/callback            me session
POST   /webhooks/mail/:provider                       open

Projects, keys, members
GET    /dashboard/projects                            me
POST   /dashboard/projects                            me
GET    P                                              CUSTOMER_SUPPORT
GET    P/changes                                      CUSTOMER_SUPPORT
PATCH  P                                              project:settings:write
DELETE P                                              project:delete
GET    P/api-keys                                     CUSTOMER_SUPPORT
POST   P/api-keys                                     ADMIN
PATCH  P/api-keys/:keyId                              ADMIN
DELETE P/api-keys/:keyId                              ADMIN
POST   P/api-keys/:keyId/rotate                       ADMIN
GET    P/members                                      CUSTOMER_SUPPORT
PATCH  P/members/:userId                              members:manage
DELETE P/members/:userId                              members:manage
POST   P/leave                                        CUSTOMER_SUPPORT
POST   P/transfer                                     project:transfer
GET    P/invitations                                  members:manage
POST   P/invitations                                  members:manage
DELETE P/invitations/:id                              members:manage
POST   P/invitations/:id/resend                       members:manage
GET    P/support-grants                               CUSTOMER_SUPPORT
DELETE P/support-grants/:id                           ADMIN
GET    P/audit-log                                    ADMIN
GET    P/audit-log/proof                              ADMIN
GET    P/notification-defaults                        CUSTOMER_SUPPORT
PATCH  P/notification-defaults                        project:settings:write

Stores
GET    P/credentials                                  CUSTOMER_SUPPORT
PUT    P/credentials/ios                              OWNER
PUT    P/credentials/android                          OWNER
PUT    P/credentials/payment                          OWNER
DELETE P/credentials/:store                           OWNER
GET    P/apps                                         CUSTOMER_SUPPORT
GET    P/apps/ios/lookup                              DEVELOPER
GET    P/apps/ios/notification-url                    DEVELOPER
POST   P/apps/ios/notification-url                    ADMIN
POST   P/apps/ios/test-notification                   DEVELOPER
GET    P/apps/ios/test-notification/:token            DEVELOPER
GET    P/apps/android/pubsub                          DEVELOPER
POST   P/apps/android/pubsub/connect                  ADMIN
POST   P/apps/android/pubsub/recreate                 ADMIN
POST   P/apps/android/pubsub/rotate                   ADMIN
POST   P/apps/android/pubsub/test                     ADMIN
DELETE P/apps/android/pubsub                          ADMIN
GET    P/apps/:store/catalog                          DEVELOPER
GET    P/payment/connect                              OWNER
GET    P/payment/connection                           CUSTOMER_SUPPORT
DELETE P/payment/connection                           OWNER

Catalogue
GET    P/access                                       CUSTOMER_SUPPORT
POST   P/access                                       products:write
GET    P/access/:id                                   CUSTOMER_SUPPORT
PATCH  P/access/:id                                   products:write
DELETE P/access/:id                                   products:write
GET    P/products                                     CUSTOMER_SUPPORT
POST   P/products                                     products:write
GET    P/products/:id                                 CUSTOMER_SUPPORT
PATCH  P/products/:id                                 products:write
DELETE P/products/:id                                 products:write
PUT    P/products/:id/currency-grants                 products:write
POST   P/products/import                              products:write
GET    P/products/waiting                             CUSTOMER_SUPPORT
GET    P/products/waiting/purchases                   CUSTOMER_SUPPORT
POST   P/products/waiting                             products:write
GET    P/purchases/relink                             CUSTOMER_SUPPORT
POST   P/purchases/relink                             products:write
GET    P/offerings                                    CUSTOMER_SUPPORT
POST   P/offerings                                    products:write
GET    P/offerings/:id                                CUSTOMER_SUPPORT
PATCH  P/offerings/:id                                products:write
DELETE P/offerings/:id                                products:write
GET    P/virtual-currencies                           CUSTOMER_SUPPORT
POST   P/virtual-currencies                           virtual-currency:manage
PATCH  P/virtual-currencies/:id                       virtual-currency:manage
DELETE P/virtual-currencies/:id                       virtual-currency:manage

Targeting
GET    P/audiences                                    CUSTOMER_SUPPORT
POST   P/audiences                                    audiences:write
GET    P/audiences/:id                                CUSTOMER_SUPPORT
PATCH  P/audiences/:id                                audiences:write
DELETE P/audiences/:id                                audiences:write
PUT    P/audiences/:id/members                        audiences:write
POST   P/audiences/preview                            CUSTOMER_SUPPORT
POST   P/audiences/:id/grants                         subscribers:write
GET    P/feature-flags                                CUSTOMER_SUPPORT
POST   P/feature-flags                                flags:write
GET    P/feature-flags/:id                            CUSTOMER_SUPPORT
PATCH  P/feature-flags/:id                            flags:write
DELETE P/feature-flags/:id                            flags:write
POST   P/feature-flags/:id/toggle                     flags:write
GET    P/feature-flags/by-key/:key                    CUSTOMER_SUPPORT
PUT    P/feature-flags/by-key/:key                    flags:write
DELETE P/feature-flags/by-key/:key                    flags:write
GET    P/subscribers/:id/evaluation                   CUSTOMER_SUPPORT
GET    P/experiments                                  CUSTOMER_SUPPORT
POST   P/experiments                                  experiments:write
GET    P/experiments/:id                              CUSTOMER_SUPPORT
PATCH  P/experiments/:id                              experiments:write
DELETE P/experiments/:id                              experiments:write
POST   P/experiments/:id/start                        experiments:write
POST   P/experiments/:id/pause                        experiments:write
POST   P/experiments/:id/resume                       experiments:write
POST   P/experiments/:id/stop                         experiments:write
POST   P/experiments/:id/duplicate                    experiments:write
GET    P/experiments/:id/results                      CUSTOMER_SUPPORT
GET    P/placements                                   CUSTOMER_SUPPORT
POST   P/placements                                   placements:write
GET    P/placements/:id                               CUSTOMER_SUPPORT
PATCH  P/placements/:id                               placements:write
DELETE P/placements/:id                               placements:write
GET    P/placements/:id/metrics                       CUSTOMER_SUPPORT
GET    P/placements/fallback-export                   CUSTOMER_SUPPORT
GET    /dashboard/funnel-templates                    me
GET    P/assets                                       CUSTOMER_SUPPORT
GET    P/assets/:id                                   CUSTOMER_SUPPORT
POST   P/assets/image                                 funnels:write
POST   P/assets/video                                 funnels:write
POST   P/assets/lottie                                funnels:write
PATCH  P/assets/:id                                   funnels:write
DELETE P/assets/:id                                   funnels:write
GET    P/fonts/families                               CUSTOMER_SUPPORT
POST   P/fonts/families                               funnels:write
DELETE P/fonts/families/:id                           funnels:write
POST   P/fonts/families/:id/faces                     funnels:write
DELETE P/fonts/families/:id/faces/:id                 funnels:write
GET    P/funnels                                      CUSTOMER_SUPPORT
POST   P/funnels                                      funnels:write
GET    P/funnels/:id                                  CUSTOMER_SUPPORT
PATCH  P/funnels/:id                                  funnels:write
DELETE P/funnels/:id                                  funnels:write
GET    P/funnels/:id/versions                         CUSTOMER_SUPPORT
GET    P/funnels/:id/preview-document                 CUSTOMER_SUPPORT
GET    P/funnels/:id/diff                             CUSTOMER_SUPPORT
POST   P/funnels/:id/validate                         CUSTOMER_SUPPORT
POST   P/funnels/:id/preview-link                     CUSTOMER_SUPPORT
GET    P/funnels/:id/translate-template               CUSTOMER_SUPPORT
POST   P/funnels/:id/translate-template               funnels:write
POST   P/funnels/:id/duplicate                        funnels:write
POST   P/funnels/:id/publish                          funnels:write
POST   P/funnels/:id/unpublish                        funnels:write
POST   P/funnels/:id/archive                          funnels:write
POST   P/funnels/:id/restore                          funnels:write
POST   P/funnels/:id/revert                           funnels:write
GET    P/funnels/:id/sessions                         CUSTOMER_SUPPORT
GET    P/funnels/:id/stats                            CUSTOMER_SUPPORT
GET    P/funnel-sessions/:id                          CUSTOMER_SUPPORT
POST   P/funnel-sessions/:id/claim-link               subscribers:write
GET    P/custom-domains                               CUSTOMER_SUPPORT
POST   P/custom-domains                               DEVELOPER
GET    P/custom-domains/:id                           CUSTOMER_SUPPORT
PATCH  P/custom-domains/:id                           DEVELOPER
DELETE P/custom-domains/:id                           DEVELOPER
POST   P/custom-domains/:id/verify                    DEVELOPER
GET    P/app-links                                    CUSTOMER_SUPPORT
PUT    P/app-links                                    DEVELOPER
GET    P/app-links/check                              DEVELOPER

People and money
GET    P/search                                       CUSTOMER_SUPPORT
GET    P/subscribers                                  CUSTOMER_SUPPORT
GET    P/subscribers/:id                              CUSTOMER_SUPPORT
GET    P/subscribers/:id/timeline                     CUSTOMER_SUPPORT
GET    P/subscribers/:id/ledger                       CUSTOMER_SUPPORT
GET    P/subscribers/:id/explain/:access              CUSTOMER_SUPPORT
PATCH  P/subscribers/:id/attributes                   subscribers:write
POST   P/subscribers/:id/credits                      credits:write
POST   P/subscribers/:id/transfer                     subscribers:write
POST   P/transfers/:id/undo                           subscribers:write
GET    P/transfers                                    subscribers:write
POST   P/subscribers/:id/dsar                         subscribers:gdpr
GET    P/dsar                                         subscribers:gdpr
GET    P/dsar/:id/download                            subscribers:gdpr
GET    P/subscriptions                                CUSTOMER_SUPPORT
GET    P/subscriptions/kpis                           CUSTOMER_SUPPORT
GET    P/subscriptions/renewal-calendar               CUSTOMER_SUPPORT
GET    P/subscriptions/billing-issues                 CUSTOMER_SUPPORT
GET    P/subscriptions/export.csv                     CUSTOMER_SUPPORT
POST   P/subscribers/:id/grants                       subscribers:write
POST   P/subscriptions/:purchaseId/schedule           subscribers:write
GET    P/subscriptions/scheduled                      subscribers:write
DELETE P/subscriptions/:purchaseId/schedule           subscribers:write
POST   P/subscriptions/:purchaseId/refund             refunds:write
POST   P/transactions/:id/refund                      refunds:write
GET    P/transactions                                 CUSTOMER_SUPPORT
GET    P/transactions/volume                          CUSTOMER_SUPPORT
GET    P/transactions/store-breakdown                 CUSTOMER_SUPPORT
GET    P/transactions/export.csv                      CUSTOMER_SUPPORT
POST   P/transactions/sync                            DEVELOPER
GET    P/refund-shield                                CUSTOMER_SUPPORT
PUT    P/refund-shield                                OWNER
GET    P/refund-shield/responses                      CUSTOMER_SUPPORT
GET    P/refund-shield/metrics                        CUSTOMER_SUPPORT
GET    P/notification-forwards                        CUSTOMER_SUPPORT
POST   P/notification-forwards                        ADMIN
DELETE P/notification-forwards/:id                    ADMIN
GET    P/store-events                                 DEVELOPER
GET    P/store-events/:id                             DEVELOPER
POST   P/store-events/:id/reprocess                   DEVELOPER
POST   P/store-events/fetch                           DEVELOPER

Webhook endpoints
GET    P/webhook-endpoints                            CUSTOMER_SUPPORT
POST   P/webhook-endpoints                            webhooks:write
GET    P/webhook-endpoints/:id                        CUSTOMER_SUPPORT
PATCH  P/webhook-endpoints/:id                        webhooks:write
DELETE P/webhook-endpoints/:id                        webhooks:write
POST   P/webhook-endpoints/:id/rotate-secret          webhooks:write
POST   P/webhook-endpoints/:id/test                   webhooks:write
GET    P/webhook-deliveries                           CUSTOMER_SUPPORT
GET    P/webhook-deliveries/:id                       CUSTOMER_SUPPORT
POST   P/webhook-deliveries/:id/retry                 webhooks:write
POST   P/webhook-deliveries/:id/dismiss               webhooks:write
POST   P/webhook-deliveries/:id/redeliver             webhooks:write
POST   P/webhook-deliveries/replay                    webhooks:write
GET    P/events                                       CUSTOMER_SUPPORT
GET    P/events/:id                                   CUSTOMER_SUPPORT
GET    P/events/listen-secret                         CUSTOMER_SUPPORT
GET    P/events/stream                                CUSTOMER_SUPPORT

Assistant
GET    P/assistant/credentials                        OWNER
PUT    P/assistant/credentials                        OWNER
DELETE P/assistant/credentials                        OWNER
GET    P/assistant/threads                            CUSTOMER_SUPPORT
POST   P/assistant/threads                            CUSTOMER_SUPPORT
GET    P/assistant/threads/:id                        CUSTOMER_SUPPORT
DELETE P/assistant/threads/:id                        CUSTOMER_SUPPORT
POST   P/assistant/threads/:id/stop                   CUSTOMER_SUPPORT
POST   P/assistant/threads/:id/messages               CUSTOMER_SUPPORT
GET    P/assistant/threads/:id/messages/:messageId/stream CUSTOMER_SUPPORT
GET    P/assistant/intents                            CUSTOMER_SUPPORT
GET    P/assistant/intents/:id                        CUSTOMER_SUPPORT
POST   P/assistant/intents/:id/execute                CUSTOMER_SUPPORT
POST   P/assistant/intents/:id/reject                 CUSTOMER_SUPPORT
POST   P/assistant/intents/:id/revise                 CUSTOMER_SUPPORT
GET    P/assistant/usage                              CUSTOMER_SUPPORT

Integrations
GET    P/integrations                                 CUSTOMER_SUPPORT
POST   P/integrations                                 ADMIN
PATCH  P/integrations/:id                             ADMIN
DELETE P/integrations/:id                             ADMIN
POST   P/integrations/validate                        DEVELOPER
POST   P/integrations/:id/test                        DEVELOPER
POST   P/integrations/:id/backfill                    ADMIN
GET    P/integrations/:id/deliveries                  CUSTOMER_SUPPORT
POST   P/integration-deliveries/:id/redeliver         webhooks:write

Charts
GET    P/charts                                       CUSTOMER_SUPPORT
GET    P/charts/:chartId                              CUSTOMER_SUPPORT
GET    P/charts/:chartId/export                       CUSTOMER_SUPPORT
GET    P/charts/:chartId/rows                         CUSTOMER_SUPPORT

Cohorts, leaderboards, notes on charts
GET    P/cohorts                                      CUSTOMER_SUPPORT
POST   P/cohorts                                      audiences:write
PATCH  P/cohorts/:id                                  audiences:write
DELETE P/cohorts/:id                                  audiences:write
GET    P/cohorts/:id/members                          CUSTOMER_SUPPORT
GET    P/cohorts/:id/analysis                         CUSTOMER_SUPPORT
GET    P/leaderboards                                 CUSTOMER_SUPPORT
GET    P/overview                                     CUSTOMER_SUPPORT
GET    P/overview/live                                CUSTOMER_SUPPORT
GET    P/usage                                        CUSTOMER_SUPPORT
GET    P/billing                                      CUSTOMER_SUPPORT
GET    P/billing/usage                                CUSTOMER_SUPPORT
GET    P/billing/budget                               ADMIN
PUT    P/billing/budget                               ADMIN
POST   P/billing/upgrade                              ADMIN
POST   P/billing/cancel                               ADMIN
POST   P/billing/cancel/undo                          ADMIN
POST   P/billing/refresh                              ADMIN
GET    P/billing/details                              ADMIN
PUT    P/billing/details                              ADMIN
GET    P/billing/payment-methods                      ADMIN
POST   P/billing/payment-methods                      ADMIN
POST   P/billing/payment-methods/:id/default          ADMIN
DELETE P/billing/payment-methods/:id                  ADMIN
GET    P/billing/invoices                             ADMIN
GET    P/billing/invoices/:id                         ADMIN
GET    /dashboard/billing/plans                       me
GET    P/test-store                                   CUSTOMER_SUPPORT
POST   P/test-store/purchases                         DEVELOPER
GET    P/test-store/status                            DEVELOPER
POST   P/test-store/simulations                       DEVELOPER
POST   P/leaderboards                                 leaderboards:write
PATCH  P/leaderboards/:id                             leaderboards:write
DELETE P/leaderboards/:id                             leaderboards:write
GET    P/leaderboards/:id/entries                     CUSTOMER_SUPPORT
GET    P/charts/views                                 CUSTOMER_SUPPORT
POST   P/charts/views                                 CUSTOMER_SUPPORT
DELETE P/charts/views/:id                             CUSTOMER_SUPPORT
GET    P/charts/annotations                           CUSTOMER_SUPPORT
POST   P/charts/annotations                           CUSTOMER_SUPPORT
DELETE P/charts/annotations/:id                       CUSTOMER_SUPPORT
Analytics
GET    P/metrics/summary                               CUSTOMER_SUPPORT
GET    P/metrics/mrr                                   CUSTOMER_SUPPORT
GET    P/metrics/mrr-movement                          CUSTOMER_SUPPORT
GET    P/metrics/revenue                               CUSTOMER_SUPPORT
GET    P/metrics/churn                                 CUSTOMER_SUPPORT
GET    P/metrics/trials                                CUSTOMER_SUPPORT
GET    P/metrics/refunds                               CUSTOMER_SUPPORT
GET    P/metrics/proceeds                              CUSTOMER_SUPPORT
GET    P/metrics/active                                CUSTOMER_SUPPORT
GET    P/metrics/retention                             CUSTOMER_SUPPORT
GET    P/metrics/ltv                                   CUSTOMER_SUPPORT
PUT    P/commission-rates                             project:settings:write
GET    P/queries/schema                               DEVELOPER
GET    P/queries                                      DEVELOPER
POST   P/queries                                      DEVELOPER
PATCH  P/queries/:id                                  DEVELOPER
DELETE P/queries/:id                                  DEVELOPER
POST   P/queries/execute                              DEVELOPER
Exports of data
GET    P/exports                                      ADMIN
GET    P/exports/schedules                            ADMIN
POST   P/exports/schedules                            subscribers:gdpr
PATCH  P/exports/schedules/:id                        subscribers:gdpr
DELETE P/exports/schedules/:id                        subscribers:gdpr
Comparison with another service
GET    P/sdk-door                                     CUSTOMER_SUPPORT
PUT    P/sdk-door                                     ADMIN
GET    P/sdk-door/calls                               CUSTOMER_SUPPORT
GET    P/compare/runs                                 subscribers:import
POST   P/compare/runs                                 subscribers:import
GET    P/compare/runs/:id                             subscribers:import
POST   P/compare/runs/:id/cancel                      subscribers:import
GET    P/compare/runs/:id/findings                    subscribers:import
GET    P/compare/runs/:id/findings.csv                subscribers:import
GET    P/compare/schedule                             subscribers:import
PUT    P/compare/schedule                             subscribers:import
DELETE P/compare/schedule                             subscribers:import

Imports
POST   P/imports                                      subscribers:import
GET    P/imports                                      subscribers:import
GET    P/imports/:id                                  subscribers:import
GET    P/imports/:id/report.csv                       subscribers:import
PATCH  P/imports/:id/mapping                          subscribers:import
POST   P/imports/:id/dry-run                          subscribers:import
POST   P/imports/:id/commit                           subscribers:import
POST   P/imports/:id/resume                           subscribers:import
POST   P/imports/:id/cancel                           subscribers:import
POST   P/imports/:id/undo                             subscribers:import
POST   P/imports/:id/products                         subscribers:import
POST   P/imports/:id/parts                            subscribers:import

Project file
GET    P/project-file                                 project:read
GET    P/project-file/drift                           project:read
DELETE P/project-file/drift                           project:settings:write
POST   P/project-file/plan                            project:read
POST   P/project-file/apply                           project:read
POST   P/project-file/patch                           project:read

Platform
GET    /admin/projects                                admin
GET    /admin/projects/:id                            admin
PUT    /admin/projects/:id/plan                       admin
POST   /admin/projects/:id/suspend                    admin
POST   /admin/projects/:id/unsuspend                  admin
GET    /admin/users                                   admin
GET    /admin/users/:id                               admin
POST   /admin/users/:id/sign-out                      admin
GET    /admin/support-grants                          admin
POST   /admin/projects/:id/support-grants             admin
DELETE /admin/support-grants/:id                      admin
GET    /admin/metrics                                 admin
GET    /admin/outbox                                  admin
GET    /admin/jobs                                    admin
GET    /admin/audit-log                               admin
GET    /admin/tls                                     admin
POST   /admin/tls/renew                               admin
`

export const P = '/dashboard/projects/:projectId'

export interface OperatorRoute {
  method: string
  /** As Elysia registers it, such as `/dashboard/projects/:projectId/members/:userId`. */
  path: string
  who: string
}

export const OPERATOR_ROUTES: readonly OperatorRoute[] = TABLE.split('\n')
  .map((line) => /^([A-Z]+) +(\S+) +(\S.*)$/.exec(line.trim()))
  .filter((row) => row !== null)
  .map(([, method = '', path = '', who = '']) => ({ method, path: path.replace(/^P(?=\/|$)/, P), who }))

/** Whether a registered route is one of those that the table must have. */
export const isOperatorRoute = (route: string): boolean =>
  /^[A-Z]+ \/(dashboard|admin|api\/auth|invitations|unsubscribe|webhooks\/mail)(\/|$)/.test(route)
