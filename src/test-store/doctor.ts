import { type Examination, ok, warn } from '../base/cli/doctor'

/** Whether purchases can be made without a payment. */
export const testStoreExamination: Examination = {
  name: 'test-store',
  host({ isSimulatorOn, mode, masterKey }) {
    const name = 'simulator'
    if (!isSimulatorOn) return [ok(name, 'The test store is off.')]
    if (masterKey === 'off') return [warn(name, NO_KEY)]
    if (mode === 'development') return [ok(name, 'The test store is on, in development mode.')]
    const sentence = 'The test store is on: it makes sandbox purchases; set SVC_SIMULATOR=off once you are live.'
    return [warn(name, sentence)]
  },
}

const NO_KEY =
  'The test store is on, and has no master key to save its keys with; remove SVC_MASTER_KEY=off, or set SVC_SIMULATOR=off.'
