import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { TEST_KEY } from '../support/context'
import { folderOf, SMALL } from './arena'
import { type Child, serveCommand } from './children'
import { alternate, type Measured, runRound } from './measure'
import { type Aim, loadRow, type Row, toFigure } from './report'
import { bearer, inCircles, once, toRequest } from './requests'
import { deviceOf } from './seed'
import type { Template } from './template'

/** What a benchmark on another database than a file needs. */
export interface Plan {
  folder: string
  template: Template
  rounds: number
  seconds: number
  say: (line: string) => void
}

/** Moves the small database to another one, and returns the data folder for it. */
export function fillFrom({ folder, say }: Plan, where: string, url: string): string {
  const [file, data] = [join(folder, `for ${where}`), join(folder, where)]
  mkdirSync(data)
  const command = serveCommand().slice(0, -1)
  const run = (env: Record<string, string>, ...args: string[]) => {
    const ran = Bun.spawnSync([...command, ...args], { env: { ...process.env, ...env }, stderr: 'pipe' })
    if (ran.exitCode !== 0) throw new Error(`svc ${args[0]} failed: ${ran.stderr}`)
  }
  run({ SVC_MASTER_KEY: TEST_KEY }, 'backup', file, '--data', folderOf(folder, SMALL))
  run({ SVC_MASTER_KEY: TEST_KEY, SVC_DATABASE_URL: url }, 'restore', file, '--data', data)
  say(`${SMALL.toLocaleString('en')} subscribers in ${where}`)
  return data
}

export const everyone = Array.from({ length: SMALL }, (_, index) => index + 1)

/** So few that each answer is made once before the first counted round. */
const READERS = 2000

/** Reads beside the empty route. */
export async function benchReads(
  { template, rounds, seconds }: Plan,
  where: string,
  server: Child,
  yardstick: Child,
  aim: Aim | null,
): Promise<Row[]> {
  const { publicKey } = template.project
  const load = (next: () => Uint8Array | null) => ({ next, durationMs: seconds * 1000 })
  const readers = everyone.slice(0, READERS)
  const configOf = (index: number, more = '') =>
    toRequest('GET', `/v1/config?subscriberId=${deviceOf(index)}${more}`, bearer(publicKey))
  const accessOf = (index: number) =>
    toRequest('GET', '/v1/me/entitlements', { ...bearer(publicKey), 'x-svc-app-user-id': deviceOf(index) })
  const [configs, accesses] = [readers.map((index) => configOf(index)), readers.map(accessOf)]
  for (const requests of [configs, accesses, configs, accesses]) await runRound(server, { next: once(requests) })
  let turn = 0
  const loads = {
    empty: load(inCircles([toRequest('GET', '/', {})])),
    config: load(inCircles(configs)),
    entitlements: load(inCircles(accesses)),
    made: load(() => configOf(readers[turn++ % READERS] ?? 1, `&turn=${turn}`)),
  }
  const on = (child: Child, name: keyof typeof loads) => () => runRound(child, loads[name])
  const all = await alternate<keyof typeof loads>(rounds, {
    empty: on(yardstick, 'empty'),
    config: on(server, 'config'),
    entitlements: on(server, 'entitlements'),
    made: on(server, 'made'),
  })
  const row = (what: string, measured: Measured, aim: Aim | null) =>
    loadRow(`${where}: ${what}`, measured, toFigure(all.empty), aim)
  return [
    row('GET /v1/config', all.config, aim),
    row('GET /v1/me/entitlements', all.entitlements, aim),
    row('GET /v1/config, no answer is kept', all.made, null),
  ]
}
