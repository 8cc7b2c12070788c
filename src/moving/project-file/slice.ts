import { slice } from '../../base/slice'
import { applyCommand } from './apply-command'
import { exportCommand } from './export-command'

export const projectFileCommands = slice({ name: 'project-file-commands', commands: [applyCommand, exportCommand] })
