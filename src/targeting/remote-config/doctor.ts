import type { Examination } from '../../base/cli/doctor'
import { readRemote } from './load'

/** Whether every stored audience, flag and experiment can be evaluated. */
export const remoteConfigExamination: Examination = {
  name: 'remote-config',
  project: async ({ handle }, { id }) => ({ broken: (await readRemote(handle, id)).faults }),
}
