import { PLACEHOLDER } from './placeholders'
import type { Spot } from './reader'

/** Reads the text of placeholders; null if there is none. Paths are relative to the project file. */
export interface Sources {
  env(name: string): string | null
  file(path: string): string | null
}

/** A secret in the file: its text, or the reason why the text is missing. Then the saved secret is kept. */
export type WantedSecret = { value: string } | { missing: string }

/** A placeholder that could not be read, so that the saved secret is kept. */
export interface KeptSecret {
  /** The path of the object in the file: `stores.ios`. */
  place: string
  kind: string
  /** The name of the object. */
  ref: string
  /** The path of the secret in the object. */
  path: string
  reason: string
  isSaved: boolean
}

/** A secret that the server has made while it applied a file. It is shown once, and never exported. */
export interface MadeSecret {
  kind: string
  /** The name of the object. */
  ref: string
  secret: string
}

const MAX_SECRET_CHARS = 64 * 1024

/** Reads a secret: its text, or a placeholder, whose source is read at once. Undefined if the value is not a secret. */
export function readSecret(spot: Spot, sources: Sources): WantedSecret | undefined {
  if (spot.draws(() => ({ type: 'string', minLength: 1, maxLength: MAX_SECRET_CHARS }))) return undefined
  const { node } = spot
  if (node.kind === 'scalar' && node.variable !== undefined) {
    node.isSecret = true
    return fromEnv(sources, node.variable)
  }
  const given = node.kind === 'scalar' && typeof node.value === 'string' ? node.value.trim() : ''
  if (given === '' || given.length > MAX_SECRET_CHARS)
    return spot.fail(`This must be text of 1 to ${MAX_SECRET_CHARS} characters`)
  const [, kind, name] = PLACEHOLDER.exec(given) ?? []
  if (kind === 'file' && name !== undefined) return fromFile(sources, name)
  return /\$\{(env|file):/.test(given) ? spot.fail('A placeholder must be the whole value') : { value: given }
}

function fromEnv(sources: Sources, name: string): WantedSecret {
  const value = sources.env(name)?.trim()
  return value ? { value } : { missing: `${name} is not set` }
}

function fromFile(sources: Sources, path: string): WantedSecret {
  const value = sources.file(path)?.trim()
  return value ? { value } : { missing: `${path} cannot be read` }
}
