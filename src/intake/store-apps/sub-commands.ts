import { connectIos } from './command-ios'
import { connectPayment } from './command-payment'
import { storeStatus, testStore } from './command-status'
import type { StoreCommand } from './sub-command'

/** Everything below `svc store`, in the order of the help. */
export const SUB_COMMANDS: readonly StoreCommand[] = [connectIos, connectPayment, storeStatus, testStore]
