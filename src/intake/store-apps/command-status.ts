import { parseArgs } from 'node:util'
import { UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import { toIsoOrNull } from '../../base/lib/time'
import { requireProject } from '../../projects/project/lookup'
import { testConnection, toEnvironment } from '../catch-up/command-ios'
import { listApps } from './apps'
import type { StoreCommand } from './sub-command'

const common = { project: { type: 'string' }, data: { type: 'string' }, json: { type: 'boolean' } } as const

/** `svc store status`. The circuits belong to the server, so they are not shown. */
export const storeStatus: StoreCommand = {
  words: 'status',
  usage: 'svc store status                              which stores are connected, and when each reported last',
  run(args, io) {
    const { values } = parseArgs({ args: [...args], options: common })
    return withContext(io, values, async (ctx) => {
      const project = await ctx.state.projects.get((await requireProject(ctx, values.project)).id)
      const items = (await listApps(ctx, project)).map(({ store, status, lastNotificationAt }) => ({
        store,
        status,
        lastNotificationAt: toIsoOrNull(lastNotificationAt),
      }))
      const lines = items.map((item) => [item.store, item.status, item.lastNotificationAt ?? '-'])
      io.out(values.json ? JSON.stringify({ items }) : table([['store', 'status', 'last notification'], ...lines]))
      return 0
    })
  },
}

/** `svc store test`: the same as `svc store-events test`. */
export const testStore: StoreCommand = {
  words: 'test',
  usage:
    'svc store test [--environment production|sandbox] [--wait 30] [--token TOKEN]    the App Store sends a test now',
  run(args, io) {
    const options = {
      ...common,
      environment: { type: 'string' },
      wait: { type: 'string', default: '30' },
      token: { type: 'string' },
    } as const
    const { values } = parseArgs({ args: [...args], options })
    const environment = toEnvironment(values.environment)
    if (!/^\d{1,4}$/.test(values.wait)) throw new UsageError(`--wait takes whole seconds, not "${values.wait}"`)
    const order = { environment, token: values.token, waitSeconds: Number(values.wait) }
    return withContext(io, values, async (ctx) => {
      const project = await ctx.state.projects.get((await requireProject(ctx, values.project)).id)
      return testConnection(ctx, io, project, order, values.json)
    })
  },
}
