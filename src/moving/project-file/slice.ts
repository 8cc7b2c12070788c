import { slice } from '../../base/slice'
import { applyCommand } from './apply-command'
import { exportCommand } from './export-command'
import { projectFileRoutes } from './operator-routes'

export const projectFileCommands = slice({
  name: 'project-file-commands',
  operatorRoutes: projectFileRoutes,
  commands: [applyCommand, exportCommand],
})
