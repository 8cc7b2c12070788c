import { slice } from '../../base/slice'
import { userCommand } from './command'

/** The command line for accounts, for who has locked themselves out. */
export const userCommands = slice({ name: 'user-commands', commands: [userCommand] })
