import { type Command, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { connectAndroid } from './command-android'
import { connectIos } from './command-ios'
import { connectPayment } from './command-payment'
import { pubsubCommand } from './command-pubsub'
import { storeStatus, testStore } from './command-status'
import type { StoreCommand } from './sub-command'

/** Everything below `svc store`, in the order of the help. */
const SUB_COMMANDS: readonly StoreCommand[] = [
  connectIos,
  connectAndroid,
  connectPayment,
  pubsubCommand,
  storeStatus,
  testStore,
]

export const storeCommand: Command = {
  name: 'store',
  summary: 'connect the stores, see how they stand, and test them',
  optionOf: Object.assign({}, ...SUB_COMMANDS.map(({ optionOf }) => optionOf)),
  help: `
${SUB_COMMANDS.map(({ usage }) => usage).join('\n')}

Keys are tried at the store before they are saved; nothing is saved when the store refuses one.

  --project P  slug or id; not needed where there is one project
  --no-probe   saves without trying the keys
  --data DIR, --json
${remoteHelp(15)}
Of store test, --token is that of the notification, so give the access token in SVC_TOKEN.

Example: svc store connect ios --bundle-id com.example.sleep --issuer 57246542-96fe-1a63-e053-0824d011072a --key-file SubscriptionKey_ABC123DEF4.p8`,
  run(args, io) {
    const found = SUB_COMMANDS.find(({ words }) => words.split(' ').every((word, index) => args[index] === word))
    if (!found) throw new UsageError(`store takes ${SUB_COMMANDS.map(({ words }) => words).join(', ')}`)
    return found.run(args.slice(found.words.split(' ').length), io)
  },
}
