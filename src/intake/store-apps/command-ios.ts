import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../../base/cli/command'
import { projectOptions, withProject } from '../../projects/project/project-api'
import type { CredentialsView } from '../../projects/store-setup/credentials-view'
import type { IosCredentialsBody, IosKeyBody } from '../../projects/store-setup/ios-wire'
import { getCredentials, putCredentials } from './command-credentials'
import type { StoreCommand } from './sub-command'

const options = {
  ...projectOptions,
  'bundle-id': { type: 'string' },
  'app-id': { type: 'string' },
  issuer: { type: 'string' },
  'key-file': { type: 'string' },
  'key-id': { type: 'string' },
  'connect-key-file': { type: 'string' },
  'connect-key-id': { type: 'string' },
  'no-probe': { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** `svc store connect ios`: omitted values stay as they are saved. */
export const connectIos: StoreCommand = {
  words: 'connect ios',
  usage: `svc store connect ios --bundle-id B [--app-id N] [--issuer UUID] [--key-file F.p8] [--connect-key-file F.p8]
  The keys of App Store Connect: --key-file for in-app purchases, --connect-key-file for the API. What is left out stays
  as it is saved. --key-id and --connect-key-id are read from file names like AuthKey_ABC123DEF4.p8`,
  optionOf: {
    'inAppPurchaseKey.keyId': '--key-id',
    'inAppPurchaseKey.issuerId': '--issuer',
    'inAppPurchaseKey.privateKey': '--key-file',
    'storeConnectKey.keyId': '--connect-key-id',
    'storeConnectKey.issuerId': '--issuer',
    'storeConnectKey.privateKey': '--connect-key-file',
    inAppPurchaseKey: '--key-file',
    storeConnectKey: '--connect-key-file',
    bundleId: '--bundle-id',
    appId: '--app-id',
  },
  run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    return withProject(io, values, async (project) => {
      const given = { inAppPurchaseKey: fileOf(values, 'key'), storeConnectKey: fileOf(values, 'connect-key') }
      const input = inputOf(values, given, (await getCredentials(project)).ios)
      const { ios } = await putCredentials(project, 'ios', input, values['no-probe'])
      io.out(values.json ? JSON.stringify({ ios }) : `The iOS store of ${project.slug} is connected: ${ios.bundleId}.`)
      return 0
    })
  },
}

interface KeyFile {
  keyId: string
  privateKey: string
}

function fileOf(values: Values, name: 'key' | 'connect-key'): KeyFile | null {
  const path = values[`${name}-file`]
  const givenId = values[`${name}-id`]
  if (path === undefined) {
    if (givenId !== undefined) throw new UsageError(`--${name}-id needs --${name}-file`)
    return null
  }
  const keyId = givenId ?? /_([A-Za-z0-9]{10})\.p8$/.exec(basename(path))?.[1]
  if (keyId === undefined) throw new UsageError(`--${name}-id is needed: the name of ${path} does not contain it`)
  return { keyId, privateKey: readText(path, `--${name}-file`) }
}

function readText(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`${option}: ${path} cannot be read`)
  }
}

type KeyName = 'inAppPurchaseKey' | 'storeConnectKey'
type Saved = CredentialsView['ios']

function inputOf(values: Values, given: Readonly<Record<KeyName, KeyFile | null>>, saved: Saved): IosCredentialsBody {
  const bundleId = values['bundle-id'] ?? saved.bundleId
  if (bundleId === null) throw new UsageError('store connect ios needs --bundle-id')
  // Another app has another id; it is read from the store again.
  const appId = values['app-id'] ?? (bundleId === saved.bundleId ? saved.appId : null)
  const input: IosCredentialsBody = { bundleId, ...(appId !== null && { appId }) }
  for (const name of ['inAppPurchaseKey', 'storeConnectKey'] as const) {
    const key = keyOf(name, given[name], values.issuer, saved)
    if (key) input[name] = key
  }
  return input
}

/** The key in a file, or the saved one without its private key, which then stays. */
function keyOf(name: KeyName, given: KeyFile | null, issuer: string | undefined, saved: Saved): IosKeyBody | null {
  const known = (['inAppPurchaseKey', 'storeConnectKey'] as const).map((one) => savedName(saved, one))
  const issuerId = issuer ?? savedName(saved, name)?.issuerId ?? known.find((one) => one)?.issuerId
  if (given) {
    if (issuerId === undefined) throw new UsageError('--issuer is needed with a key')
    return { ...given, issuerId }
  }
  const kept = savedName(saved, name)
  return kept && { ...kept, issuerId: issuerId ?? kept.issuerId }
}

function savedName(saved: Saved, name: KeyName): { keyId: string; issuerId: string } | null {
  const key = saved[name]
  return key === null || key.issuerId === null ? null : { keyId: key.keyId, issuerId: key.issuerId }
}
