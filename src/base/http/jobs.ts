import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../jobs/registry'
import { forgetOldAnswers } from './idempotency'

const forgetAnswers = defineJob({
  name: 'http.forget-answers',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: forgetOldAnswers,
})

/** Hourly: deletes saved answers of Idempotency-Keys that are older than a day. */
export const httpCron = [cronLine({ name: 'forget-answers', pattern: '17 * * * *', job: forgetAnswers })]
