import { slice } from '../../base/slice'
import { flagAudienceUsers } from './audience-users'
import { flagTables } from './tables'

export const flags = slice({ name: 'flags', tables: flagTables, audienceUsers: flagAudienceUsers })
