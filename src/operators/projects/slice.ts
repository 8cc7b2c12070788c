import { slice } from '../../base/slice'
import { ownProjectRoutes } from './account-routes'
import { keyCommand } from './key-command'
import { projectRoutes } from './routes'

/** Projects and their API keys in the dashboard. */
export const operatorProjects = slice({
  name: 'operator-projects',
  operatorRoutes: projectRoutes,
  accountRoutes: ownProjectRoutes,
  commands: [keyCommand],
})
