import { type TSchema, Type } from '@sinclair/typebox'
import { EmailAddress } from '../accounts/email'
import { MeView } from '../accounts/me'
import { GivenPassword, NewPassword } from '../accounts/passwords'

const strict = { additionalProperties: false } as const
const answer = <Data extends TSchema>(data: Data) => Type.Object({ data }, strict)
const Token = Type.String({ minLength: 1, maxLength: 128 })

export const NoBody = Type.Object({}, strict)

export const OptionsAnswer = answer(
  Type.Object(
    {
      signUp: Type.Union([Type.Literal('SETUP'), Type.Literal('OPEN'), Type.Literal('INVITATION')]),
      providers: Type.Array(Type.Union([Type.Literal('google'), Type.Literal('github'), Type.Literal('oidc')])),
      mail: Type.Boolean({ description: 'Whether this deployment sends mail' }),
    },
    { ...strict, title: 'SignInOptions' },
  ),
)

export const SignUpBody = Type.Object(
  {
    email: EmailAddress,
    password: NewPassword,
    name: Type.String({ minLength: 1, maxLength: 100 }),
    setupToken: Type.Optional(Token),
    invitationToken: Type.Optional(Token),
  },
  strict,
)

export const SignUpAnswer = answer(
  Type.Object({ next: Type.Union([Type.Literal('VERIFY_EMAIL'), Type.Literal('SIGN_IN')]) }, strict),
)

export const SignInBody = Type.Object({ email: EmailAddress, password: GivenPassword }, strict)

export const SignInAnswer = answer(
  Type.Object(
    {
      next: Type.Union([Type.Literal('TWO_FACTOR'), Type.Literal('VERIFY_EMAIL'), Type.Null()]),
      user: Type.Union([MeView, Type.Null()]),
    },
    strict,
  ),
)

export const SignedOutAnswer = answer(Type.Object({ signedOut: Type.Literal(true) }, strict))

export const MailBody = Type.Object({ email: EmailAddress }, strict)
export const AcceptedAnswer = answer(Type.Object({ accepted: Type.Literal(true) }, strict))
export const ResetBody = Type.Object({ token: Token, password: NewPassword }, strict)
export const TokenBody = Type.Object({ token: Token }, strict)
export const NextAnswer = answer(Type.Object({ next: Type.Literal('SIGN_IN') }, strict))
