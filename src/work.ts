import { Type } from '@sinclair/typebox'
import { forgetOldAnswers } from './base/http/idempotency'
import { cronLine, defineJob } from './base/jobs/registry'
import { actionCron } from './commerce/actions/jobs'
import { androidAcknowledge } from './intake/android/acknowledge'
import { notificationCron } from './intake/catch-up/jobs'
import { purchaseCron } from './intake/reconcile/jobs'
import { refundAnswer } from './intake/refund-shield/jobs'
import { eventCron } from './people/events/jobs'
import { experimentCron } from './targeting/experiments/jobs'
import { targetingCron } from './targeting/experiments/schedule-jobs'

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
