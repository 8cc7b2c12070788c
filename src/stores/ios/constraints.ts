import { BIT_STRING, BOOLEAN, type Extension, extensionId, INTEGER, readExtensions, readValue, SEQUENCE } from './der'

/**
 * `extension`: one that is critical and unknown here, malformed, or carried twice. `key_usage`: the key is not declared
 * for what it did. `path_length`: the root allows no authority below itself.
 */
export type ConstraintRefusal = 'extension' | 'key_usage' | 'path_length'

const BASIC_CONSTRAINTS = extensionId('2.5.29.19')
const KEY_USAGE = extensionId('2.5.29.15')
/** The critical extensions that are understood here. A reader must refuse all others (RFC 5280, 4.2). */
const UNDERSTOOD: readonly string[] = [BASIC_CONSTRAINTS, KEY_USAGE]

/** The first bits of the key usage (RFC 5280, 4.2.1.3). */
const DIGITAL_SIGNATURE = 0x80
const CERTIFICATE_SIGNATURE = 0x04

interface Declared {
  /** Bits of the key usage; null when the certificate does not declare it. */
  usage: number | null
  /** How many authorities may follow; null = any number. */
  pathLength: number | null
}

/**
 * Why a chain breaks what its own certificates declare; null when it does not. The App Store declares the usage of its
 * keys, so leaf and intermediate must. A root is trusted by itself and may leave it out.
 */
export function constraintRefusal(
  leafDer: Uint8Array,
  intermediateDer: Uint8Array,
  rootDer: Uint8Array,
): ConstraintRefusal | null {
  const [leaf, intermediate, root] = [leafDer, intermediateDer, rootDer].map(readDeclared)
  if (!leaf || !intermediate || !root) return 'extension'
  const isUsable =
    ((leaf.usage ?? 0) & DIGITAL_SIGNATURE) !== 0 &&
    ((intermediate.usage ?? 0) & CERTIFICATE_SIGNATURE) !== 0 &&
    ((root.usage ?? CERTIFICATE_SIGNATURE) & CERTIFICATE_SIGNATURE) !== 0
  if (!isUsable) return 'key_usage'
  // One authority follows the root, none the intermediate.
  return (root.pathLength ?? 1) < 1 ? 'path_length' : null
}

function readDeclared(der: Uint8Array): Declared | null {
  const extensions = readExtensions(der)
  if (!extensions || new Set(extensions.map(({ id }) => id)).size < extensions.length) return null
  if (extensions.some(({ id, isCritical }) => isCritical && !UNDERSTOOD.includes(id))) return null
  const bytesOf = (wanted: string) => extensions.find(({ id }) => id === wanted)?.value ?? null
  const usage = readUsage(bytesOf(KEY_USAGE))
  const pathLength = readPathLength(bytesOf(BASIC_CONSTRAINTS))
  return usage === undefined || pathLength === undefined ? null : { usage, pathLength }
}

/** BIT STRING: the count of unused bits, then the bits. Undefined when it is malformed. */
function readUsage(value: Extension['value'] | null): number | null | undefined {
  if (!value) return null
  const [unused, bits] = readValue(value, BIT_STRING)?.content ?? []
  return unused === undefined || unused > 7 || bits === undefined ? undefined : bits
}

/** SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }. Undefined when it is malformed. */
function readPathLength(value: Extension['value'] | null): number | null | undefined {
  if (!value) return null
  const members = readValue(value, SEQUENCE)?.children
  const [length, ...more] = members?.filter(({ tag }) => tag !== BOOLEAN) ?? []
  if (!members || more.length > 0) return undefined
  if (!length) return null
  const [first] = length.content
  if (length.tag !== INTEGER || first === undefined || first > 127) return undefined // Negative.
  return length.content.length === 1 ? first : 128
}
