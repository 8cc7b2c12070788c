import { type Check, type Examination, ok, warn } from '../cli/doctor'
import type { Handle } from '../db/handle'
import { countByState } from './queries'

/** Whether any job has given up. */
export const jobExamination: Examination = {
  name: 'jobs',
  database: async ({ handle }) => [await checkJobs(handle)],
}

async function checkJobs(handle: Handle): Promise<Check> {
  const dead = (await countByState(handle)).get('DEAD') ?? 0
  if (dead === 0) return ok('jobs', 'None has given up.')
  const subject = dead === 1 ? '1 job has' : `${dead} jobs have`
  return warn('jobs', `${subject} given up after the last attempt; see why and repeat them in the console.`)
}
