import { answerRetention, jobRetention } from './retention/own-rules'
import { retentionCron } from './retention/sweep'
import { slice } from './slice'

/** The hourly sweep of what has reached its age. Each slice declares its own rules. */
export const retention = slice({ name: 'retention', retention: [answerRetention, jobRetention], cron: retentionCron })
