import { slice } from '../../base/slice'
import { projectCommand } from './command'
import { ConfigWatch } from './config-watch'
import { projectExamination } from './doctor'
import { KeyRing } from './key-ring'
import { ProjectCache } from './project-cache'
import { flushKeyUse } from './service'
import { projectTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    projects: ProjectCache
    keys: KeyRing
    configWatch: ConfigWatch
  }
}

/** Milliseconds between reads of the configuration revision, one row each. A remote libSQL server may count reads. */
const CONFIG_CHECK_MS = { file: 100, postgres: 250, replica: 1000, remote: 1000 } as const

export const project = slice({
  name: 'project',
  tables: projectTables,
  cachedRows: {
    projects: 'NOBODY',
    apiKeys: 'NOBODY',
    storeSettings: 'NOBODY',
    auditLog: 'NOBODY',
    objectRevisions: 'NOBODY',
    revisions: 'NOBODY',
  },
  personalData: {
    projects: 'NOTHING',
    apiKeys: 'NOTHING',
    storeSettings: 'NOTHING',
    auditLog: 'REDUCED',
    objectRevisions: 'NOTHING',
    revisions: 'NOTHING',
  },
  exportedRows: {
    auditLog: { withheld: 'what staff of the operator did; what that changed about the person is in the other files' },
  },
  state: {
    projects: ({ storage, log, hooks }) => new ProjectCache(storage, log, hooks.projectParts ?? []),
    keys: ({ storage, clock }) => new KeyRing(storage, clock),
    configWatch: (ctx) =>
      new ConfigWatch(ctx, (projectId) => {
        ctx.state.projects.forget(projectId)
        ctx.state.keys.forget(projectId)
      }),
  },
  commands: [projectCommand],
  doctor: projectExamination,
  loops: [
    { name: 'config watch', everyMs: CONFIG_CHECK_MS, run: (ctx) => ctx.state.configWatch.check() },
    { name: 'key use', everyMs: 60_000, run: flushKeyUse },
  ],
})
