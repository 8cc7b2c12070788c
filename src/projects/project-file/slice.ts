import { slice } from '../../base/slice'
import { projectSection } from './project'

export const projectFile = slice({ name: 'project-file', projectFile: [projectSection] })
