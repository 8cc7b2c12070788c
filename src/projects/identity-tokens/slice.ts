import { slice } from '../../base/slice'
import { identityCommand } from './command'
import { identityExamination } from './doctor'
import { KeyCache } from './key-cache'
import { findIdentitySecret, type IdentitySecretRow } from './queries'
import { IDENTITY_HEADER } from './require'
import { identityTokenTables } from './tables'

declare module '../../base/state' {
  interface SliceState {
    identityKeys: KeyCache
  }
}

declare module '../project/state' {
  interface ProjectParts {
    /** Null when the project has none. It is opened only to check a token. */
    identitySecret: IdentitySecretRow | null
  }
}

/** Tokens with which a customer's server says who a caller with a public key is (wire 1.11). */
export const identityTokens = slice({
  name: 'identity-tokens',
  tables: identityTokenTables,
  cachedRows: { identitySecrets: 'NOBODY' },
  personalData: { identitySecrets: 'NOTHING' },
  browserHeaders: { allowed: [IDENTITY_HEADER] },
  state: { identityKeys: ({ state, clock, log }) => new KeyCache(state.outgoing, clock, log) },
  projectParts: { identitySecret: ({ handle, projectId }) => findIdentitySecret(handle, projectId) },
  commands: [identityCommand],
  doctor: identityExamination,
})
