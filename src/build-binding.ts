import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const LOADER = /function requireNative\(\) \{[\s\S]*?\n\}\n/

/**
 * libsql computes the name of its native binding at run time. The bundler needs it, so the build inserts the name: that of
 * this machine, or a file for another one.
 */
export const staticBinding = (file: string | null): Bun.BunPlugin => ({
  name: 'libsql-static-binding',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/]index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!LOADER.test(source))
        throw new Error(`${path} loads its binding in a new way; adapt src/build-binding.ts to it`)
      const name = file ?? findBinding(path)
      return {
        loader: 'js',
        contents: source.replace(LOADER, `function requireNative() { return require("${name}") }\n`),
      }
    })
  },
})

/** The installed binding that this machine can load. On Linux there may be one for each C library; only one loads. */
function findBinding(libsql: string): string {
  const fromLibsql = createRequire(libsql)
  const platform = `${process.platform}-${process.arch}`
  const names = ['-gnu', '-musl', '', '-msvc'].map((suffix) => `@libsql/${platform}${suffix}`)
  const found = names.find((name) => isLoadable(fromLibsql, name))
  if (!found) throw new Error(`None of ${names.join(', ')} can be loaded; run: bun install`)
  return found
}

function isLoadable(load: NodeJS.Require, name: string): boolean {
  try {
    load(name)
    return true
  } catch {
    return false
  }
}
