import { lazily } from '../../base/lib/lazily'
import { slice } from '../../base/slice'
import { sdkCommand } from './command'
import { readClient, type ServedClient, servedClient } from './files'
import { clientRoutes } from './routes'

declare module '../../base/state' {
  interface SliceState {
    /** The client for pages. It is read when it is first asked for. */
    servedClient: () => ServedClient | null
  }
}

export const client = slice({
  name: 'client',
  state: { servedClient: () => lazily(() => servedClient(readClient())) },
  publicRoutes: clientRoutes,
  commands: [sdkCommand],
})
