import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config'
import { createVault, type Vault } from './lib/crypto'
import { secureRandom } from './lib/ids'
import { createMac, type Mac } from './lib/mac'

/**
 * The vault over the master key. The key comes from the configuration, or from the key file that the first start
 * creates (mode 0600).
 */
export function openVault(config: Config): Vault | null {
  if (config.masterKey === 'off') return null
  if (config.masterKey !== 'file') return createVault(config.masterKey)
  return createVault(readOrMakeKey(join(config.dataDir, 'master.key')))
}

/** Signs texts for this deployment itself. Without a master key the signatures are valid only in this process. */
export function openMac(config: Config): Mac {
  if (config.masterKey === 'off') return createMac(secureRandom(32))
  return createMac(config.masterKey === 'file' ? readOrMakeKey(join(config.dataDir, 'master.key')) : config.masterKey)
}

/** As `openMac`, and creates nothing. Null without a key that outlives the process, or when its file is damaged. */
export function findMac({ masterKey, dataDir }: Config): Mac | null {
  if (masterKey === 'off') return null
  if (masterKey !== 'file') return createMac(masterKey)
  try {
    const key = readKey(join(dataDir, 'master.key'))
    return key && createMac(key)
  } catch {
    return null // `svc doctor` reports the file.
  }
}

function readOrMakeKey(path: string): Uint8Array {
  const found = readKey(path)
  if (found) return found
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const made = Buffer.from(secureRandom(32)).toString('base64')
  try {
    writeFileSync(path, `${made}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!isAlreadyThere(error)) throw error // Another process has created the file first, so its key is used.
  }
  return readKey(path) ?? Buffer.from(made, 'base64')
}

function readKey(path: string): Uint8Array | null {
  try {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
    if (key.length !== 32)
      throw new Error(`${path} does not hold a key of 32 bytes in base64; restore it from a backup`)
    return key
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null
    throw error
  }
}

const isAlreadyThere = (error: unknown): boolean => (error as { code?: unknown }).code === 'EEXIST'
