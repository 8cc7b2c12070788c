import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json'
import { PACKED } from '../src/build-packed'

const ROOT = join(import.meta.dir, '..')

/** The sources of the product; `generate.ts` and `build.ts` run on a developer's machine. */
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|fixtures|macro)\.tsx?$/.test(name))
  .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
const TYPE_IMPORT = /\b(import|export) type [^'"]*? from '[^']+'|: typeof import\('[^']+'\)/g
const VALUE_IMPORT = /(?:\bfrom |\bimport |\bimport\(|\brequire\()'(@[^/']+\/[^/']+|[^@./'][^/']*)/g
const loaded = new Set(
  sources.flatMap((text) => [...text.replace(TYPE_IMPORT, '').matchAll(VALUE_IMPORT)].map(([, name]) => name ?? '')),
)

test('a package whose types alone are used is a dev dependency', () => {
  expect(Object.keys(manifest.dependencies).filter((name) => !loaded.has(name))).toEqual([])
})

test('what only a few calls need is loaded when it is first used, not at the start', () => {
  const script = `
    await import('${ROOT}/src/program')
    process.stdout.write(JSON.stringify(Object.keys(require.cache).filter((path) => path.includes('/node_modules/'))))`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', script], { cwd: ROOT, env: process.env })
  expect(stderr.toString()).toBe('')
  const names = (JSON.parse(stdout.toString()) as string[]).map(
    (path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? '',
  )
  expect(names).toContain('jose')
  const packed = Object.values(PACKED).flat()
  const late = packed.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
  expect([...late, 'gaxios', 'hyparquet'].filter((name) => names.includes(name))).toEqual([])
}, 600_000)
