import type { Vault } from '../../base/lib/crypto'
import type { Letter } from './letter'
import type { MailRow } from './queries'

/** Part of the encrypted envelope, so that a sealed letter cannot be copied to another row. */
export const mailContext = (id: string): string => `${id}:letter`

export const sealLetter = (vault: Vault, id: string, letter: Letter): string =>
  vault.seal(JSON.stringify(letter), mailContext(id))

/** Null when the text was blanked, or when it was encrypted with another master key. */
export function openLetter(vault: Vault | null, { id, sealed }: Pick<MailRow, 'id' | 'sealed'>): Letter | null {
  const text = sealed === null ? null : (vault?.open(sealed, mailContext(id)) ?? null)
  return text === null ? null : (JSON.parse(text) as Letter) // What `sealLetter` has written.
}
