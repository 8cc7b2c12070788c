import { slice } from '../../base/slice'
import { directoryRoutes } from './operator-routes'

/** What people of the dashboard find: search, the list of subscribers, and everything about one of them. */
export const directory = slice({ name: 'directory', operatorRoutes: directoryRoutes })
