import type { Tx } from '../../base/context'
import { invalid } from '../../base/errors'
import { hashPassword } from '../accounts/passwords'
import type { UserRow } from '../accounts/users'
import { makeMailLink } from '../sign-in/mail-links'

export async function hashNew(password: string): Promise<string> {
  if (password.length < 10 || password.length > 128) throw invalid('password: it must have 10 to 128 characters')
  return hashPassword(password)
}

/** A link with which the person chooses a password. */
export const linkFor = async (tx: Tx, user: UserRow): Promise<string> =>
  (await makeMailLink(tx, user, 'PASSWORD_RESET')).url
