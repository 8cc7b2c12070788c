import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import type { SdkDoorChange } from './admin'
import { SdkCallView, SdkDeviceView, SdkDoorView } from './operator-wire'
import type { SeenSdk } from './seen-sdk'
import { RESTORE_BEHAVIORS } from './settings'

const options = {
  ...projectOptions,
  'test-store': { type: 'string' },
  restore: { type: 'string' },
} as const

type Values = { [Name in keyof typeof options]?: string | boolean }

export const sdkDoorCommand: Command = {
  name: 'sdk-door',
  summary: "answer apps that are built with a former vendor's SDK",
  help: `
svc sdk-door status  [--project P]
svc sdk-door enable  [--project P] [--test-store on|off] [--restore transfer|keep|project]
svc sdk-door disable [--project P]

Apps that were built with the former vendor's SDK work unmodified: set proxyURL in the app to this server, and put the
prefix of the platform before the public key, such as appl_svc_pub_… Enabling it lets a public key address people by
your own ids, as that SDK does.

  --project P    slug or id; needless with one project
  --test-store   whether keys with the prefix test_ may buy at the test store (off)
  --restore      what happens to a purchase of another person when its receipt arrives (transfer)
  --data DIR, --json
${remoteHelp(17)}

Example: svc sdk-door enable --project sleep-app`,
  async run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, ...others] = positionals
    if (others.length > 0 || (action !== 'status' && action !== 'enable' && action !== 'disable'))
      throw new UsageError('sdk-door takes status, enable or disable')
    const change = action === 'status' ? null : changeOf(action === 'enable', values)
    return withProject(io, values, async (project) => {
      if (change) await project.call('PUT', ['sdk-door'], { data: Door, body: change })
      const status = await readStatus(project)
      io.out(values.json ? JSON.stringify(status) : report(status))
      return 0
    })
  },
}

function changeOf(enabled: boolean, { 'test-store': testStore, restore }: Values): SdkDoorChange {
  if (testStore !== undefined && testStore !== 'on' && testStore !== 'off')
    throw new UsageError('--test-store is on or off')
  const restoreBehavior = RESTORE_BEHAVIORS.find((name) => name === restore)
  if (restore !== undefined && !restoreBehavior)
    throw new UsageError(`--restore is one of ${RESTORE_BEHAVIORS.join(', ')}`)
  return { enabled, testStore: testStore === undefined ? undefined : testStore === 'on', restoreBehavior }
}

/** A newer server may answer more. */
const Door = Type.Omit(SdkDoorView, [], { additionalProperties: true })
const Seen = Type.Object({
  calls: Type.Array(Type.Omit(SdkCallView, [], { additionalProperties: true })),
  devices: Type.Array(Type.Omit(SdkDeviceView, [], { additionalProperties: true })),
})

async function readStatus(project: ProjectApi) {
  const sums = new Map<string, SeenSdk & { calls: number; refused: number; devices: number }>()
  const sumOf = ({ platform, flavor, version }: SeenSdk) => {
    const key = [platform, flavor, version].join(' ')
    const sum = sums.get(key) ?? { platform, flavor, version, calls: 0, refused: 0, devices: 0 }
    sums.set(key, sum)
    return sum
  }
  const { calls, devices } = await project.call('GET', ['sdk-door', 'calls'], { data: Seen })
  for (const { outcome, count, ...sdk } of calls) {
    sumOf(sdk).calls += count
    if (outcome !== 'OK') sumOf(sdk).refused += count
  }
  for (const { devices: count, ...sdk } of devices) sumOf(sdk).devices += count
  return { ...(await project.call('GET', ['sdk-door'], { data: Door })), seen: [...sums.values()] }
}

const HEAD = ['platform', 'framework', 'version', 'calls in 30 days', 'refused', 'devices']

function report({
  enabled,
  testStore,
  restoreBehavior,
  oldKeys,
  seen,
}: Awaited<ReturnType<typeof readStatus>>): string {
  const state = enabled ? 'Apps on the former SDK are answered' : 'Apps on the former SDK are not answered'
  const terms = `test store ${testStore ? 'on' : 'off'}, restore: ${restoreBehavior}, old keys: ${oldKeys.length}`
  const head = `${state} (${terms}).`
  if (seen.length === 0) return `${head}\nNo calls in the last 30 days.`
  const lines = seen.map((one) => [
    one.platform,
    one.flavor || '-',
    one.version,
    String(one.calls),
    String(one.refused),
    String(one.devices),
  ])
  return `${head}\n\n${table([HEAD, ...lines])}`
}
