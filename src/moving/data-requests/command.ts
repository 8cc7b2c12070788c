import { type Command, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { eraseAction, exportAction, listAction } from './command-actions'
import type { RequestAction } from './command-run'

const ACTIONS: Readonly<Record<string, RequestAction>> = {
  export: exportAction,
  erase: eraseAction,
  list: listAction,
}

export const dataRequestCommand: Command = {
  name: 'dsar',
  summary: 'data subject requests: export what is stored about a person, or erase it',
  optionOf: { appUserId: '--person', requestedBy: '--requested-by' },
  help: `
${Object.values(ACTIONS)
  .map(({ usage }) => usage)
  .join('\n')}

  --person REF         sub_ id, appUserId or device key
  -o, --output FILE    where to write; without it dsr_….zip in this folder, or the certificate to the terminal
  --requested-by TEXT  who asks, for the record; the person can read it in an export
  --yes                erases without asking you to type the reference
  --project P          slug or id; needless with one project
  --data DIR, --json
${remoteHelp(23)}

Example: svc dsar export --person user_1 -o user_1.zip`,
  async run([name = '', ...args], io) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action) throw new UsageError(`dsar takes ${Object.keys(ACTIONS).join(', ')}`)
    return action.run(args, io)
  },
}
