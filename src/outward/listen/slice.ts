import { slice } from '../../base/slice'
import { listenCommand } from './command'
import { listenOperatorRoutes, listenRoutes } from './routes'

/** The events of a project on a developer's machine. */
export const listening = slice({
  name: 'listen',
  routes: listenRoutes,
  operatorRoutes: listenOperatorRoutes,
  commands: [listenCommand],
})
