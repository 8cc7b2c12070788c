import { VERSION } from '../../base/version'
import type { ClientFiles } from './files'

const ENTRIES = ['core', 'react', 'react-native', 'node', 'checkout'] as const

const declarationOf = (entry: string): string => `./types/sdk/${entry}/index.d.ts`

const exported = (name: string, types: string) => ({
  types,
  import: `./${name}.js`,
  require: `./${name}.cjs`,
})

/** The files of the npm package: the entries with their declarations, and the cases with their runner. */
export function packageOf(files: ClientFiles): ClientFiles {
  const shipped = Object.entries(files).filter(([name]) => !/^svc\./.test(name))
  const entries = ENTRIES.map((name) => [`./${name}`, exported(name, declarationOf(name))] as const)
  const manifest = {
    name: '@svc/client',
    version: VERSION,
    description: 'The client of svc for browsers, React, React Native and servers',
    license: 'AGPL-3.0-only',
    type: 'module',
    sideEffects: false,
    exports: {
      ...Object.fromEntries(entries),
      './cases': exported('cases', './types/sdk/cases/run.d.ts'),
      './cases/*.json': './cases/*.json',
      './package.json': './package.json',
    },
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  }
  return { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, ...Object.fromEntries(shipped) }
}

/** The cases with their runner. */
export const casesOf = (files: ClientFiles): ClientFiles =>
  Object.fromEntries([
    ...Object.entries(files).flatMap(([name, text]) =>
      name.startsWith('cases/') ? [[name.slice('cases/'.length), text]] : [],
    ),
    ['run.js', files['cases.js'] ?? ''],
  ])
