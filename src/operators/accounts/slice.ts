import { slice } from '../../base/slice'
import './hooks'
import { Passwords } from './passwords'
import { accountRetention } from './retention'
import { accountSessions, flushSignInUse, type SignInUse } from './session-store'
import { accountTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    usr: string
    ses: string
    pat: string
    pky: string
  }
}

declare module '../../base/state' {
  interface SliceState {
    passwords: Passwords
    signInUse: SignInUse
  }
}

/** The people who run projects: their accounts, sessions and tokens. */
export const accounts = slice({
  name: 'accounts',
  tables: accountTables,
  cachedRows: {
    users: 'NOBODY',
    userSessions: 'NOBODY',
    challenges: 'NOBODY',
    twoFactors: 'NOBODY',
    backupCodes: 'NOBODY',
    mailTokens: 'NOBODY',
    identities: 'NOBODY',
    passkeys: 'NOBODY',
    accessTokens: 'NOBODY',
    setupTokens: 'NOBODY',
    preferences: 'NOBODY',
  },
  personalData: {
    users: 'NOTHING',
    userSessions: 'NOTHING',
    challenges: 'NOTHING',
    twoFactors: 'NOTHING',
    backupCodes: 'NOTHING',
    mailTokens: 'NOTHING',
    identities: 'NOTHING',
    passkeys: 'NOTHING',
    accessTokens: 'NOTHING',
    setupTokens: 'NOTHING',
    preferences: 'NOTHING',
  },
  state: {
    sessions: accountSessions,
    passwords: ({ ids }) => new Passwords(ids),
    signInUse: () => ({ sessions: new Map(), tokens: new Map() }),
  },
  retention: [accountRetention],
  loops: [{ name: 'sign-in use', everyMs: 60_000, run: flushSignInUse, end: flushSignInUse }],
})
