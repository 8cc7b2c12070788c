import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

type Libraries = Readonly<Record<string, Readonly<Record<string, unknown>>>>
type Start = (exports: object, require: (name: string) => unknown, module: { exports: Libraries }) => void

/** Starts the libraries in a packed file of the executable (`build-packed.ts`) and returns them by name. */
export const loadPacked = (path: string): Libraries =>
  startLibraries(Buffer.from(Bun.gunzipSync(readFileSync(path))).toString(), basename(path))

/** Runs a bundle of libraries: a part of this executable, the text of one function. The name is in stack traces. */
export function startLibraries(text: string, name: string): Libraries {
  const start: Start = new Function(`return ${text}\n//# sourceURL=${name}`)()
  const module = { exports: {} }
  start(module.exports, builtin, module)
  return module.exports
}

/** A packed library loads nothing else: what it needs of other packages is in the same file. */
function builtin(name: string): unknown {
  const found = process.getBuiltinModule(name)
  if (!found) throw new Error(`${name} is not a module of Bun`)
  return found
}
