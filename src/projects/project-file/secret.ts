import { PLACEHOLDER, SecretVariable } from './placeholders'
import { type Sources, type Spot, type Written, writtenAs } from './reader'

/** A secret in the file: its text, or the reason why the text is missing. Then the saved secret is kept. */
export type WantedSecret = { value: string } | { missing: string }

/** A saved secret as an exported file has it: the name of a variable takes the place of its text. */
export const variableFor = (name: string): WantedSecret => ({ missing: name })

/** Reads a secret that passes a check, and writes the variable in its place. `check` returns the sentence of a problem. */
export const secret = (check: (value: string, spot: Spot) => string | null | undefined): Written<WantedSecret> =>
  writtenAs(
    (spot) => {
      const found = readSecret(spot)
      const complaint = found && 'value' in found ? check(found.value, spot) : null
      return complaint ? spot.fail(complaint) : found
    },
    (saved) => ('missing' in saved ? new SecretVariable(saved.missing) : undefined),
  )

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
export function readSecret(spot: Spot): WantedSecret | undefined {
  if (spot.draws(() => ({ type: 'string', minLength: 1, maxLength: MAX_SECRET_CHARS }))) return undefined
  const { node, sources } = spot
  if (node.kind === 'scalar' && node.variable !== undefined) {
    node.isSecret = true
    return fromEnv(sources, node.variable)
  }
  const given = node.kind === 'scalar' && typeof node.value === 'string' ? node.value.trim() : ''
  if (given === '' || given.length > MAX_SECRET_CHARS)
    return spot.fail(`This must be text of 1 to ${MAX_SECRET_CHARS} characters`)
  const [, kind, name] = PLACEHOLDER.exec(given) ?? []
  if (kind === 'file' && name !== undefined) return fromFile(sources, name)
  if (/\$\{(env|file):/.test(given)) return spot.fail('A placeholder must be the whole value')
  return sources.secretFault === undefined ? { value: given } : spot.fail(sources.secretFault)
}

function fromEnv(sources: Sources, name: string): WantedSecret {
  const value = sources.env(name)?.trim()
  return value ? { value } : { missing: `${name} is not set` }
}

function fromFile(sources: Sources, path: string): WantedSecret {
  const value = sources.file(path)?.trim()
  return value ? { value } : { missing: `${path} cannot be read` }
}
