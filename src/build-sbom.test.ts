import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { billOfMaterials, ordered, PackageCollector } from './build-sbom'

const AT = { name: '@a/b', version: '2.0.0', licence: 'MIT' }
const OLD = { name: 'c', version: '1.0.0', licence: null }

test('each package is named once, and two versions of one are two', () => {
  expect(ordered([OLD, AT, { ...OLD, version: '1.1.0' }, AT])).toEqual([AT, OLD, { ...OLD, version: '1.1.0' }])
})

test('a bundle tells the packages from which it takes files, those in other packages too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sbom-'))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, version] of [
    ['node_modules/@a/b', '2.0.0'],
    ['node_modules/@a/b/node_modules/c', '1.0.0'],
    ['node_modules/unused', '9.0.0'],
  ] as const)
    write(
      join(path, 'package.json'),
      JSON.stringify({ name: path.split('node_modules/').at(-1), version, main: 'x.js' }),
    )
  write('node_modules/@a/b/x.js', `export { one } from 'c'`)
  write('node_modules/@a/b/node_modules/c/x.js', 'export const one = 1')
  write('main.js', `import { one } from '@a/b'\nconsole.log(one)`)
  const collector = new PackageCollector()
  const { outputs } = await Bun.build({ entrypoints: [join(folder, 'main.js')], plugins: [collector.plugin] })
  expect(await outputs[0]?.text()).toContain('console.log(one)')
  expect(collector.components()).toEqual([{ ...AT, licence: null }, OLD])
  rmSync(folder, { recursive: true })
})

test('the bill names the file with its digest, and each package with its address in the registry', () => {
  const bill = JSON.parse(
    billOfMaterials({ file: 'svc-1.0.0-x.tar.gz', sha256: 'ab', version: '1.0.0', components: [AT, OLD] }),
  )
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'svc', version: '1.0.0', hashes: [{ alg: 'SHA-256', content: 'ab' }] } },
  })
  expect(bill.components).toEqual([
    {
      ...{ type: 'library', 'bom-ref': 'pkg:npm/%40a/b@2.0.0', purl: 'pkg:npm/%40a/b@2.0.0' },
      ...{ name: '@a/b', version: '2.0.0', licenses: [{ expression: 'MIT' }] },
    },
    {
      ...{ type: 'library', 'bom-ref': 'pkg:npm/c@1.0.0', purl: 'pkg:npm/c@1.0.0' },
      ...{ name: 'c', version: '1.0.0' },
    },
  ])
})
