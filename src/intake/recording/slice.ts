import { slice } from '../../base/slice'
import { recordingCron } from './jobs'

export const recording = slice({ name: 'recording', cron: recordingCron })
