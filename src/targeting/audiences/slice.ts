import { slice } from '../../base/slice'
import { insertDefaultAudience } from './service'
import { audienceTables } from './tables'

export const audiences = slice({ name: 'audiences', tables: audienceTables, onCreateProject: insertDefaultAudience })
