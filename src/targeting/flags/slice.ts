import { slice } from '../../base/slice'
import { flagCommand } from './command'
import { flagSection } from './project-file/section'
import { flagTables } from './tables'

export const flags = slice({
  name: 'flags',
  projectFile: [flagSection],
  tables: flagTables,
  commands: [flagCommand],
})
