import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { AndroidCredentialsBody, saveAndroidCredentials } from '../../projects/play-console/credentials'
import { requireProject } from '../../projects/project/lookup'
import { readCredentials } from '../../projects/store-setup/body'
import { credentialsView } from '../../projects/store-setup/credentials-view'
import type { StoreCommand } from './sub-command'

const options = {
  project: { type: 'string' },
  'package-name': { type: 'string' },
  'service-account': { type: 'string' },
  'no-probe': { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** `svc store connect android`. */
export const connectAndroid: StoreCommand = {
  words: 'connect android',
  usage: `svc store connect android --service-account FILE.json [--package-name P]
  The key file of a service account of Google Cloud. Without --package-name the saved one stays`,
  optionOf: {
    'credentials.serviceAccount': '--service-account',
    'credentials.packageName': '--package-name',
    serviceAccount: '--service-account',
    packageName: '--package-name',
  },
  run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    const path = values['service-account']
    if (path === undefined) throw new UsageError('store connect android needs --service-account')
    return withContext(io, values, async (ctx) => {
      const serviceAccount = readJson(path)
      const { id: projectId, slug } = await requireProject(ctx, values.project)
      const saved = (await credentialsView(ctx, projectId)).android
      const packageName = values['package-name'] ?? saved.packageName
      if (packageName === null) throw new UsageError('store connect android needs --package-name')
      const input = readCredentials(AndroidCredentialsBody, { packageName, serviceAccount })
      const edit = { by: { projectId, actor: CLI_ACTOR }, expected: null }
      await saveAndroidCredentials(ctx, edit, input, values['no-probe'] !== true)
      const { android } = await credentialsView(ctx, projectId)
      io.out(values.json ? JSON.stringify({ android }) : `The Android store of ${slug} is connected: ${packageName}.`)
      return 0
    })
  },
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new UsageError(`--service-account: ${path} cannot be read, or is not JSON`)
  }
}
