import { type Examination, ok, warn } from '../base/cli/doctor'

/** Whether purchases can be made that nobody pays for. */
export const testStoreExamination: Examination = {
  name: 'test-store',
  host({ isSimulatorOn, mode }) {
    const name = 'simulator'
    if (!isSimulatorOn) return [ok(name, 'The test store is off.')]
    if (mode === 'development') return [ok(name, 'The test store is on, in development mode.')]
    const sentence = 'The test store is on: it makes sandbox purchases; set SVC_SIMULATOR=off once you are live.'
    return [warn(name, sentence)]
  },
}
