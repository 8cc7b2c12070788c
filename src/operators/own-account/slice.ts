import { slice } from '../../base/slice'
import { ownAccountRoutes } from './routes'

/** What a signed-in person does with their own account. */
export const ownAccount = slice({ name: 'own-account', accountRoutes: ownAccountRoutes })
