import { Elysia } from 'elysia'
import { slice } from '../../base/slice'
import { applyCommand } from './apply-command'
import { Drifts } from './drift'
import { driftRoutes } from './drift-routes'
import { exportCommand } from './export-command'
import { projectFileRoutes } from './operator-routes'
import { schemaRoutes } from './schema-routes'
import { projectFileTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    drifts: Drifts
  }
}

export const projectFileCommands = slice({
  name: 'project-file-commands',
  tables: projectFileTables,
  cachedRows: { appliedFiles: 'NOBODY' },
  personalData: { appliedFiles: 'NOTHING' },
  state: { drifts: (ctx) => new Drifts(ctx) },
  publicRoutes: schemaRoutes,
  operatorRoutes: (ctx) => new Elysia().use(projectFileRoutes(ctx)).use(driftRoutes(ctx)),
  commands: [applyCommand, exportCommand],
})
