import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../base/cli/command'
import { AppError } from '../../base/errors'
import { type ClientFiles, readClient } from './files'
import { casesOf, packageOf } from './package'

const options = { out: { type: 'string' }, json: { type: 'boolean' } } as const

export const sdkCommand: Command = {
  name: 'sdk',
  summary: 'write the client for apps as an npm package, or the cases of its behaviour',
  help: `
svc sdk --out DIR         the package @svc/client: core, react, react-native, node and checkout
svc sdk cases --out DIR   the behaviour of the client as files, and their runner, for clients in other languages

Files that are there are overwritten; others stay. Needs no database and no server. A page can also load the client
from a running server: /sdk/svc.js. Options: --json

Example: svc sdk --out ./svc-client
         npm install ./svc-client`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [what, more] = positionals
    if ((what !== undefined && what !== 'cases') || more !== undefined)
      throw new UsageError('sdk takes cases, or nothing')
    if (!values.out) throw new UsageError('Say with --out into which folder the files go')
    const client = readClient()
    if (client === null)
      throw new AppError('NOT_FOUND', undefined, { message: 'The client was not built; run bun run build' })
    const files = what === 'cases' ? casesOf(client) : packageOf(client)
    write(values.out, files)
    const names = Object.keys(files).sort()
    io.out(
      values.json ? JSON.stringify({ folder: values.out, files: names }) : `${names.length} files in ${values.out}`,
    )
    return 0
  },
}

function write(folder: string, files: ClientFiles): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
