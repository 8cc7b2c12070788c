import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Command, Io } from '../base/cli/command'
import { readConfig } from '../base/config'
import type { Context } from '../base/context'
import type { ExampleShop } from '../docs/example/slice'
import { makeSetupLink } from '../operators/sign-in/setup'
import { type CreatedProject, createProject } from '../projects/project/service'
import { applyFile } from '../projects/project-file/apply'
import { parseProjectFile } from '../projects/project-file/parse'
import { sectionsOf } from '../projects/project-file/sections'
import { orderBody, recordPurchase } from '../test-store/command/purchase'
import demoFile from './demo.yaml' with { type: 'text' }
import { startOrFail } from './serve'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'serve a demo project with one simulated purchase from a throw-away folder',
  help: `
svc demo [--host 127.0.0.1] [--port 3000] [--json]

  Makes a temporary data folder, a project with a small catalogue and one purchase at the built-in test store, then
  serves until SIGTERM or Ctrl-C and deletes the folder. --port 0 picks a free port. With --json one line on stdout
  says when it is ready: {"baseUrl","projectId","publicKey","secretKey","setupLink"}.

Example: svc demo --port 3000`,
  async run(args, io) {
    const { values } = parseArgs({
      args: [...args],
      options: { host: { type: 'string' }, port: { type: 'string' }, json: { type: 'boolean' } },
    })
    const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'))
    try {
      return await runDemo(io, folder, values)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

interface Values {
  host?: string | undefined
  port?: string | undefined
  json?: boolean | undefined
}

const DEVICE = 'svc_demo_device'
const SECOND_DEVICE = 'svc_demo_device_2'

async function runDemo(io: Io, folder: string, values: Values): Promise<number> {
  // A demo uses its own folder, also when the environment names a database. It needs no port for metrics and fetches no
  // exchange rates.
  const env = {
    ...io.env,
    SVC_DATABASE_URL: undefined,
    SVC_SIMULATOR: 'on',
    SVC_INTERNAL_PORT: '0',
    SVC_FX_URL: io.env.SVC_FX_URL ?? 'off',
    SVC_LOG_LEVEL: io.env.SVC_LOG_LEVEL ?? 'warn',
  }
  const ctx = await io.program.createContext(readConfig(env, { ...values, data: folder }), { clock: io.clock })
  const server = await startOrFail(io.program, ctx)
  const made = await makeDemoProject(ctx)
  ctx.state.example.shop = shopOf(ctx, made)
  const receiptFile = join(folder, 'receipt.json')
  writeFileSync(receiptFile, await orderBody(ctx, made.project.id, SECOND_DEVICE, 'pro_yearly'))
  const { publicKey, secretKey } = made
  const setupLink = await makeSetupLink(ctx)
  const ready = { baseUrl: server.url, projectId: made.project.id, publicKey, secretKey, setupLink }
  io.out(values.json ? JSON.stringify(ready) : welcome(ready, receiptFile))
  await io.stopped
  await server.stop()
  return 0
}

async function makeDemoProject(ctx: Context): Promise<CreatedProject> {
  const made = await createProject(ctx, { name: 'Demo', slug: 'demo' })
  const parsed = parseProjectFile(sectionsOf(ctx.hooks), demoFile, { env: () => null, file: () => null })
  if ('unreadable' in parsed) throw new Error('the demo project file is broken')
  const { problems } = await applyFile(ctx, made.project.id, parsed, { prune: false })
  if (problems.length > 0) throw new Error(`the demo project file is refused: ${JSON.stringify(problems)}`)
  await recordPurchase(ctx, made.project.id, DEVICE, 'pro_monthly')
  return made
}

/** What the example shop sells: its receipts are those that an app would post. */
const shopOf = (ctx: Context, { project, publicKey }: CreatedProject): ExampleShop => ({
  publicKey: publicKey ?? '',
  async buy(device, product) {
    const { receipt } = JSON.parse(await orderBody(ctx, project.id, device, product)) as { receipt: string }
    return receipt
  },
})

interface Ready {
  baseUrl: string
  publicKey: string | null
  secretKey: string | null
  setupLink: string | null
}

const welcome = ({ baseUrl, publicKey, secretKey, setupLink }: Ready, receiptFile: string): string => `
svc demo is ready: ${baseUrl}   (API page: ${baseUrl}/docs)

example shop ${baseUrl}/docs/example

public key  ${publicKey}
secret key  ${secretKey}
console   ${setupLink}   (makes the first account)

1. The purchase that was simulated for a first device:

curl -s ${baseUrl}/v1/me/entitlements \\
  -H "Authorization: Bearer ${publicKey}" -H "X-Svc-App-User-Id: ${DEVICE}"

2. Post a signed transaction for a second device, and read the access that it gives. The signed transaction is in ${receiptFile}

curl -s ${baseUrl}/v1/receipts/ios \\
  -H "Authorization: Bearer ${publicKey}" -H "Content-Type: application/json" -d @${receiptFile}

Ctrl-C ends the demo and deletes everything it made.
`
