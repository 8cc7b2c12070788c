import { parseArgs } from 'node:util'
import { type Io, UsageError } from '../../base/cli/command'
import { projectOptions, withProject } from '../../projects/project/project-api'
import { putCredentials } from './command-credentials'
import type { StoreCommand } from './sub-command'

const options = {
  ...projectOptions,
  mode: { type: 'string' },
  'secret-key-stdin': { type: 'boolean' },
  'no-probe': { type: 'boolean' },
} as const

/** `svc store connect payment`: secrets come on the standard input, where no other user of the machine sees them. */
export const connectPayment: StoreCommand = {
  words: 'connect payment',
  usage: `svc store connect payment --mode test|live --secret-key-stdin
  Reads the secret key from the first line of the standard input and the webhook secret from the second; without a second
  line the saved webhook secret stays`,
  optionOf: {
    'credentials.secretKey': 'The first line',
    'credentials.webhookSecret': 'The second line',
    'credentials.mode': '--mode',
  },
  run(args, io) {
    const { values } = parseArgs({ args: [...args], options })
    if (values.mode === undefined || values['secret-key-stdin'] !== true)
      throw new UsageError('store connect payment needs --mode test|live and --secret-key-stdin')
    return withProject(io, values, async (project) => {
      const [secretKey, webhookSecret = null] = await readLines(io)
      const input = { secretKey, webhookSecret, mode: values.mode }
      const { payment } = await putCredentials(project, 'payment', input, values['no-probe'])
      const text = `${project.slug} sells through its own account, in ${payment.mode} mode.`
      io.out(values.json ? JSON.stringify({ payment }) : text)
      return 0
    })
  },
}

async function readLines(io: Io): Promise<string[]> {
  const text = (await io.input?.()) ?? ''
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
