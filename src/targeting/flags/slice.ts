import { slice } from '../../base/slice'
import { flagCommand } from './command'
import { flagTables } from './tables'

export const flags = slice({ name: 'flags', tables: flagTables, commands: [flagCommand] })
