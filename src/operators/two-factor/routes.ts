import type { Context } from '../../base/context'
import { type Account, account } from '../../projects/doors/account'
import { visitOf } from '../accounts/cookies'
import { refuseRepetition, SHOWN_ONCE } from '../accounts/once'
import { confirmTwoFactor, enableTwoFactor } from './enabling'
import type { Person } from './person'
import { disableTwoFactor, renewBackupCodes } from './service'
import { BackupCodesAnswer, CodeBody, EnableAnswer, EnableBody, EnabledAnswer } from './wire'

const tags = ['Account']

/** Two-factor sign-in of the signed-in person. */
export const twoFactorRoutes = (ctx: Context) =>
  account(ctx, { by: 'session', idempotency: SHOWN_ONCE })
    .post(
      '/me/two-factor/enable',
      async ({ body, replayed, ...call }) => {
        refuseRepetition(replayed)
        return { data: await enableTwoFactor(ctx, personOf(call), body.password) }
      },
      {
        body: EnableBody,
        response: EnableAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Prepare two-factor sign-in',
          description:
            'Needs the password, or a session that is at most 10 minutes old. It is on after the confirmation.',
          operationId: 'enableTwoFactor',
        },
      },
    )
    .post(
      '/me/two-factor/confirm',
      async ({ body, replayed, ...call }) => {
        refuseRepetition(replayed)
        await confirmTwoFactor(ctx, personOf(call), body.code)
        return { data: { enabled: true } }
      },
      {
        body: CodeBody,
        response: EnabledAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Turn two-factor sign-in on with a first code',
          description: 'The session gets a new cookie.',
          operationId: 'confirmTwoFactor',
        },
      },
    )
    .post(
      '/me/two-factor/disable',
      async ({ body, replayed, ...call }) => {
        refuseRepetition(replayed)
        await disableTwoFactor(ctx, personOf(call), body.code)
        return { data: { enabled: false } }
      },
      {
        body: CodeBody,
        response: EnabledAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Turn two-factor sign-in off',
          operationId: 'disableTwoFactor',
        },
      },
    )
    .post(
      '/me/two-factor/backup-codes',
      async ({ body, replayed, ...call }) => {
        refuseRepetition(replayed)
        return { data: { backupCodes: await renewBackupCodes(ctx, personOf(call), body.code) } }
      },
      {
        body: CodeBody,
        response: BackupCodesAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT', 'FEATURE_NOT_CONFIGURED'],
          summary: 'Make new backup codes',
          description: 'The old ones stop to work.',
          operationId: 'renewBackupCodes',
        },
      },
    )

const personOf = ({ user, actor, session, request, set }: Call): Person => ({
  userId: user.id,
  actor,
  session,
  visit: visitOf(request, set),
})

type Call = Account & { request: Request; set: { headers: object } }
