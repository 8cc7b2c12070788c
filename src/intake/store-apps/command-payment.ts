import { parseArgs } from 'node:util'
import { type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { CLI_ACTOR } from '../../projects/audit/audit'
import { requireProject } from '../../projects/project/lookup'
import { readCredentials } from '../../projects/store-setup/body'
import { credentialsView } from '../../projects/store-setup/credentials-view'
import { findSettings } from '../../projects/store-setup/edit-store'
import { PaymentCredentialsBody, savePaymentCredentials } from '../../projects/store-setup/payment-credentials'
import type { StoreCommand } from './sub-command'

const options = {
  project: { type: 'string' },
  mode: { type: 'string' },
  'secret-key-stdin': { type: 'boolean' },
  'no-probe': { type: 'boolean' },
  data: { type: 'string' },
  json: { type: 'boolean' },
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
    return withContext(io, values, async (ctx) => {
      const { id: projectId, slug } = await requireProject(ctx, values.project)
      const saved = await findSettings(ctx, projectId, 'payment')
      const [secretKey, webhookSecret = saved?.secrets?.webhookSecret] = await readLines(io)
      const input = readCredentials(PaymentCredentialsBody, { secretKey, webhookSecret, mode: values.mode })
      const edit = { by: { projectId, actor: CLI_ACTOR }, expected: null }
      await savePaymentCredentials(ctx, edit, input, values['no-probe'] !== true)
      const { payment } = await credentialsView(ctx, projectId)
      io.out(
        values.json ? JSON.stringify({ payment }) : `${slug} sells through its own account, in ${input.mode} mode.`,
      )
      return 0
    })
  },
}

async function readLines(io: Io): Promise<string[]> {
  const text = (await io.input?.()) ?? ''
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
