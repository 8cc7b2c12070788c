import type { Tx } from '../../base/context'
import { emailKey } from './email'
import { insertUser, type UserRow } from './queries'

export {
  type Account,
  deleteUserRows,
  findAccount,
  findAccountByEmail,
  hasUsers,
  type UserRow,
  updateUser,
} from './queries'

export interface NewUser {
  email: string
  name: string
  passwordHash: string | null
  /** Whether something proves that the address is the person's own. */
  isVerified: boolean
  /** The invitation whose shown link lets the person in without a proof of the address. */
  admittedBy?: string | null
}

/** Null when the address is taken. The caller writes the audit row. */
export async function createUser(tx: Tx, user: NewUser): Promise<UserRow | null> {
  const { email, name, passwordHash, isVerified, admittedBy = null } = user
  const now = tx.clock.now()
  const row = {
    id: tx.ids.next('usr'),
    email,
    emailKey: emailKey(email),
    emailVerifiedAt: isVerified ? now : null,
    admittedBy,
    name,
    passwordHash,
    createdAt: now,
    updatedAt: now,
  }
  return (await insertUser(tx, row)) ? row : null
}
