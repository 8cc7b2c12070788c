import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigFlags } from '../config'
import { CommandFailure, type Installation, type Io, UsageError } from './command'

/** The paths and the user that are in install.sh. */
export const INSTALLATION: Installation = {
  settingsFile: '/etc/svc/svc.env',
  dataDir: '/var/lib/svc',
  user: 'svc',
}

type Env = Io['env']

/**
 * The environment that a command takes its configuration from. Where neither an option nor the environment says which
 * data are meant, and svc is installed on this server, the settings of that installation are part of it. Then one line
 * on stderr says so.
 */
export function environmentOf({ env, installation, err }: Io, { data }: ConfigFlags): Env {
  const isNamed = data !== undefined || Boolean(env.SVC_DATA_DIR) || Boolean(env.SVC_DATABASE_URL)
  if (isNamed || !installation || !existsSync(installation.settingsFile)) return env
  const settings = readSettings(installation)
  err(`This works on the installation in ${settings.SVC_DATA_DIR} (settings: ${installation.settingsFile}).`)
  const given = Object.entries(env).filter(([, value]) => value) // An empty variable counts as not set.
  return { ...settings, ...Object.fromEntries(given) }
}

/**
 * As `environmentOf`, for work that only the database of this machine can do: it is refused while `SVC_URL` names a server,
 * because it would be the wrong database. A folder that is named with `--data` wins.
 */
export function machineEnvironment(io: Io, flags: ConfigFlags): Env {
  if (flags.data !== undefined || !io.env.SVC_URL?.trim()) return environmentOf(io, flags)
  throw new UsageError(
    'This works only on the database of this machine, and SVC_URL names a server: add --data DIR, or unset SVC_URL',
  )
}

function readSettings(installation: Installation): Env {
  const { dataDir } = installation
  const settings = Object.fromEntries(readText(installation).split('\n').flatMap(parseLine))
  return { ...settings, SVC_DATA_DIR: dataDir, ...absolutePaths(settings, dataDir) }
}

function readText({ settingsFile, user }: Installation): string {
  try {
    return readFileSync(settingsFile, 'utf8')
  } catch {
    throw new CommandFailure(
      'FORBIDDEN',
      `svc is installed on this server, but this user may not read ${settingsFile}; run the command as its user: sudo -u ${user} svc ..., or name another folder with --data DIR.`,
    )
  }
}

/** `NAME=value`, as systemd reads it: the value may be in quotes, and `#` or `;` starts a comment. */
function parseLine(line: string): [name: string, value: string][] {
  const [, name, text = ''] = /^\s*([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? []
  if (name === undefined) return []
  const value = text.trim()
  return [[name, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value]]
}

const PATHS = ['SVC_DATA_DIR', 'SVC_DATABASE_REPLICA', 'SVC_IOS_EXTRA_ROOTS']

/** The service runs in its data folder, so a relative path in its settings starts there. */
function absolutePaths(settings: Env, folder: string): Env {
  const paths = PATHS.flatMap((name) => (settings[name] ? [[name, resolve(folder, settings[name])]] : []))
  const [, file] = /^file:(?!\/)(.+)$/.exec(settings.SVC_DATABASE_URL ?? '') ?? []
  return {
    ...Object.fromEntries(paths),
    ...(file !== undefined && { SVC_DATABASE_URL: `file:${resolve(folder, file)}` }),
  }
}
