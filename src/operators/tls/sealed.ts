import type { JWK } from 'jose'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import type { Vault } from '../../base/lib/crypto'
import { readPair, type ServedCertificate } from './certificate'
import type { AccountRow, CertificateRow, OrderRow } from './queries'

type Kind = 'account' | 'order' | 'certificate'

const contextOf = (kind: Kind, name: string): string => `tls:${kind}:${name}`

/** Encrypts what only this deployment may read. */
export const sealFor = (vault: Vault, kind: Kind, name: string, value: object): string =>
  vault.seal(JSON.stringify(value), contextOf(kind, name))

function open<Value>(vault: Vault | null, kind: Kind, name: string, sealed: string): Value | null {
  const text = vault?.open(sealed, contextOf(kind, name)) ?? null
  return text === null ? null : (JSON.parse(text) as Value) // What `sealFor` has written.
}

/** The vault; without a master key nothing of this can be stored. */
export function vaultOf({ vault }: Pick<Context, 'vault'>): Vault {
  if (vault) return vault
  throw new AppError('INTERNAL_ERROR', undefined, { cause: new Error('certificates need the master key') })
}

export const openAccount = (vault: Vault | null, { directory, sealed }: AccountRow): JWK | null =>
  open<JWK>(vault, 'account', directory, sealed)

export interface OpenOrder {
  url: string
  /** The key of the certificate, PEM. */
  key: string
}

export const openOrder = (vault: Vault | null, { name, sealed }: OrderRow): OpenOrder | null =>
  open<OpenOrder>(vault, 'order', name, sealed)

/** Null when the master key has changed. */
export function openCertificate(vault: Vault | null, { name, sealed }: CertificateRow): ServedCertificate | null {
  const stored = open<{ chain: string; key: string }>(vault, 'certificate', name, sealed)
  const read = stored && readPair(stored.chain, stored.key)
  return typeof read === 'string' ? null : read
}
