import { slice } from '../../base/slice'
import { audienceTables } from './tables'

export const audiences = slice({ name: 'audiences', tables: audienceTables, cachedRows: { audiences: 'NOBODY' } })
