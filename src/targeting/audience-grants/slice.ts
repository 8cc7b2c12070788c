import { slice } from '../../base/slice'
import { audienceGrantRoutes } from './operator-routes'

/** Access without a purchase for everyone of an audience. */
export const audienceGrants = slice({ name: 'audience-grants', operatorRoutes: audienceGrantRoutes })
