import { slice } from '../../base/slice'
import { funnelSection } from './project-file/section'
import { funnelTables } from './tables'

export const funnels = slice({ name: 'funnels', projectFile: [funnelSection], tables: funnelTables })
