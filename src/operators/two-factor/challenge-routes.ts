import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { toMe } from '../accounts/me'
import { visitor } from '../sign-in/visitor'
import { answerChallenge } from './challenge'
import { ChallengeAnswer, ChallengeBody } from './wire'

/** The second step of a sign-in. */
export const challengeRoutes = (ctx: Context) =>
  visitor(ctx, { cookie: 'svc_challenge' }).post(
    '/two-factor',
    async ({ visit, body: { code, backupCode } }) => {
      const given = code ?? backupCode
      if (given === undefined || (code !== undefined && backupCode !== undefined))
        throw invalid('Give either code or backupCode')
      return { data: { user: toMe(ctx, await answerChallenge(ctx, visit, given)) } }
    },
    {
      body: ChallengeBody,
      response: ChallengeAnswer,
      detail: {
        tags: ['Sign-in'],
        'x-errors': ['UNAUTHORIZED', 'FEATURE_NOT_CONFIGURED'],
        'x-example-request': { code: '123456' },
        summary: 'Give the second factor',
        description: 'Needs the challenge cookie of the sign-in. Five wrong codes end the challenge.',
        operationId: 'giveSecondFactor',
      },
    },
  )
