import { slice } from '../../base/slice'
import { mcpCommand } from './command'
import { mcpRoutes } from './routes'

/** The tools of the assistant for agents of other programs. */
export const mcp = slice({ name: 'mcp', publicRoutes: mcpRoutes, commands: [mcpCommand] })
