import type { Kit } from '../../base/db/kit'

export const accountTables = (k: Kit) => ({
  users: k.table(
    'users',
    {
      id: k.str().primaryKey(),
      /** As the person wrote it; mail goes there. */
      email: k.str().notNull(),
      /** The form in which addresses are compared. */
      emailKey: k.str().notNull(),
      emailVerifiedAt: k.int(),
      /**
       * The invitation whose shown link let the person in, while nothing has proved the address. Null for an account with
       * a proved address, and for one without a way to sign in.
       */
      admittedBy: k.str(),
      name: k.str().notNull(),
      /** Null for a person who signs in by a provider or a passkey only. */
      passwordHash: k.str(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('users_email').on(t.emailKey)],
  ),
  userSessions: k.table(
    'user_sessions',
    {
      id: k.str().primaryKey(),
      tokenHash: k.str().notNull(),
      userId: k.str().notNull(),
      ip: k.str().notNull(),
      userAgent: k.str().notNull(),
      /** When the second factor was given in this session; null = not. */
      secondFactorAt: k.int(),
      lastSeenAt: k.int().notNull(),
      expiresAt: k.int().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.unique('user_sessions_token').on(t.tokenHash),
      k.index('user_sessions_user').on(t.userId, t.createdAt, t.id),
      k.index('user_sessions_expiry').on(t.expiresAt),
    ],
  ),
  /** One row for each sign-in that waits for its second factor. */
  challenges: k.table(
    'challenges',
    {
      tokenHash: k.str().primaryKey(),
      userId: k.str().notNull(),
      attempts: k.int().notNull(),
      expiresAt: k.int().notNull(),
    },
    (t) => [k.index('challenges_user').on(t.userId), k.index('challenges_expiry').on(t.expiresAt)],
  ),
  twoFactors: k.table('two_factors', {
    userId: k.str().primaryKey(),
    /** Encrypted with the master key. */
    sealedSecret: k.str().notNull(),
    /** Null until the person has given a first code. */
    confirmedAt: k.int(),
    /** The newest step of 30 seconds whose code was used. A code is valid once. */
    lastStep: k.int(),
    createdAt: k.int().notNull(),
  }),
  backupCodes: k.table('backup_codes', { userId: k.str().notNull(), codeHash: k.str().notNull() }, (t) => [
    k.primaryKey({ columns: [t.userId, t.codeHash] }),
  ]),
  /** Links in mails. Each opens one thing, once. */
  mailTokens: k.table(
    'mail_tokens',
    {
      tokenHash: k.str().primaryKey(),
      purpose: k.str().notNull().$type<MailPurpose>(),
      userId: k.str().notNull(),
      email: k.str().notNull(),
      /** The password that was chosen at the sign-up which this link confirms; null = the link confirms none. */
      passwordHash: k.str(),
      expiresAt: k.int().notNull(),
    },
    (t) => [k.index('mail_tokens_user').on(t.userId), k.index('mail_tokens_expiry').on(t.expiresAt)],
  ),
  /** Accounts at other providers with which a user can sign in. */
  identities: k.table(
    'identities',
    {
      provider: k.str().notNull(),
      subject: k.str().notNull(),
      userId: k.str().notNull(),
      email: k.str().notNull(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.provider, t.subject] }),
      k.unique('identities_user_provider').on(t.userId, t.provider),
    ],
  ),
  passkeys: k.table(
    'passkeys',
    {
      id: k.str().primaryKey(),
      userId: k.str().notNull(),
      credentialId: k.str().notNull(),
      publicKey: k.str().notNull(),
      counter: k.int().notNull(),
      transports: k.json<string[]>().notNull(),
      name: k.str().notNull(),
      createdAt: k.int().notNull(),
      lastUsedAt: k.int(),
    },
    (t) => [k.unique('passkeys_credential').on(t.credentialId), k.index('passkeys_user').on(t.userId)],
  ),
  accessTokens: k.table(
    'access_tokens',
    {
      id: k.str().primaryKey(),
      userId: k.str().notNull(),
      name: k.str().notNull(),
      tokenHash: k.str().notNull(),
      /** The prefix of the token, by which its owner recognises it. */
      prefix: k.str().notNull(),
      /** What it may do of what its owner may do; null = all. */
      scopes: k.json<readonly string[]>(),
      expiresAt: k.int(),
      lastUsedAt: k.int(),
      createdAt: k.int().notNull(),
    },
    (t) => [k.unique('access_tokens_token').on(t.tokenHash), k.index('access_tokens_user').on(t.userId, t.createdAt)],
  ),
  /** Links with which the first user of a deployment signs up. They are deleted with the first user's arrival. */
  setupTokens: k.table('setup_tokens', {
    tokenHash: k.str().primaryKey(),
    expiresAt: k.int().notNull(),
  }),
  preferences: k.table('preferences', {
    userId: k.str().primaryKey(),
    locale: k.str().notNull(),
    theme: k.str().notNull().$type<Theme>(),
    timezone: k.str().notNull(),
    /** Screens of a project that the person has starred, by their paths below the project; null = none. */
    favourites: k.json<readonly string[] | null>(),
    updatedAt: k.int().notNull(),
  }),
})

export type MailPurpose = 'VERIFY_EMAIL' | 'PASSWORD_RESET'
export type Theme = 'SYSTEM' | 'LIGHT' | 'DARK'

type AccountTables = ReturnType<typeof accountTables>

declare module '../../base/db/tables' {
  interface Tables extends AccountTables {}
}
