import { slice } from '../base/slice'
import { deliverWaiting } from './service/deliver'
import { simulatorTables } from './stores/tables'

export const testStore = slice({
  name: 'test-store',
  tables: simulatorTables,
  cachedRows: {
    simulatorKeys: 'NOBODY',
    simulatorChains: 'NOBODY',
    simulatorStores: 'NOBODY',
    simulatorMessages: 'NOBODY',
  },
  loops: [{ name: 'test store', everyMs: 2000, isOn: ({ isSimulatorOn }) => isSimulatorOn, run: deliverWaiting }],
})
