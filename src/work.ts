import { Type } from '@sinclair/typebox'
import { actionCron } from './actions/jobs'
import { eventCron } from './events/jobs'
import { experimentCron } from './experiments/jobs'
import { forgetOldAnswers } from './http/idempotency'
import { cronLine, defineJob } from './jobs/registry'
import { notificationCron } from './notifications/jobs'
import { androidAcknowledge } from './purchases/android/acknowledge'
import { purchaseCron } from './purchases/jobs'
import { refundAnswer } from './refund-shield/jobs'
import { targetingCron } from './targeting/jobs'

const forgetAnswers = defineJob({
  name: 'http.forget-answers',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: forgetOldAnswers,
})

/** Hourly: drops idempotency answers that are past their day. */
const httpCron = [cronLine({ name: 'forget-answers', pattern: '17 * * * *', job: forgetAnswers })]

/** Every job that a transaction can enqueue. */
export const JOBS = [androidAcknowledge, refundAnswer]
/** Every job that the clock enqueues (wire 5.18). */
export const CRON = [
  ...purchaseCron,
  ...actionCron,
  ...notificationCron,
  ...eventCron,
  ...targetingCron,
  ...experimentCron,
  ...httpCron,
]
