import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package whose code is in the executable. `licence` is an SPDX expression, or null where the package names none. */
export interface Component {
  name: string
  version: string
  licence: string | null
}

/** Notes which packages a bundle takes files from. It changes nothing and has to be the first plugin. */
export class PackageCollector {
  readonly #folders = new Set<string>()

  readonly plugin: Bun.BunPlugin = {
    name: 'package-collector',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]node_modules[\\/]/ }, ({ path }) => {
        this.#folders.add(packageFolder(path))
        return undefined
      })
    },
  }

  components(): Component[] {
    return ordered([...this.#folders].map(readComponent))
  }
}

/** Each package once, by name and version. */
export function ordered(components: readonly Component[]): Component[] {
  const byKey = new Map(components.map((one) => [`${one.name}@${one.version}`, one]))
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** `/x/node_modules/@a/b/lib/c.js` -> `/x/node_modules/@a/b` */
function packageFolder(path: string): string {
  const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)
  return found?.[1] ?? dirname(path)
}

function readComponent(folder: string): Component {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) throw new Error(`${folder} has no package.json, so its version is not known`)
  const { name, version, license } = JSON.parse(readFileSync(file, 'utf8'))
  return { name, version, licence: typeof license === 'string' ? license : null }
}

interface Subject {
  /** The file that is described, with its SHA-256 in hex. */
  file: string
  sha256: string
  version: string
  components: readonly Component[]
}

/** A bill of materials as CycloneDX 1.6 JSON (https://cyclonedx.org/docs/1.6/json/). Equal builds have equal texts. */
export function billOfMaterials({ file, sha256, version, components }: Subject): string {
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': file,
        name: 'svc',
        version,
        hashes: [{ alg: 'SHA-256', content: sha256 }],
        licenses: [{ license: { id: 'AGPL-3.0-only' } }],
      },
    },
    components: components.map(toComponent),
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

function toComponent({ name, version, licence }: Component) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(licence !== null && { licenses: [{ expression: licence }] }),
  }
}
