import { slice } from '../../base/slice'
import { funnelTables } from './tables'

export const funnelPublication = slice({ name: 'funnel-publication', tables: funnelTables })
