import { Elysia } from 'elysia'
import { Counter } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { appFileRoutes, appLinksOperatorRoutes } from './app-links/routes'
import { appLinksSection } from './app-links/section'
import { buyerRoutes } from './buyer/routes'
import { emailClaimJob } from './email-claim'
import { claimHostRoutes } from './host-routes'
import { claimOperatorRoutes } from './operator-routes'
import { eraseClaims, exportClaims } from './personal-data'
import { claimPublicRoutes } from './public-routes'
import { findFreeToken } from './queries'
import { claimRetention } from './retention'
import { claimRoutes } from './routes'
import { claimTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    fmv: string
    fop: string
  }
}

const metrics = ({ registry }: MetricParts) => ({
  funnelClaims: new Counter({
    name: 'svc_funnel_claims_total',
    help: 'Paid funnel sessions that a subscriber claimed',
    registers: [registry],
  }),
  funnelAttributesDropped: new Counter({
    name: 'svc_funnel_attributes_dropped_total',
    help: 'Answers of funnels that could not become attributes at a claim',
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

export const funnelClaims = slice({
  name: 'funnel-claims',
  tables: claimTables,
  metrics,
  projectFile: [appLinksSection],
  routes: claimRoutes,
  publicRoutes: (ctx) => new Elysia().use(claimPublicRoutes(ctx)).use(buyerRoutes(ctx)).use(appFileRoutes(ctx)),
  hostRoutes: claimHostRoutes,
  operatorRoutes: (ctx) => new Elysia().use(appLinksOperatorRoutes(ctx)).use(claimOperatorRoutes(ctx)),
  jobs: [emailClaimJob],
  retention: claimRetention,
  cachedRows: {
    funnelTokens: 'NOBODY',
    funnelMoves: 'NOBODY',
    funnelLinks: 'NOBODY',
    funnelOpenings: 'NOBODY',
    appLinks: 'NOBODY',
  },
  funnelSessionFacts: async (ctx, { id }) => ({
    hasClaimToken: (await findFreeToken(ctx, id, ctx.clock.now())) !== null,
  }),
  onErase: eraseClaims,
  onExport: exportClaims,
  personalData: {
    funnelTokens: 'ERASED',
    funnelMoves: 'KEPT_WITHOUT_IDENTITY',
    funnelLinks: 'ERASED',
    funnelOpenings: 'ERASED',
    appLinks: 'NOTHING',
  },
  exportedRows: {
    funnelTokens: { withheld: 'a secret' },
    funnelMoves: 'funnels.jsonl',
    funnelLinks: { withheld: 'a secret' },
    funnelOpenings: { withheld: 'hashes that nobody can turn back into an address' },
  },
})
