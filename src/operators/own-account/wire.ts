import { type TSchema, Type } from '@sinclair/typebox'
import { MeView } from '../accounts/me'
import { GivenPassword, NewPassword } from '../accounts/passwords'

const strict = { additionalProperties: false } as const
const answer = <Data extends TSchema>(data: Data) => Type.Object({ data }, strict)
const instant = Type.String({ format: 'date-time' })
const theme = Type.Union([Type.Literal('SYSTEM'), Type.Literal('LIGHT'), Type.Literal('DARK')])
const locale = Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', examples: ['en'] })
const timezone = Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Istanbul'] })
/** At most 20, in the order in which they were starred. */
const favourites = Type.Array(
  Type.String({ maxLength: 120, pattern: '^(/[a-z0-9][a-z0-9-]*)+$', examples: ['/charts/mrr'] }),
  {
    maxItems: 20,
    uniqueItems: true,
    description: 'Charts and screens in the sidebar, by their paths below the project',
  },
)

export const MeAnswer = answer(MeView)
export const MeBody = Type.Object({ name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }, strict)

export const DeleteBody = Type.Object({ confirmEmail: Type.String({ minLength: 1, maxLength: 254 }) }, strict)
export const DeletedAnswer = answer(Type.Object({ deleted: Type.Literal(true) }, strict))

export const PreferencesBody = Type.Object(
  {
    locale: Type.Optional(locale),
    theme: Type.Optional(theme),
    timezone: Type.Optional(timezone),
    favourites: Type.Optional(favourites),
  },
  strict,
)
export const PreferencesAnswer = answer(
  Type.Object(
    { locale, theme, timezone, favourites: Type.Unsafe<readonly string[]>(favourites) },
    { ...strict, title: 'Preferences' },
  ),
)

export const PasswordBody = Type.Object(
  { currentPassword: Type.Optional(GivenPassword), password: NewPassword },
  strict,
)
export const ChangedAnswer = answer(Type.Object({ changed: Type.Literal(true) }, strict))

export const SessionView = Type.Object(
  {
    id: Type.String(),
    ip: Type.String(),
    userAgent: Type.String(),
    lastSeenAt: instant,
    current: Type.Boolean({ description: 'Whether this request was made with it' }),
    createdAt: instant,
    updatedAt: instant,
  },
  { ...strict, title: 'UserSession' },
)

export const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

const Membership = Type.Object(
  { projectId: Type.String(), projectName: Type.String(), role: Type.String(), createdAt: instant },
  { ...strict, title: 'OwnMembership' },
)

export const ExportAnswer = answer(
  Type.Object(
    { user: MeView, memberships: Type.Array(Membership), sessions: Type.Array(SessionView) },
    { ...strict, title: 'AccountExport' },
  ),
)
