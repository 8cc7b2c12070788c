import { Type } from '@sinclair/typebox'
import { defineJob } from '../../base/jobs/registry'
import { mailResetLink, mailVerificationLink } from './mail-flows'

const payload = Type.Object({ email: Type.String({ maxLength: 254 }) }, { additionalProperties: false })

/** The token is made here and not at the request, so that no job holds one. */
export const passwordResetJob = defineJob({
  name: 'sign-in.mail-password-reset',
  payload,
  handle: (ctx, { email }) => mailResetLink(ctx, email),
})

export const verificationJob = defineJob({
  name: 'sign-in.mail-verification',
  payload,
  handle: (ctx, { email }) => mailVerificationLink(ctx, email),
})

export const signInJobs = [passwordResetJob, verificationJob]
