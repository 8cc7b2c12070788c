import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { UsageError } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { testOfProject, toEnvironment } from '../catch-up/command-ios'
import type { StoreCommand } from './sub-command'

const App = Type.Object({
  store: Type.String(),
  status: Type.String(),
  lastNotificationAt: Type.Union([Type.String(), Type.Null()]),
})

const MAX_APPS = 100

/** `svc store status`. The circuits belong to the server, so they are not shown. */
export const storeStatus: StoreCommand = {
  words: 'status',
  usage: 'svc store status                              which stores are connected, and when each reported last',
  run(args, io) {
    const { values } = parseArgs({ args: [...args], options: projectOptions })
    return withProject(io, values, async (project) => {
      const apps = await project.list(['apps'], { item: App, limit: MAX_APPS })
      const items = apps.items.map(({ store, status, lastNotificationAt }) => ({ store, status, lastNotificationAt }))
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
      ...projectOptions,
      environment: { type: 'string' },
      wait: { type: 'string', default: '30' },
    } as const
    const { values } = parseArgs({ args: [...args], options })
    const environment = toEnvironment(values.environment)
    if (!/^\d{1,4}$/.test(values.wait)) throw new UsageError(`--wait takes whole seconds, not "${values.wait}"`)
    const order = { environment, token: values.token, waitSeconds: Number(values.wait) }
    return testOfProject(io, values, order)
  },
}
