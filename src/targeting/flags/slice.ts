import { slice } from '../../base/slice'
import { flagSection } from './project-file/section'
import { flagTables } from './tables'

export const flags = slice({
  name: 'flags',
  projectFile: [flagSection],
  tables: flagTables,
  cachedRows: { flags: 'NOBODY' },
})
