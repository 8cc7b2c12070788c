import { slice } from '../../base/slice'
import { listenCommand } from './command'

/** The events of a project on a developer's machine. */
export const listening = slice({ name: 'listen', commands: [listenCommand] })
