import { parseArgs } from 'node:util'
import type { Command, Io, Program } from '../base/cli/command'
import { type Check, fail, ok } from '../base/cli/doctor'
import { machineEnvironment } from '../base/cli/installation'
import { table } from '../base/cli/table'
import { ConfigError, type ConfigFlags, readConfig } from '../base/config'
import type { Clock } from '../base/lib/clock'
import { checkDatabase } from './doctor/database'
import { checkHost } from './doctor/host'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'check database, keys, clock, public address, credentials and projects',
  help: `
svc doctor [--data DIR] [--json]

Each line is ok, warn or fail, with a sentence that says what to do. Exit code 0 when nothing failed, else 1.
Changes nothing, and may run beside the server.

Example: svc doctor --data /var/lib/svc`,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: { data: { type: 'string' }, json: { type: 'boolean' } } })
    const checks = await examine(io.program, machineEnvironment(io, values), values, io.clock)
    const isOk = checks.every(({ status }) => status !== 'fail')
    io.out(values.json ? JSON.stringify({ ok: isOk, checks }) : report(checks))
    return isOk ? 0 : 1
  },
}

/** Every check of a deployment, in the order in which faults should be corrected. */
export async function examine(program: Program, env: Io['env'], flags: ConfigFlags, clock: Clock): Promise<Check[]> {
  try {
    const config = readConfig(env, flags)
    const read = ok('configuration', 'It is complete and without faults.')
    const host = [
      ...checkHost(config),
      ...(program.hooks.doctor ?? []).flatMap(({ host: check }) => check?.(config) ?? []),
    ]
    return [read, ...host, ...(await checkDatabase(program, config, clock))]
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fail('configuration', fault))
    throw error
  }
}

function report(checks: readonly Check[]): string {
  const count = (wanted: Check['status']) => checks.filter(({ status }) => status === wanted).length
  const lines = table(checks.map(({ status, name, message }) => [status, name, message]))
  return `${lines}\n\n${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed.`
}
