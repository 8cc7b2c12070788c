import { slice } from '../../base/slice'
import { importProjectCommand } from './import-command'

/** Whole projects, moved from one deployment to another. */
export const projectMove = slice({ name: 'project-move', commands: [importProjectCommand] })
