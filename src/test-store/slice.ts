import { slice } from '../base/slice'
import { simulateCommand } from './command/simulate'
import { testStoreExamination } from './doctor'
import { deliverWaiting } from './service/deliver'
import { simulatorTables } from './stores/tables'

export const testStore = slice({
  name: 'test-store',
  tables: simulatorTables,
  loops: [{ name: 'test store', everyMs: 2000, isOn: ({ isSimulatorOn }) => isSimulatorOn, run: deliverWaiting }],
  commands: [simulateCommand],
  doctor: testStoreExamination,
})
