// The server from its sources, which commits a change on request. The executable cannot: its flags change only from
// other processes. `bun stream-server.ts FOLDER PROJECT`; the address for requests is in the file `commits` of the
// folder.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/base/config'
import { createContext } from '../../src/create-context'
import { startServer } from '../../src/server'
import { setVersion } from './stream-changes'

const [folder = '', projectId = ''] = process.argv.slice(2)
const env = {
  SVC_FX_URL: 'off',
  SVC_RATE_KEY: '0',
  SVC_RATE_IP: '0',
  SVC_RATE_NEW: '0',
  SVC_STREAMS_PER_IP: '0',
  SVC_INTERNAL_PORT: '0',
  SVC_LOG_LEVEL: 'warn',
  SVC_PORT: '0',
}
const ctx = await createContext(readConfig({ ...env, SVC_DATA_DIR: folder, SVC_MASTER_KEY: 'off' }))
const server = await startServer(ctx)
const commits = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const version = Number(new URL(request.url).searchParams.get('version'))
    await ctx.write((tx) => setVersion(tx, projectId, version))
    return Response.json({ at: performance.timeOrigin + performance.now() })
  },
})
writeFileSync(join(folder, 'commits'), commits.url.href)
process.stdout.write(`listening on ${server.url}\n`)
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
