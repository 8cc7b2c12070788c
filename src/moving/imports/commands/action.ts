import type { Io } from '../../../base/cli/command'
import { type RemoteValues, remoteOptions } from '../../../base/cli/remote'
import { stopSignal } from '../../../base/cli/storage'
import { withTarget } from '../../../base/cli/target'
import type { ImportTarget } from './target'
import { localImports } from './target-local'
import { remoteImports } from './target-remote'

/** One action of `svc import`. It reads its own options. */
export interface ImportCommandAction {
  /** Its lines in the help of the command. */
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

export const commonOptions = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  ...remoteOptions,
} as const

export interface CommonValues extends RemoteValues {
  project?: string | undefined
  json?: boolean | undefined
}

/** Runs the work on the imports of the project that the options name. */
export const withImports = (
  io: Io,
  values: CommonValues,
  work: (imports: ImportTarget) => Promise<number>,
): Promise<number> =>
  withTarget(io, values, {
    server: async (remote) => work(await remoteImports(remote, values.project, stopSignal(io))),
    machine: async (ctx) => work(await localImports(ctx, values.project, stopSignal(io))),
  })
