import { type Command, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import type { CommandAction } from '../deliveries/command-action'
import { deliveriesAction } from '../delivery-log/command-deliveries'
import { replayAction } from '../delivery-log/command-replay'
import { deleteAction, listAction, retryAction, rotateAction, testAction } from './command-actions'
import { createAction } from './command-create'

const ACTIONS: Readonly<Record<string, CommandAction>> = {
  list: listAction,
  create: createAction,
  delete: deleteAction,
  rotate: rotateAction,
  test: testAction,
  deliveries: deliveriesAction,
  retry: retryAction,
  replay: replayAction,
}

export const webhookCommand: Command = {
  name: 'webhook',
  summary: 'webhook endpoints and deliveries: list, create, delete, rotate, test, retry, replay',
  optionOf: { name: '--name', eventTypes: '--types' },
  help: `
${Object.values(ACTIONS)
  .map(({ usage }) => usage)
  .join('\n')}

  --project P  slug or id; needless with one project
  --data DIR, --json
${remoteHelp(15)}

Example: svc webhook create https://api.example.com/svc --name backend --types 'purchase.*'`,
  async run([name = '', ...args], io) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action) throw new UsageError(`webhook takes ${Object.keys(ACTIONS).join(', ')}`)
    return action.run(args, io)
  },
}
