import { parseArgs } from 'node:util'
import type { Command } from '../base/cli/command'
import { readConfig } from '../base/config'
import { buildOpenApi } from '../docs/api/openapi'

const options = { dashboard: { type: 'boolean' }, data: { type: 'string' }, json: { type: 'boolean' } } as const

export const openapiCommand: Command = {
  name: 'openapi',
  summary: 'print the OpenAPI 3.1.0 document of the HTTP interface',
  help: `
svc openapi [--dashboard] [--json]

  --dashboard  the document of the console, which people and their scripts call
  --json       one line instead of indented text

Needs no database and no server; a running one answers the same documents at /openapi.json and
/openapi-dashboard.json.

Example: svc openapi > openapi.json`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const ctx = await io.program.createContext(readConfig(NOTHING_TO_OPEN))
    const name = values.dashboard ? 'dashboard' : 'api'
    const document = buildOpenApi(io.program.createApp(ctx), ctx.hooks, name)
    await ctx.close()
    io.out(JSON.stringify(document, null, values.json ? 0 : 2))
    return 0
  },
}

/** Only the routes are read. A remote database is not connected before the first query, and no key is created. */
export const NOTHING_TO_OPEN = { SVC_DATABASE_URL: 'http://127.0.0.1:1', SVC_MASTER_KEY: 'off', SVC_LOG_LEVEL: 'off' }
