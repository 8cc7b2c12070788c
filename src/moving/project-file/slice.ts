import { slice } from '../../base/slice'
import { applyCommand } from './apply-command'
import { exportCommand } from './export-command'

export const projectFile = slice({ name: 'project-file', commands: [applyCommand, exportCommand] })
