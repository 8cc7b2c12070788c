import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Check, fail, ok, warn } from '../../base/cli/doctor'
import type { Config } from '../../base/config'
import type { Vault } from '../../base/lib/crypto'
import { openVault } from '../../base/master-key'
import { isPublicHost } from './public-host'

/** The checks that need no database. They create nothing: no folder and no key. */
export const checkHost = (config: Config): Check[] => [
  checkFolder(config),
  ...checkOwners(config),
  ...foldersOf(config).flatMap(checkSpace),
  checkMasterKey(config),
  checkPublicUrl(config),
]

function checkFolder({ dataDir, database }: Config): Check {
  const name = 'data folder'
  const found = statOrNull(dataDir)
  if (!found && database.kind !== 'file') return warn(name, `There is no ${dataDir} yet; svc serve makes it.`)
  if (!found) return fail(name, `${dataDir} is not there, or this user may not see it; check --data or SVC_DATA_DIR.`)
  if (!found.isDirectory()) return fail(name, `${dataDir} is not a folder; choose another with --data.`)
  if (!isWritable(dataDir)) return fail(name, `${dataDir} cannot be written; give it to the user that runs svc.`)
  if ((found.mode & 0o007) !== 0)
    return warn(name, `Everybody on this machine can enter ${dataDir}; run: chmod 700 ${dataDir}`)
  return ok(name, `${dataDir} can be written.`)
}

/** A command that was run by root may have created files that the server's user cannot write. */
function checkOwners({ dataDir, database }: Config): Check[] {
  const paths = [join(dataDir, 'master.key'), ...(database.kind === 'file' ? [database.path] : [])]
  const owner = statOrNull(dataDir)?.uid
  const strangers = paths.filter((path) => (statOrNull(path)?.uid ?? owner) !== owner)
  return strangers.map((path) =>
    warn('data folder', `${path} belongs to another user than its folder; run: chown --reference=${dataDir} ${path}`),
  )
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null // The file does not exist, or this user may not see it.
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The existing folders whose disk must not become full. */
function foldersOf({ dataDir, database }: Config): string[] {
  const folders =
    database.kind === 'file' || database.kind === 'replica' ? [dataDir, dirname(database.path)] : [dataDir]
  return [...new Set(folders)].filter((folder) => existsSync(folder))
}

function checkSpace(folder: string): Check[] {
  const { bavail, bsize } = statfsSync(folder)
  return [checkFreeBytes(folder, bavail * bsize)]
}

const MEBIBYTE = 1024 * 1024
const LOW_BYTES = 1024 * MEBIBYTE
const OUT_BYTES = 100 * MEBIBYTE

/** Less than 1 GiB is a warning. Below 100 MiB the database may fail at any moment. */
export function checkFreeBytes(folder: string, freeBytes: number): Check {
  const free = `${Math.floor(freeBytes / MEBIBYTE).toLocaleString('en-US')} MiB are free in ${folder}`
  if (freeBytes < OUT_BYTES) return fail('disk space', `Only ${free}; make room now, writes are about to fail.`)
  if (freeBytes < LOW_BYTES) return warn('disk space', `Only ${free}; make room.`)
  return ok('disk space', `${free}.`)
}

const keyPath = ({ dataDir }: Config): string => join(dataDir, 'master.key')

function checkMasterKey(config: Config): Check {
  const name = 'master key'
  if (config.masterKey === 'off') return warn(name, 'SVC_MASTER_KEY is off, so no store credentials can be saved.')
  if (config.masterKey !== 'file') return ok(name, 'It is given by SVC_MASTER_KEY.')
  const path = keyPath(config)
  const found = statOrNull(path)
  if (!found)
    return warn(name, `There is no ${path}; svc serve makes one. After a move, bring the old one over before that.`)
  try {
    openVault(config)
  } catch (error) {
    return fail(name, `${path} cannot be used (${(error as Error).message}).`)
  }
  if ((found.mode & 0o077) !== 0) return warn(name, `Others on this machine can read ${path}; run: chmod 600 ${path}`)
  return ok(name, `${path} can be read; keep a copy of it apart from the backups.`)
}

/** The vault; null when the key is off, does not exist yet or is damaged. */
export function vaultOf(config: Config): Vault | null {
  try {
    return config.masterKey === 'file' && !existsSync(keyPath(config)) ? null : openVault(config)
  } catch {
    return null // `checkMasterKey` reports it.
  }
}

function checkPublicUrl({ publicBaseUrl }: Config): Check {
  const name = 'public address'
  if (publicBaseUrl === null)
    return warn(
      name,
      'PUBLIC_BASE_URL is not set, so stores cannot notify, and the links of mails and invitations open only on this machine; set it to the https address of this server.',
    )
  const { protocol, hostname } = new URL(publicBaseUrl)
  if (protocol !== 'https:')
    return warn(name, `PUBLIC_BASE_URL is ${publicBaseUrl}; stores notify https addresses only.`)
  if (!isPublicHost(hostname))
    return warn(name, `PUBLIC_BASE_URL is ${publicBaseUrl}, which the internet cannot reach; use a public name.`)
  return ok(name, `PUBLIC_BASE_URL is ${publicBaseUrl}.`)
}
