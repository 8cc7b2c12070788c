import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../jobs/registry'
import { forgetOldAnswers } from './idempotency'

const forgetAnswers = defineJob({
  name: 'http.forget-answers',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: forgetOldAnswers,
})

/** Hourly: drops idempotency answers that are past their day. */
export const httpCron = [cronLine({ name: 'forget-answers', pattern: '17 * * * *', job: forgetAnswers })]
