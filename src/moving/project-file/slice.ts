import { Elysia } from 'elysia'
import type { FairQueue } from '../../base/http/fair-queue'
import { slice } from '../../base/slice'
import { FileReader } from '../../projects/project-file/file-reader'
import { applyCommand } from './apply-command'
import { Drifts } from './drift'
import { driftRoutes } from './drift-routes'
import { exportCommand } from './export-command'
import { fileQueue } from './file-turns'
import { projectFileRoutes } from './operator-routes'
import { schemaRoutes } from './schema-routes'
import { projectFileTables } from './tables'
import { typesCommand } from './types-command'

declare module '../../base/state' {
  interface SliceState {
    drifts: Drifts
    fileQueue: FairQueue
    fileReader: FileReader
  }
}

export const projectFileCommands = slice({
  name: 'project-file-commands',
  tables: projectFileTables,
  cachedRows: { appliedFiles: 'NOBODY' },
  personalData: { appliedFiles: 'NOTHING' },
  state: { drifts: (ctx) => new Drifts(ctx), fileQueue, fileReader: () => new FileReader() },
  publicRoutes: schemaRoutes,
  operatorRoutes: (ctx) => new Elysia().use(projectFileRoutes(ctx)).use(driftRoutes(ctx)),
  commands: [applyCommand, exportCommand, typesCommand],
})
