import { parseArgs } from 'node:util'
import type { Command } from '../base/cli/command'
import { readConfig } from '../base/config'
import { projectFileSchema } from '../projects/project-file/file-schema'
import { sectionsOf } from '../projects/project-file/sections'
import { NOTHING_TO_OPEN } from './openapi'

const options = { data: { type: 'string' }, json: { type: 'boolean' } } as const

export const schemaCommand: Command = {
  name: 'schema',
  summary: 'print the JSON Schema of the project file, for editors and checks',
  help: `
svc schema [--json]

  --json  one line instead of indented text

Draft 2020-12. Needs no database and no server; a running one answers the same document at /svc.schema.json, and svc
export names it in the first line of the file. An editor with YAML support then completes and checks svc.yaml.

Example: svc schema > svc.schema.json`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const ctx = await io.program.createContext(readConfig(NOTHING_TO_OPEN))
    const schema = projectFileSchema(sectionsOf(ctx.hooks))
    await ctx.close()
    io.out(JSON.stringify(schema, null, values.json ? 0 : 2))
    return 0
  },
}
