import type { Io } from '../../base/cli/command'
import type { RemoteValues } from '../../base/cli/remote'
import { withTarget } from '../../base/cli/target'
import { localWebhooks, remoteWebhooks, type WebhookTarget } from './command-target'

interface CommonValues extends RemoteValues {
  project?: string | undefined
}

/** Runs the work on the endpoints of the project that the options name. */
export const withWebhooks = (
  io: Io,
  values: CommonValues,
  work: (webhooks: WebhookTarget) => Promise<number>,
): Promise<number> =>
  withTarget(io, values, {
    server: async (remote) => work(await remoteWebhooks(remote, values.project)),
    machine: async (ctx) => work(await localWebhooks(ctx, values.project)),
  })
