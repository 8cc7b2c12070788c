import { Elysia } from 'elysia'
import { slice } from '../../base/slice'
import { deleteWithFunnels, versionsInUse } from './deleted-funnels'
import { FunnelDocuments } from './documents'
import { sessionsMerge } from './on-merge'
import { sessionOperatorRoutes } from './operator-routes'
import { hostPageRoutes } from './page/host-routes'
import { funnelPageRoutes } from './page/routes'
import { eraseSessions } from './personal-data'
import { exportSessions } from './personal-export'
import { publicFunnelRoutes } from './public-routes'
import { sessionCron, sessionRetention } from './retention'
import { SESSION_HEADER } from './secret'
import { sessionTables } from './tables'
import './hooks'

declare module '../../base/state' {
  interface SliceState {
    funnelDocuments: FunnelDocuments
  }
}

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    fse: string
  }
}

export const funnelSessions = slice({
  name: 'funnel-sessions',
  describedPaths: ['/public/funnels/', '/public/funnel-sessions/', '/public/placements/'],
  tags: [{ name: 'Funnel visitors', description: 'What a page of your own calls to lead a visitor through a funnel.' }],
  tables: sessionTables,
  publicRoutes: (ctx) => new Elysia().use(publicFunnelRoutes(ctx)).use(funnelPageRoutes(ctx)),
  hostRoutes: (ctx) => new Elysia().use(publicFunnelRoutes(ctx)).use(hostPageRoutes(ctx)),
  state: { funnelDocuments: () => new FunnelDocuments() },
  browserHeaders: { allowed: [SESSION_HEADER] },
  operatorRoutes: sessionOperatorRoutes,
  onDeleteFunnels: deleteWithFunnels,
  usedFunnelVersions: versionsInUse,
  onErase: eraseSessions,
  onExport: exportSessions,
  onMerge: sessionsMerge,
  retention: [sessionRetention],
  cron: sessionCron,
  cachedRows: { funnelSessions: 'NOBODY', funnelAnswers: 'NOBODY', funnelSteps: 'NOBODY' },
  personalData: { funnelSessions: 'REDUCED', funnelAnswers: 'ERASED', funnelSteps: 'KEPT_WITHOUT_IDENTITY' },
  exportedRows: { funnelSessions: 'funnels.jsonl', funnelAnswers: 'funnels.jsonl', funnelSteps: 'funnels.jsonl' },
})
