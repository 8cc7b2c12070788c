import type { Command } from '../../base/cli/command'
import { exportAction } from './command-export'
import type { ExportAction } from './command-options'
import { scheduleAction, schedulesAction, unscheduleAction } from './command-schedules'

const ACTIONS: Readonly<Record<string, ExportAction>> = {
  schedule: scheduleAction,
  schedules: schedulesAction,
  unschedule: unscheduleAction,
}

export const exportCommand: Command = {
  name: 'export-data',
  summary: 'the data of a project as files: subscribers, purchases, transactions, events, ledger',
  optionOf: {
    ...{ to: '--to', tables: '--table', format: '--format', columns: '--columns', dailyAt: '--daily-at' },
    ...{ endpoint: '--s3-endpoint', region: '--s3-region', accessKeyId: 'AWS_ACCESS_KEY_ID' },
    ...{ secretAccessKey: 'AWS_SECRET_ACCESS_KEY' },
  },
  help: `
${[exportAction, ...Object.values(ACTIONS)].map(({ usage }) => usage).join('\n')}

  --project P  slug or id; needless with one project
  --table T    subscribers, purchases, transactions, events, ledger (with commas between), or all (the default)
  --format F   csv (the default), jsonl or parquet
  --columns C  svc (the default), or revenuecat_v5: transactions in the columns of that vendor's export
  --to PLACE   a folder (default: svc-export), or s3://bucket/prefix with AWS_ACCESS_KEY_ID and
               AWS_SECRET_ACCESS_KEY in the environment
  --since TIME only what changed since then; last = since the last complete export into this place
  --s3-endpoint URL, --s3-region R
               another service that speaks the protocol of S3, and its region (or AWS_ENDPOINT_URL, AWS_REGION)
  --data DIR, --json

Example: svc export-data --format parquet --to /var/exports --since last`,
  async run([name = '', ...args], io) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    return action ? action.run(args, io) : exportAction.run(name === '' ? [] : [name, ...args], io)
  },
}
