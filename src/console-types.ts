import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')

/**
 * The TypeScript types of an OpenAPI document, as openapi-typescript writes them. The library needs TypeScript 5, and
 * the repository compiles with a later one, so it runs from a bundle that names the older one.
 */
export async function typesOf(document: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-types-'))
  try {
    const entry = join(ROOT, 'src', 'console', 'types', 'make.ts')
    const older = Bun.resolveSync('typescript-5', ROOT)
    await Bun.build({
      entrypoints: [entry],
      outdir: folder,
      target: 'bun',
      plugins: [
        {
          name: 'typescript-5',
          setup: (build) => void build.onResolve({ filter: /^typescript$/ }, () => ({ path: older })),
        },
      ],
    })
    const { makeTypes } = (await import(join(folder, 'make.js'))) as { makeTypes: (text: string) => Promise<string> }
    return await makeTypes(document)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const made = Bun.spawnSync(['bun', join(ROOT, 'src', 'main.ts'), 'openapi', '--dashboard'])
  await Bun.write(join(ROOT, 'src', 'console', 'api', 'schema.d.ts'), await typesOf(made.stdout.toString()))
}
