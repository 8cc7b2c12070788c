import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { UsageError } from '../../base/cli/command'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { getCredentials, putCredentials } from './command-credentials'
import type { StoreCommand } from './sub-command'

const options = {
  ...projectOptions,
  'package-name': { type: 'string' },
  'service-account': { type: 'string' },
  'no-probe': { type: 'boolean' },
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
    return withProject(io, values, async (project) => {
      const serviceAccount = readJson(path)
      const packageName = values['package-name'] ?? (await getCredentials(project)).android.packageName
      if (packageName === null) throw new UsageError('store connect android needs --package-name')
      const saved = await putCredentials(project, 'android', { packageName, serviceAccount }, values['no-probe'])
      const { android } = saved
      io.out(
        values.json
          ? JSON.stringify({ android })
          : `The Android store of ${project.slug} is connected: ${packageName}.`,
      )
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
