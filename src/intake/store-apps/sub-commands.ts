import { connectAndroid } from './command-android'
import { connectIos } from './command-ios'
import { connectPayment } from './command-payment'
import { pubsubCommand } from './command-pubsub'
import { storeStatus, testStore } from './command-status'
import type { StoreCommand } from './sub-command'

/** Everything below `svc store`, in the order of the help. */
export const SUB_COMMANDS: readonly StoreCommand[] = [
  connectIos,
  connectAndroid,
  connectPayment,
  pubsubCommand,
  storeStatus,
  testStore,
]
