import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

/**
 * Encrypts stored credentials with AES-256-GCM. `seal` returns `v1.<key id>.<iv>.<tag>.<text>`; the last three parts
 * are base64url.
 */
export interface Vault {
  seal(text: string, context: string): string
  /** Null when the envelope was made with another key or for another context, or was changed. */
  open(envelope: string, context: string): string | null
  /** 32 bytes that only this key makes of the purpose. No two uses have one purpose. */
  derive(purpose: string): Uint8Array
}

/**
 * A vault with one 32-byte key. The encryption includes `context` (project and store), so that an envelope copied to
 * another row cannot be opened.
 */
export function createVault(key: Uint8Array): Vault {
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return {
    seal: (text, context) => seal(key, keyId, text, context),
    open: (envelope, context) => open(key, keyId, envelope, context),
    derive: (purpose) => createHmac('sha256', key).update(purpose, 'utf8').digest(),
  }
}

function seal(key: Uint8Array, keyId: string, text: string, context: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return ['v1', keyId, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.')
}

function open(key: Uint8Array, keyId: string, envelope: string, context: string): string | null {
  const [version, id, iv, tag, sealed] = envelope.split('.')
  if (version !== 'v1' || id !== keyId || !iv || !tag || sealed === undefined) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
    decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString('utf8')
  } catch {
    return null // The tag is wrong: the bytes were changed, or the context is another one.
  }
}
