import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { startCommit, startDryRun } from '../../src/moving/imports/admin'
import { findJob } from '../../src/moving/imports/queries'
import { createImport } from '../../src/moving/imports/receive'
import { performImport } from '../../src/moving/imports/work/perform'
import { CLI_ACTOR } from '../../src/projects/audit/audit'
import { TEST_KEY } from '../support/context'
import { Chains } from './chains'
import { type Child, readMemory, serveCommand, startServer } from './children'
import { writeHistory } from './import-history'
import { type Round, runRound } from './measure'
import { toPost } from './receipts'
import { bearer, inCircles, once, toRequest } from './requests'
import { DEVICE, makeTemplate, type Template } from './template'

const HELP = `bun test/bench/import-beside.ts [--rows N] [--seconds N]

Configurations and receipts a second of a server, without an import and while it writes one.`

interface Stage {
  server: Child
  template: Template
  chains: Chains
  seconds: number
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const folder = mkdtempSync(join(tmpdir(), 'svc-import-beside-'))
  try {
    await measure(folder, Number(values.rows), Number(values.seconds))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(folder: string, rows: number, seconds: number): Promise<void> {
  mkdirSync(join(folder, 'template'))
  const template = await makeTemplate(join(folder, 'template'))
  const own = join(folder, 'own')
  mkdirSync(own)
  copyFileSync(template.path, join(own, 'svc.db'))
  const ctx = await createContext(readConfig({ SVC_DATA_DIR: own, SVC_MASTER_KEY: TEST_KEY }), { clock: systemClock })
  const server = await startServer(serveCommand(), own)
  try {
    const stage = { server, template, chains: new Chains(template.keys), seconds }
    const by = { projectId: template.project.id, actor: CLI_ACTOR }
    const id = await readyImport(ctx, by, join(own, 'history.csv'), rows)
    await loadOnce(stage, 'warm')
    const before = await loadOnce(stage, 'before')
    await startCommit(ctx, by, id, 'QUEUE')
    const begun = await rowsAfter(ctx, by.projectId, id, 1)
    const startedAt = performance.now()
    const beside = await loadOnce(stage, 'beside')
    const written = (await rowsAfter(ctx, by.projectId, id, 0)) - begun
    const perSecond = (written * 1000) / (performance.now() - startedAt)
    const [config, receipts] = [ratio(beside.config, before.config), ratio(beside.receipts, before.receipts)]
    console.log(`beside the import: config ${config}, receipts ${receipts} of the speed without`)
    console.log(
      `rows written meanwhile: ${Math.round(perSecond)}/s; resident ${readMemory(server.pid)?.rss.toFixed(0)} MB`,
    )
  } finally {
    await ctx.close()
    await server.stop()
  }
}

const ratio = (one: Round, other: Round): string => (one.perSecond / other.perSecond).toFixed(2)

interface By {
  projectId: string
  actor: typeof CLI_ACTOR
}

async function readyImport(ctx: Context, by: By, path: string, rows: number): Promise<string> {
  await writeHistory(path, rows, false)
  const file = Bun.file(path)
  const { id } = await createImport(ctx, by, { fileName: 'history.csv', bytes: file.size, body: file.stream() })
  await startDryRun(ctx, by, id, 'CALLER')
  await performImport(ctx, { projectId: by.projectId, jobId: id }, { isStopping: () => false })
  return id
}

/** The rows that are written, once they are at least so many. */
async function rowsAfter(ctx: Context, projectId: string, id: string, least: number): Promise<number> {
  for (;;) {
    const job = await findJob(ctx, projectId, id)
    if (job && job.status !== 'DRY_RUN_COMPLETE' && job.counters.rows >= least) return job.counters.rows
    await Bun.sleep(50)
  }
}

async function loadOnce(
  { server, template, chains, seconds }: Stage,
  name: string,
): Promise<{ config: Round; receipts: Round }> {
  const { publicKey } = template.project
  const read = toRequest('GET', `/v1/config?subscriberId=${DEVICE}`, bearer(publicKey))
  const config = await runRound(server, { next: inCircles([read]), durationMs: seconds * 1000 })
  const posts = Array.from({ length: RECEIPTS_AT_MOST }, (_, index) =>
    toPost({ template }, `${name}-${index}`, chains.sign(chains.buy())),
  )
  const receipts = await runRound(server, { next: once(posts), durationMs: seconds * 1000 })
  const line = (what: string, round: Round) =>
    `${what} ${Math.round(round.perSecond)}/s, p99 ${round.p99Ms.toFixed(0)} ms ${JSON.stringify(round.faults)}`
  console.log(`${name}: ${line('config', config)}; ${line('receipts', receipts)}`)
  return { config, receipts }
}

const RECEIPTS_AT_MOST = 5000

await main()
