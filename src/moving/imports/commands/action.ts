import type { Io } from '../../../base/cli/command'
import type { RemoteValues } from '../../../base/cli/remote'
import { stopSignal } from '../../../base/cli/storage'
import { projectOptions, withProject } from '../../../projects/project/project-api'
import type { ImportTarget } from './target'
import { localImports } from './target-local'
import { remoteImports } from './target-remote'

/** One action of `svc import`. It reads its own options. */
export interface ImportCommandAction {
  /** Its lines in the help of the command. */
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

export const commonOptions = projectOptions

export interface CommonValues extends RemoteValues {
  project?: string | undefined
  json?: boolean | undefined
}

/** Runs the work on the imports of the project that the options name. On this machine the command imports by itself. */
export const withImports = (
  io: Io,
  values: CommonValues,
  work: (imports: ImportTarget) => Promise<number>,
): Promise<number> =>
  withProject(io, values, (project) => {
    const { ctx, id } = project
    return work(ctx ? localImports(ctx, id, stopSignal(io)) : remoteImports(project, stopSignal(io)))
  })
