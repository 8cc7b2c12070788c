import { type TSchema, Type } from '@sinclair/typebox'
import { MeView } from '../accounts/me'
import { GivenPassword } from '../accounts/passwords'

const strict = { additionalProperties: false } as const
const answer = <Data extends TSchema>(data: Data) => Type.Object({ data }, strict)
const Code = Type.String({ minLength: 6, maxLength: 64 })
const BackupCodes = Type.Array(Type.String())

export const ChallengeBody = Type.Object(
  { code: Type.Optional(Type.String({ pattern: '^\\d{6}$', maxLength: 6 })), backupCode: Type.Optional(Code) },
  strict,
)
export const ChallengeAnswer = answer(Type.Object({ user: MeView }, strict))

export const EnableBody = Type.Object({ password: Type.Optional(GivenPassword) }, strict)
export const EnableAnswer = answer(
  Type.Object({ otpauthUrl: Type.String(), backupCodes: BackupCodes }, { ...strict, title: 'TwoFactorSecret' }),
)
export const CodeBody = Type.Object(
  { code: Code },
  { ...strict, description: 'A code of the app, or where two-factor sign-in is on a backup code' },
)
export const EnabledAnswer = answer(Type.Object({ enabled: Type.Boolean() }, strict))
export const BackupCodesAnswer = answer(Type.Object({ backupCodes: BackupCodes }, strict))
