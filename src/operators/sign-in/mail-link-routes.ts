import type { Context } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import type { Job } from '../../base/jobs/registry'
import type { Visit } from '../accounts/cookies'
import { emailKey } from '../accounts/email'
import { passwordResetJob, verificationJob } from './jobs'
import { limitMail } from './limits'
import { resetPassword, verifyEmail } from './mail-flows'
import { visitor } from './visitor'
import { AcceptedAnswer, MailBody, NextAnswer, ResetBody, TokenBody } from './wire'

const tags = ['Sign-in']
const SIGN_IN = { data: { next: 'SIGN_IN' as const } }

/** Links in mails: asking for one, and using it. */
export const mailLinkRoutes = (ctx: Context) =>
  visitor(ctx)
    .post('/password-reset', ({ visit, body }) => accept(ctx, visit, passwordResetJob, body.email), {
      body: MailBody,
      response: AcceptedAnswer,
      detail: {
        tags,
        summary: 'Ask for a link to choose a new password',
        description: 'The answer is the same for every address.',
        operationId: 'requestPasswordReset',
      },
    })
    .post(
      '/password-reset/confirm',
      async ({ body }) => {
        await resetPassword(ctx, body.token, body.password)
        return SIGN_IN
      },
      {
        body: ResetBody,
        response: NextAnswer,
        detail: {
          tags,
          'x-errors': ['UNAUTHORIZED'],
          summary: 'Choose a new password with the link',
          description: 'Opens no session. All sessions of the account end; personal access tokens stay.',
          operationId: 'resetPassword',
        },
      },
    )
    .post(
      '/verify-email',
      async ({ body }) => {
        await verifyEmail(ctx, body.token)
        return SIGN_IN
      },
      {
        body: TokenBody,
        response: NextAnswer,
        detail: { tags, 'x-errors': ['UNAUTHORIZED'], summary: 'Confirm a mail address', operationId: 'verifyEmail' },
      },
    )
    .post('/verify-email/resend', ({ visit, body }) => accept(ctx, visit, verificationJob, body.email), {
      body: MailBody,
      response: AcceptedAnswer,
      detail: {
        tags,
        summary: 'Ask for the link to confirm an address again',
        description: 'The answer is the same for every address.',
        operationId: 'resendVerification',
      },
    })

/** Does the same work for every address: the job finds out whether there is an account. */
async function accept(ctx: Context, visit: Visit, job: Job<{ email: string }>, email: string) {
  await limitMail(ctx, visit, job.name, email)
  await ctx.write((tx) => enqueue(tx, job, { email }, { dedupeKey: emailKey(email) }))
  return { data: { accepted: true as const } }
}
