import type { Command } from '../../base/cli/command'
import { compareAction } from './command-compare'
import type { CompareAction } from './command-options'
import { runsAction, scheduleAction, unscheduleAction } from './command-schedule'

const ACTIONS: Readonly<Record<string, CompareAction>> = {
  schedule: scheduleAction,
  unschedule: unscheduleAction,
  runs: runsAction,
}

export const compareCommand: Command = {
  name: 'compare',
  summary: "the old vendor's view of the same people beside ours, before the switch",
  optionOf: {
    ...{ vendor: '--vendor', url: '--url', sample: '--sample', rate: '--rate', key: '--key-env' },
    ...{ dailyAt: '--daily-at' },
  },
  help: `
${[compareAction, ...Object.values(ACTIONS)].map(({ usage }) => usage).join('\n')}

  --vendor V     revenuecat
  --key-env NAME the environment variable that holds the vendor's key
  --sample N     this many people, the same ones each time; or all (the default)
  --rate N       requests per second (default: 1); 0 = no limit
  --url BASE     another address than the vendor's own, such as a proxy
  --people FILE  also the people of this list whom the project does not have: one id a line, or a CSV file of
                 the vendor with a column such as app_user_id
  --csv FILE     person, kind, ours, theirs, reason: one line for each difference
  --resume       goes on with the comparison that was interrupted
  --include-sandbox
                 compares sandbox purchases too
  --project P    slug or id; needless with one project
  --data DIR, --json

Exits with 0 when both agree, 3 when something differs, 1 when people could not be compared.

Example: svc compare --vendor revenuecat --key-env REVENUECAT_KEY --sample 500 --csv differences.csv`,
  async run([name = '', ...args], io) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    return action ? action.run(args, io) : compareAction.run(name === '' ? [] : [name, ...args], io)
  },
}
